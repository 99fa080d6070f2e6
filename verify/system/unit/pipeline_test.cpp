// SPDX-License-Identifier: Apache-2.0
// Pipeline schedules: formulas where they hold, what holds of all, and what is refused.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "base/readers/toml_document.hpp"
#include "base/support/error.hpp"
#include "sim/system/graph/execution.hpp"
#include "sim/system/pipeline/cut.hpp"
#include "sim/system/pipeline/pipeline_memory.hpp"
#include "sim/system/pipeline/pipeline_schedule.hpp"
#include "verify/system/unit/random_graph.hpp"

namespace {

using td::job::Pipeline;
using td::job::PipelineSchedule;

constexpr PipelineSchedule kSchedules[] = {PipelineSchedule::gpipe,
                                           PipelineSchedule::one_forward_one_backward,
                                           PipelineSchedule::interleaved};

Pipeline equal(PipelineSchedule schedule, std::int64_t devices, std::int64_t microbatches,
               std::int64_t chunks) {
  const auto stages = static_cast<std::size_t>(devices * chunks);
  const auto share = 1.0 / static_cast<double>(chunks);
  return {schedule,
          devices,
          microbatches,
          chunks,
          std::vector<double>(stages, share),
          std::vector<double>(stages, 2 * share),
          0};
}

double makespan(const Pipeline& pipeline) {
  return td::job::execute(td::job::pipeline_graph(pipeline, "test")).makespan;
}

}  // namespace

TEST_CASE("pipeline: equal stages take what the formulas say") {
  for (const std::int64_t p : {1, 2, 3, 4, 7}) {
    for (const std::int64_t groups : {1, 2, 5}) {
      const std::int64_t m = p * groups;
      CAPTURE(p);
      CAPTURE(m);
      const auto slots = static_cast<double>(m + p - 1);
      CHECK(makespan(equal(PipelineSchedule::gpipe, p, m, 1)) == doctest::Approx(3 * slots));
      CHECK(makespan(equal(PipelineSchedule::one_forward_one_backward, p, m, 1)) ==
            doctest::Approx(3 * slots));
      for (const std::int64_t v : {1, 2, 4}) {
        const double ideal = static_cast<double>(m) + static_cast<double>(p - 1) / double(v);
        CHECK(makespan(equal(PipelineSchedule::interleaved, p, m, v)) ==
              doctest::Approx(3 * ideal));
      }
      Pipeline unflushed = equal(PipelineSchedule::one_forward_one_backward, p, m, 1);
      unflushed.iterations = 4;
      const td::job::Graph graph = td::job::pipeline_graph(unflushed, "test");
      const td::job::Schedule schedule = td::job::execute(graph);
      CHECK(schedule.makespan == doctest::Approx(3 * static_cast<double>(5 * m + p - 1)));
      CHECK(*td::job::steady_seconds(graph, schedule) ==
            doctest::Approx(3 * static_cast<double>(m)));
    }
  }
  Pipeline flushed = equal(PipelineSchedule::gpipe, 2, 2, 1);
  flushed.iterations = 2;
  CHECK_THROWS_AS(makespan(flushed), td::UserError);
}

TEST_CASE("pipeline: a scenario's schedule, chunks and sizes") {
  const auto path = std::filesystem::temp_directory_path() / "td_pipeline_test.json";
  std::ofstream(path) << R"({"model": "m", "nodes": [["node1", "Conv", 1000, 2000, 0, 0],
      ["node2", "Conv", 1000, 2000, 0, 0], ["node3", "Conv", 1000, 2000, 0, 0],
      ["node4", "Conv", 1000, 2000, 0, 0]], "edges": [["node1", "node2"], ["node2", "node3"], ["node3", "node4"]]})";
  const auto seconds = [&](const std::string& more) {
    const std::string text = "profile = '" + path.string() + "'\nkind = 'pipeline'\n" + more;
    const toml::table parsed = td::parse_toml(text, "test");
    const std::string name = "test";
    const td::job::Graph graph =
        td::job::build_pipeline({td::TomlTable(parsed, name, ""), {2, 1.25e9}, ""});
    const td::job::Schedule schedule = td::job::execute(graph);
    return td::job::steady_seconds(graph, schedule).value_or(schedule.makespan);
  };
  // A microbatch takes 1.5 s on each of two accelerators: four, and the pipeline's ends.
  CHECK(seconds("microbatches = 4") == doctest::Approx(7.5));
  CHECK(seconds("microbatches = 4\nschedule = 'gpipe'") == doctest::Approx(7.5));
  CHECK(seconds("microbatches = 4\nschedule = 'interleaved'") == doctest::Approx(6.75));
  CHECK(seconds("microbatches = 4\nschedule = 'interleaved'\nchunks = 2") == doctest::Approx(6.75));
  CHECK(seconds("microbatches = 4\nschedule = '2bw'") == doctest::Approx(6));
  for (const char* refused :
       {"microbatches = 1\nschedule = '2bw'", "microbatches = 4\nchunks = 2",
        "microbatches = 4\nschedule = 'interleaved'\nchunks = 4", "microbatches = 1048577",
        "microbatches = 3\nschedule = 'interleaved'", "microbatches = 4\nschedule = 'none'"}) {
    CAPTURE(refused);
    CHECK_THROWS_AS(seconds(refused), td::UserError);
  }
  std::filesystem::remove(path);
}

TEST_CASE("pipeline: every pass once, in an order that can run") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> seconds(0, 3);
  for (const PipelineSchedule schedule : kSchedules) {
    for (int i = 0; i < 40; ++i) {
      const std::int64_t p = 1 + i % 5;
      const std::int64_t v = schedule == PipelineSchedule::interleaved ? 1 + i % 3 : 1;
      Pipeline pipeline = equal(schedule, p, p * (1 + i % 4), v);
      for (double& time : pipeline.forward) time = seconds(random);
      for (double& time : pipeline.backward) time = seconds(random);
      const double free = makespan(pipeline);
      pipeline.transfer = i % 2;
      const auto graph = td::job::pipeline_graph(pipeline, "test");
      const auto result = td::job::execute(graph);
      CHECK(td::unit::schedule_fault(graph, result) == "");
      CHECK(result.makespan >= free);
      std::size_t passes = 0;
      for (const auto& task : graph.tasks()) passes += task.resource != td::job::kNoResource;
      CHECK(passes == 2 * static_cast<std::size_t>(p * v * pipeline.microbatches));
    }
  }
}

TEST_CASE("pipeline: activations in flight and versions of weights") {
  for (const std::int64_t p : {1, 4, 8}) {
    for (const std::int64_t m : {1, 3, 16}) {
      for (std::int64_t s = 0; s < p; ++s) {
        CHECK(activations_in_flight(equal(PipelineSchedule::gpipe, p, m, 1), s) == m);
        CHECK(activations_in_flight(equal(PipelineSchedule::one_forward_one_backward, p, m, 1),
                                    s) == std::min(m, p - s));
      }
    }
  }
}

TEST_CASE("pipeline: memory of schemes, ordered as their rules order them") {
  const auto memory = td::job::first_stage_memory({4, 8, 40, 80, 1});
  CHECK(memory.gpipe == 10 + 8 * 20);
  CHECK(memory.gpipe_recompute == 10 + 20 + 8);
  CHECK(memory.pipedream == 40 + 80);
  CHECK(memory.pipedream_2bw == 20 + 80);
  CHECK(memory.pipedream_2bw_recompute == 20 + 20 + 4);
  CHECK(memory.pipedream_flush == 10 + 80);
}

TEST_CASE("pipeline: what no schedule can have is refused") {
  const auto refused = [](auto change) {
    Pipeline pipeline = equal(PipelineSchedule::interleaved, 4, 8, 2);
    change(pipeline);
    CHECK_THROWS_AS(td::job::pipeline_graph(pipeline, "test"), td::UserError);
  };
  refused([](Pipeline& p) { p.microbatches = 6; });
  refused([](Pipeline& p) { p.devices = 0; });
  refused([](Pipeline& p) { p.schedule = PipelineSchedule::gpipe; });
  refused([](Pipeline& p) { p.forward.pop_back(); });
  refused([](Pipeline& p) { p.backward[0] = -1; });
  refused([](Pipeline& p) { p.transfer = -1; });
  refused([](Pipeline& p) { p.microbatches = std::int64_t{1} << 24; });
}

TEST_CASE("pipeline: a balanced cut is as good as any") {
  std::mt19937 random(14);
  for (int i = 0; i < 60; ++i) {
    td::job::Profile profile{"test", "m", {}};
    for (int k = 0; k < 8; ++k) profile.layers.push_back({"", double(random() % 9), 1, 0, 0});
    const auto slowest = [&](const std::vector<std::size_t>& first) {
      Pipeline order;
      order.devices = static_cast<std::int64_t>(first.size());
      const auto pipeline = cut_pipeline(profile, first, order, 1);
      double most = 0;
      for (std::size_t s = 0; s < first.size(); ++s) {
        most = std::max(most, pipeline.forward[s] + pipeline.backward[s]);
      }
      return most;
    };
    double best = 1e9;
    for (std::size_t a = 1; a < 8; ++a) {
      for (std::size_t b = a + 1; b < 8; ++b) best = std::min(best, slowest({0, a, b}));
    }
    CHECK(slowest(td::job::balanced_cut(profile, 3)) == best);
  }
  td::job::Profile two{"test", "m", {{"node1", 1, 1, 0, 0}, {"node2", 1, 1, 0, 0}}};
  CHECK_THROWS_AS(td::job::balanced_cut(two, 3), td::UserError);
}
