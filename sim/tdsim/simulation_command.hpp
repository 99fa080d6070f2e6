// SPDX-License-Identifier: Apache-2.0
// What subcommands that simulate have in common: their options, the run, and where results go.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/accelerator/driver/plan_store.hpp"
#include "sim/network/network_simulation.hpp"

namespace td::sim {

class SimulationCommand {
 public:
  /// Declares the options, but for gating.
  explicit SimulationCommand(CLI::App& app);
  SimulationCommand(const SimulationCommand&) = delete;
  SimulationCommand& operator=(const SimulationCommand&) = delete;

  /// Declares --gate, of sources with several snapshots.
  void offer_gating(CLI::App& app);

  /// Refuses before a long run what could only fail after it: result files that cannot be written,
  /// or that are one of the files that are read. Throws UserError.
  void check_files(const std::vector<std::string>& inputs) const;

  /// Simulates, writes the files asked for and prints the table. `model` and `dataset` describe the
  /// source.
  void run(const OperandSource& source, const std::string& model, const std::string& dataset);

  /// The configuration asked for. Throws UserError.
  Config config() const;

 private:
  RunResult simulate(const OperandSource& source) const;
  void note_components(RunResult& result) const;
  void note_latencies(RunResult& result) const;
  void write(const RunResult& result) const;

  std::string config_;
  std::string technology_ = "paper_65nm";
  TechnologyChanges changes_;
  std::string synthesis_;
  std::string schedule_ = "auto";
  std::string dealing_ = "natural";
  std::string objective_ = "time";
  std::string plans_;  ///< folder
  std::optional<PlanStore> store_;
  std::optional<int> tiles_;
  SimulationOptions options_;
  std::string json_;
  std::string csv_;
  std::string perfetto_;
};

}  // namespace td::sim
