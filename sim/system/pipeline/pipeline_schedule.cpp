// SPDX-License-Identifier: Apache-2.0
#include "sim/system/pipeline/pipeline_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/support/error.hpp"

namespace td::job {

namespace {

/// Bounds that keep an order in memory: 2^26 passes.
constexpr std::int64_t kMostPasses = std::int64_t{1} << 26;
constexpr std::int64_t kMostOfAny = std::int64_t{1} << 24;

void check_count(const std::string& source, const char* field, std::int64_t value) {
  if (value >= 1 && value <= kMostOfAny) return;
  throw UserError(source, field, fmt::format("{}", value), fmt::format("1..{}", kMostOfAny));
}

void check_times(const std::string& source, const char* field, const std::vector<double>& times,
                 std::int64_t stages) {
  if (static_cast<std::int64_t>(times.size()) != stages) {
    throw UserError(source, field, fmt::format("{} times", times.size()),
                    fmt::format("{}, one for each chunk-stage", stages));
  }
  for (const double time : times) {
    if (std::isfinite(time) && time >= 0) continue;
    throw UserError(source, field, fmt::format("{}", time), "0 or more seconds");
  }
}

/// The k-th forward pass of a device: with chunks, they change after a group of as many
/// microbatches as there are devices.
StagePass forward_pass(const Pipeline& p, std::int64_t device, std::int64_t k) {
  const std::int64_t group = p.devices * p.chunks;
  const bool interleaved = p.schedule == PipelineSchedule::interleaved;
  const std::int64_t chunk = interleaved ? k % group / p.devices : 0;
  const std::int64_t microbatch = interleaved ? k / group * p.devices + k % p.devices : k;
  return {false, chunk * p.devices + device, microbatch};
}

/// The k-th backward pass: chunks in the opposite order.
StagePass backward_pass(const Pipeline& p, std::int64_t device, std::int64_t k) {
  StagePass pass = forward_pass(p, device, k);
  pass.backward = true;
  pass.stage = (p.chunks - 1 - pass.stage / p.devices) * p.devices + device;
  return pass;
}

/// Microbatches of all iterations, and of the one that fills.
std::int64_t all_microbatches(const Pipeline& p) {
  return p.microbatches * (p.iterations == 1 ? 1 : p.iterations + 1);
}

/// Forward passes ahead of the first pair.
std::int64_t warm_up(const Pipeline& p, std::int64_t device) {
  const std::int64_t all = all_microbatches(p) * p.chunks;
  const std::int64_t behind = p.devices - device - 1;
  switch (p.schedule) {
    case PipelineSchedule::gpipe:
      return all;
    case PipelineSchedule::one_forward_one_backward:
      return std::min(all, behind);
    case PipelineSchedule::interleaved:
      break;
  }
  if (p.microbatches == p.devices) return all;
  return std::min(all, 2 * behind + (p.chunks - 1) * p.devices);
}

/// Tasks of a pipeline by what they are.
class Builder {
 public:
  Builder(const Pipeline& pipeline, const std::string& source)
      : pipeline_(pipeline), graph_(source), stages_(pipeline.devices * pipeline.chunks) {}

  Graph build() {
    const std::size_t passes = static_cast<std::size_t>(stages_ * all_microbatches(pipeline_));
    forward_.assign(passes, 0);
    backward_.assign(passes, 0);
    for (std::int64_t device = 0; device < pipeline_.devices; ++device) add_device(device);
    for (std::int64_t stage = 0; stage < stages_; ++stage) {
      for (std::int64_t i = 0; i < all_microbatches(pipeline_); ++i) join(stage, i);
    }
    return std::move(graph_);
  }

 private:
  std::size_t index(std::int64_t stage, std::int64_t microbatch) const {
    return static_cast<std::size_t>(stage * all_microbatches(pipeline_) + microbatch);
  }

  void add_device(std::int64_t device) {
    const ResourceId id =
        graph_.add({fmt::format("accelerator {}", device), ResourceKind::compute, Policy::fixed});
    std::int64_t rank = 0;
    for (const StagePass& pass : device_order(pipeline_, device)) {
      const auto stage = static_cast<std::size_t>(pass.stage);
      Task task;
      task.name = fmt::format("{}{} {}", pass.backward ? 'B' : 'F', pass.stage, pass.microbatch);
      task.resource = id;
      task.seconds = pass.backward ? pipeline_.backward[stage] : pipeline_.forward[stage];
      task.rank = rank++;
      task.layer = fmt::format("stage {}", pass.stage);
      task.phase = pass.backward ? "backward" : "forward";
      const std::int64_t iteration = pass.microbatch / pipeline_.microbatches;
      task.iteration = iteration < pipeline_.iterations ? iteration : -1;
      auto& ids = pass.backward ? backward_ : forward_;
      ids[index(pass.stage, pass.microbatch)] = graph_.add(std::move(task));
    }
  }

  void join(std::int64_t stage, std::int64_t i) {
    graph_.add_edge(forward_[index(stage, i)], backward_[index(stage, i)]);
    if (stage == 0) return;
    hand_over(forward_[index(stage - 1, i)], forward_[index(stage, i)]);
    hand_over(backward_[index(stage, i)], backward_[index(stage - 1, i)]);
  }

  void hand_over(TaskId from, TaskId to) {
    if (pipeline_.transfer == 0 || pipeline_.devices == 1) {
      graph_.add_edge(from, to);
      return;
    }
    Task task;
    task.name = "transfer after " + graph_.tasks()[from].name;
    task.seconds = pipeline_.transfer;
    task.phase = "transfer";
    const TaskId transfer = graph_.add(std::move(task));
    graph_.add_edge(from, transfer);
    graph_.add_edge(transfer, to);
  }

  const Pipeline& pipeline_;
  Graph graph_;
  std::int64_t stages_;
  std::vector<TaskId> forward_;
  std::vector<TaskId> backward_;
};

}  // namespace

void check_pipeline(const Pipeline& p, const std::string& source) {
  check_count(source, "devices", p.devices);
  check_count(source, "microbatches", p.microbatches);
  check_count(source, "chunks", p.chunks);
  check_count(source, "iterations", p.iterations);
  if (p.schedule != PipelineSchedule::one_forward_one_backward && p.iterations != 1) {
    throw UserError(source, "iterations", fmt::format("{}", p.iterations),
                    "1, where they are flushed");
  }
  const bool interleaved = p.schedule == PipelineSchedule::interleaved;
  if (!interleaved && p.chunks != 1) {
    throw UserError(source, "chunks", fmt::format("{}", p.chunks), "1, unless interleaved");
  }
  if (interleaved && p.microbatches % p.devices != 0) {
    throw UserError(source, "microbatches", fmt::format("{}", p.microbatches),
                    fmt::format("a multiple of the {} devices, to interleave", p.devices));
  }
  const double passes = 2.0 * static_cast<double>(p.devices) * static_cast<double>(p.chunks) *
                        static_cast<double>(all_microbatches(p));
  if (passes > static_cast<double>(kMostPasses)) {
    throw UserError(source, "devices x chunks x microbatches", fmt::format("{}", passes / 2),
                    fmt::format("at most {}", kMostPasses / 2));
  }
  check_times(source, "forward", p.forward, p.devices * p.chunks);
  check_times(source, "backward", p.backward, p.devices * p.chunks);
  if (!(std::isfinite(p.transfer) && p.transfer >= 0)) {
    throw UserError(source, "transfer", fmt::format("{}", p.transfer), "0 or more seconds");
  }
}

std::vector<StagePass> device_order(const Pipeline& p, std::int64_t device) {
  const std::int64_t all = all_microbatches(p) * p.chunks;
  const std::int64_t ahead = warm_up(p, device);
  std::vector<StagePass> order;
  order.reserve(static_cast<std::size_t>(2 * all));
  for (std::int64_t k = 0; k < ahead; ++k) order.push_back(forward_pass(p, device, k));
  for (std::int64_t k = ahead; k < all; ++k) {
    order.push_back(forward_pass(p, device, k));
    order.push_back(backward_pass(p, device, k - ahead));
  }
  for (std::int64_t k = all - ahead; k < all; ++k) order.push_back(backward_pass(p, device, k));
  return order;
}

Graph pipeline_graph(const Pipeline& pipeline, const std::string& source) {
  check_pipeline(pipeline, source);
  return Builder(pipeline, source).build();
}

std::int64_t activations_in_flight(const Pipeline& pipeline, std::int64_t device) {
  std::int64_t held = 0;
  std::int64_t most = 0;
  for (const StagePass& pass : device_order(pipeline, device)) {
    held += pass.backward ? -1 : 1;
    most = std::max(most, held);
  }
  return most;
}

}  // namespace td::job
