// SPDX-License-Identifier: Apache-2.0
#include "sim/system/partition/execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/support/error.hpp"
#include "sim/system/graph/execution.hpp"

namespace td::job {

namespace {

constexpr std::int64_t kLongestTurn = 1024;

/// Passes of one stage.
struct StageCost {
  double forward;   ///< seconds of a minibatch
  double backward;  ///< seconds, averaging included
  double transfer;  ///< seconds for the activations of a minibatch into the stage
};

StageCost cost_of(const std::vector<CutState>& states, const PartitionRequest& request,
                  const Stage& stage) {
  const CutState ahead = stage.begin == 0 ? CutState{} : states[stage.begin - 1];
  const CutState& last = states[stage.end - 1];
  const double bandwidth = request.levels.front().bandwidth;
  const double forward = last.forward - ahead.forward;
  StageCost cost{};
  // A difference of sums of equal layers may be a rounding error below 0.
  cost.forward = std::max(0.0, forward);
  cost.backward = std::max(0.0, last.seconds - ahead.seconds - forward) +
                  averaging_seconds(last.parameters - ahead.parameters, stage.replicas, bandwidth);
  if (request.compression) cost.transfer = ahead.output / (bandwidth * *request.compression);
  return cost;
}

/// So many a graph can bear.
std::int64_t most_minibatches(const PartitionRun& run) {
  constexpr std::int64_t tasks_of_pass = 6;
  return kMostTasks / (tasks_of_pass * static_cast<std::int64_t>(run.stages.size()));
}

/// Builds the graph stage by stage.
class PartitionGraph {
 public:
  PartitionGraph(const PartitionRun& run, std::int64_t minibatches, const std::string& source)
      : run_(run), minibatches_(minibatches), graph_(source) {
    for (const Stage& stage : run.stages) {
      costs_.push_back(cost_of(run.states, run.request, stage));
    }
    for (std::size_t s = 0; s < run.stages.size(); ++s) add_stage(s);
    for (std::size_t s = 1; s < run.stages.size(); ++s) join(s);
    const std::size_t last = run.stages.size() - 1;
    for (std::int64_t b = 0; b < minibatches; ++b) {
      graph_.add_edge(forward_of(last, b), backward_of(last, b));
    }
  }

  Graph take() { return std::move(graph_); }

 private:
  /// The first task of a minibatch's passes through stage s; the backward one is the next.
  TaskId forward_of(std::size_t s, std::int64_t b) const {
    return static_cast<TaskId>((static_cast<std::int64_t>(s) * minibatches_ + b) * 2);
  }
  TaskId backward_of(std::size_t s, std::int64_t b) const { return forward_of(s, b) + 1; }

  void add_stage(std::size_t s) {
    const std::int64_t replicas = run_.stages[s].replicas;
    const std::int64_t depth = warmup_depth(run_, s);
    const auto first = static_cast<ResourceId>(graph_.resources().size());
    for (std::int64_t r = 0; r < replicas; ++r) {
      graph_.add({fmt::format("stage {} worker {}", s, r), ResourceKind::compute, Policy::fixed});
    }
    for (std::int64_t b = 0; b < minibatches_; ++b) {
      const auto worker = static_cast<ResourceId>(first + b % replicas);
      const std::int64_t own = b / replicas;  // which of the worker's minibatches
      // Forward own + depth - 1 comes right ahead of backward own.
      add(worker, costs_[s].forward, 2 * own, s, b, "forward");
      add(worker, costs_[s].backward, 2 * (own + depth) - 1, s, b, "backward");
    }
  }

  void add(ResourceId resource, double seconds, std::int64_t rank, std::size_t s, std::int64_t b,
           const char* phase) {
    Task task;
    task.name = fmt::format("{} {} of {}", phase, b, s);
    task.resource = resource;
    task.seconds = seconds;
    task.rank = rank;
    task.layer = fmt::format("stage {}", s);
    task.phase = phase;
    graph_.add(std::move(task));
  }

  /// Joins stage s to the one ahead of it.
  void join(std::size_t s) {
    std::vector<std::vector<ResourceId>> links;
    if (costs_[s].transfer > 0) {
      if (s > 1) links.push_back(add_links(s - 1, "output"));
      links.push_back(add_links(s, "input"));
    }
    for (std::int64_t b = 0; b < minibatches_; ++b) {
      for (const bool is_backward : {false, true}) {
        TaskId last = is_backward ? backward_of(s, b) : forward_of(s - 1, b);
        for (const std::vector<ResourceId>& link : links) {
          const ResourceId one = link[static_cast<std::size_t>(b) % link.size()];
          const auto transfer = static_cast<TaskId>(graph_.tasks().size());
          add(one, costs_[s].transfer, b, s, b, "transfer");
          graph_.add_edge(last, transfer);
          last = transfer;
        }
        graph_.add_edge(last, is_backward ? backward_of(s - 1, b) : forward_of(s, b));
      }
    }
  }

  std::vector<ResourceId> add_links(std::size_t s, const char* name) {
    std::vector<ResourceId> links;
    for (std::int64_t r = 0; r < run_.stages[s].replicas; ++r) {
      links.push_back(
          graph_.add({fmt::format("{} of stage {} worker {}", name, s, r), ResourceKind::link}));
    }
    return links;
  }

  const PartitionRun& run_;
  std::int64_t minibatches_;
  Graph graph_;
  std::vector<StageCost> costs_;
};

}  // namespace

std::int64_t warmup_depth(const PartitionRun& run, std::size_t s) {
  std::int64_t workers = 0;
  for (std::size_t later = s; later < run.stages.size(); ++later) {
    workers += run.stages[later].replicas;
  }
  const std::int64_t replicas = run.stages[s].replicas;
  return (run.in_flight * workers + replicas - 1) / replicas;
}

Graph partition_graph(const PartitionRun& run, std::int64_t minibatches,
                      const std::string& source) {
  const std::int64_t most = most_minibatches(run);
  if (minibatches < 1 || minibatches > most) {
    throw UserError(source, "minibatches", std::to_string(minibatches),
                    fmt::format("1 to {}", most));
  }
  return PartitionGraph(run, minibatches, source).take();
}

double executed_seconds(const PartitionRun& run, const std::string& source) {
  constexpr std::int64_t windows = 16;
  std::int64_t turn = 1;  // after so many all replicas are where they were
  std::int64_t workers = 0;
  for (const Stage& stage : run.stages) {
    turn = std::min(std::lcm(turn, stage.replicas), kLongestTurn + 1);
    workers += stage.replicas;
  }
  // Without a short common turn it is one minibatch more or less, of thousands.
  if (turn > kLongestTurn) turn = 1;
  // As many as are in flight, in whole turns: so long the pipeline fills, or drains.
  const std::int64_t window = turn * (run.in_flight * workers / turn + 1);
  const std::int64_t longest = most_minibatches(run) / (windows + 1);
  if (window > longest) {
    throw UserError(source, "in_flight", std::to_string(run.in_flight),
                    fmt::format("fewer, so that {} accelerators hold at most {} minibatches",
                                workers, longest - turn));
  }
  const Schedule schedule = execute(partition_graph(run, (windows + 1) * window, source));
  const auto ended = [&](std::int64_t minibatches) {
    double last = 0;
    for (std::int64_t b = 0; b < minibatches; ++b) {
      last = std::max(last, schedule.end[static_cast<std::size_t>(2 * b + 1)]);
    }
    return last;
  };
  const std::int64_t half = windows / 2 * window;
  return (ended(2 * half) - ended(half)) / static_cast<double>(half);
}

}  // namespace td::job
