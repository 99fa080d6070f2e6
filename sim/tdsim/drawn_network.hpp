// SPDX-License-Identifier: Apache-2.0
// A network of which there is no trace, as subcommands ask for it: its shapes, and how zeros are
// drawn.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/network/synthetic_operands.hpp"

namespace td::sim {

/// Operands that were drawn, and what they are.
struct DrawnOperands {
  std::unique_ptr<SyntheticOperands> operands;
  std::string model;
  std::string dataset;  ///< how zeros were drawn
};

class DrawnNetwork {
 public:
  /// Declares --network, --sparsity, --epoch, --batch and --seed.
  explicit DrawnNetwork(CLI::App& app);
  DrawnNetwork(const DrawnNetwork&) = delete;
  DrawnNetwork& operator=(const DrawnNetwork&) = delete;

  /// Throws UserError.
  DrawnOperands draw() const;

  CLI::Option* network() const { return network_option_; }
  CLI::Option* sparsity() const { return sparsity_option_; }
  std::vector<std::string> files() const { return {network_, sparsity_}; }

 private:
  std::string network_;
  std::string sparsity_;
  std::int64_t batch_ = 64;
  std::int64_t seed_ = 1;
  std::optional<double> epoch_;
  CLI::Option* network_option_;
  CLI::Option* sparsity_option_;
};

}  // namespace td::sim
