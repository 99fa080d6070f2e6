// SPDX-License-Identifier: Apache-2.0
#include "sim/system/fusion/fusion_plan.hpp"

#include "sim/system/fusion/interleave.hpp"
#include "sim/system/graph/execution.hpp"
#include "sim/system/profile/profile.hpp"

namespace td::job {

namespace {

constexpr std::int64_t kUsualChunks = 64;
constexpr std::int64_t kMostChunks = 1 << 16;

std::vector<AcceleratorWork> read_works(const TomlTable& table, const std::string& hardware) {
  const std::vector<std::string> names = table.names("operations");
  if (names.size() != 2) table.fail("operations", "two, each \"LAYER OP\"");
  const std::string snapshot = table.has("snapshot") ? table.name("snapshot") : "";
  const auto all = read_operation_works(path_beside(table, "profile"), snapshot, hardware);
  std::vector<AcceleratorWork> works;
  for (const std::string& name : names) {
    for (const OperationWork& one : all) {
      if (one.layer + " " + one.op != name) continue;
      works.push_back({name, one.reads_s, one.tiles_s, one.writes_s});
    }
  }
  if (works.size() != names.size()) table.fail("operations", "operations of the result");
  return works;
}

}  // namespace

Plan plan_fusion(const TomlTable& table, const Cluster&) {
  table.allow_only({"kind", "profile", "snapshot", "hardware", "operations", "chunks"});
  const auto chunks = static_cast<int>(table.has("chunks") ? table.integer("chunks", 1, kMostChunks)
                                                           : kUsualChunks);
  return plan_by_hardware(table, [&](const std::string& hardware) {
    const std::vector<AcceleratorWork> works = read_works(table, hardware);
    const auto seconds = [&](const std::vector<AcceleratorWork>& some) {
      return execute(interleaved(some, chunks, table.file())).makespan;
    };
    double apart = 0;
    Plan lines;
    for (const AcceleratorWork& one : works) {
      apart += seconds({one});
      lines[one.name] = {{"bound_by", bottleneck_of(one)},
                         {"reads_s", one.reads},
                         {"tiles_s", one.tiles},
                         {"writes_s", one.writes}};
    }
    const double together = seconds(works);
    lines["one_after_the_other_s"] = apart;
    lines["interleaved_s"] = together;
    lines["gain_percent"] = 100 * (apart / together - 1);
    lines["gain_percent_at_most"] = 100 * (apart / least_seconds(works) - 1);
    return lines;
  });
}

}  // namespace td::job
