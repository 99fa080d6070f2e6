// SPDX-License-Identifier: Apache-2.0
#include "sim/driven/step_files.hpp"

#include "base/support/result_paths.hpp"
#include "sim/driven/step_json.hpp"
#include "sim/driven/step_timeline.hpp"

namespace td::sim {

void StepFiles::offer(CLI::App& app, CLI::Option* other) {
  CLI::Option* json = app.add_option(
      "--json", json_, "write everything into this file; - for standard output, and no tables");
  CLI::Option* perfetto =
      app.add_option("--perfetto", perfetto_,
                     "write a timeline of the descriptors on their engines into this file, for "
                     "Perfetto or Chrome's trace viewer; - as above");
  if (other == nullptr) return;
  json->excludes(other);
  perfetto->excludes(other);
}

void StepFiles::check(const std::vector<std::string>& read) const {
  check_result_paths("--json, --perfetto", {json_, perfetto_}, read);
}

void StepFiles::write(const Config& config, const StepSource& source, const StepRun& what,
                      const StepRunResult& result, const DrivenEnergy& energy,
                      const std::function<std::string()>& tables) const {
  const std::int64_t clock_MHz = energy.technology.clock_MHz;
  write_results({{json_, [&] { return step_json(config, source, what, result, energy); }},
                 {perfetto_, [&] { return step_timeline_json(config, clock_MHz, result); }}},
                tables);
}

}  // namespace td::sim
