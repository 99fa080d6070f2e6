// SPDX-License-Identifier: Apache-2.0
// Points judged on a network: with the machine where a space asks for it.
#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "base/support/text_file.hpp"
#include "sim/explore/judge_shard.hpp"
#include "sim/explore/shards.hpp"
#include "verify/unit/base/refusal.hpp"
#include "verify/unit/network/simulation_options.hpp"
#include "verify/unit/trace/trace_draft.hpp"

namespace {

using td::sim::MachineFigures;
using td::sim::Point;
using td::sim::RunResult;
using td::sim::Space;
using td::unit::Folder;
using td::unit::message_of;

/// A cell of two tiles, or of as many rows as columns need not be, on one small trace.
Space small_space(const Folder& folder, const std::string& objectives, int rows = 2) {
  const std::string trace = td::unit::write(folder, td::unit::good());
  std::ofstream(folder.file("base.toml"))
      << "name = \"base\"\n[tile]\nlanes = 4\nrows = " << rows
      << "\ncolumns = 2\n[accelerator]\ntiles = 2\n[accelerator.sram]\nbanks = 1\n"
         "bank_bytes = 1024\n";
  std::ofstream(folder.file("space.toml"))
      << "name = \"space\"\nbase = \"" << folder.file("base.toml") << "\"\nobjectives = ["
      << objectives
      << "]\n[[axes]]\nparameter = \"tile.interconnect.depth\"\nvalues = [2]\n[pattern]\n"
         "options = [3]\nnamed = [\"step_first\"]\n[search]\npatterns = 5\ngroups = 8\n"
         "[[networks]]\ntrace = \""
      << trace << "\"\n";
  return td::sim::load_space(folder.file("space.toml"));
}

/// Runs all shards; the points.
std::vector<Point> explore(const Space& space, const Folder& folder) {
  for (auto shards = waiting_shards(space, folder.file("")); !shards.empty();
       shards = waiting_shards(space, folder.file(""))) {
    for (const td::sim::Shard& shard : shards) {
      std::ofstream(folder.file(shard.file)) << shard.run();
    }
  }
  return read_points(space, folder.file(""));
}

}  // namespace

TEST_CASE("judge: the machine's figures are those of a run of the point") {
  const Folder folder;
  const Space space = small_space(folder, "\"memory_speedup\", \"memory_clocks\"");
  const std::vector<Point> points = explore(space, folder);
  REQUIRE(points.size() == 1);
  td::sim::SimulationOptions options = td::unit::options();
  options.config = points[0].config;
  options.compute_only = false;
  const RunResult result = simulate_network(*space.networks[0].source, options);
  const td::sim::OpResult all = totals(result.operations, td::sim::TotalBy::all).front();
  const td::sim::Speedups& found = points[0].networks[0].found;
  const auto clocks = static_cast<double>(all.machine.value().tensordash.clocks);
  CHECK(found.machine.value().clocks == clocks);
  CHECK(found.machine->speedup == static_cast<double>(all.machine->dense.clocks) / clocks);
  CHECK(points[0].networks[0].named[0].machine.has_value());
  REQUIRE(points[0].objectives.size() == 2);
  CHECK(points[0].objectives[0] == doctest::Approx(found.machine->speedup));
  CHECK(points[0].objectives[1] == doctest::Approx(clocks));
}

TEST_CASE("judge: without such an objective there is no machine, and one without is another file") {
  const Folder folder;
  const Space space = small_space(folder, "\"total_speedup\"");
  const std::vector<Point> points = explore(space, folder);
  CHECK_FALSE(points[0].networks[0].found.machine.has_value());
  const Folder other;
  const Space with = small_space(other, "\"total_speedup\", \"memory_speedup\"");
  CHECK(judge_file(with, 0) != judge_file(space, 0));
  // What nobody has simulated is not made up.
  explore(with, other);
  std::ofstream(other.file(judge_file(with, 0)))
      << td::read_text(folder.file(judge_file(space, 0)), "a file");
  const std::string message = message_of([&] { read_judge(with, 0, other.file("")); });
  CHECK(message.find(judge_file(with, 0) + ": networks[0].found.machine is missing") !=
        std::string::npos);
}

TEST_CASE("judge: a space that asks for the machine has no points without one") {
  const Folder folder;
  const std::string message = message_of([&] { small_space(folder, "\"memory_clocks\"", 1); });
  CHECK(message.find(
            ": objectives = memory_clocks is illegal; legal: accelerators that are built; ") !=
        std::string::npos);
}
