// SPDX-License-Identifier: Apache-2.0
// What the header of a trace says, read from its JSON and checked against the file's size.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/mapping/coverage.hpp"
#include "sim/mapping/layer.hpp"
#include "sim/trace/trace_file.hpp"
#include "sim/trace/trace_tensor.hpp"

namespace td::sim {

/// Where in training the tensors were taken; what was not recorded is empty.
struct Snapshot {
  std::string name;
  std::optional<double> epoch;
  std::optional<double> step;
  std::optional<double> loss;
  std::optional<double> test_accuracy;
};

/// The checked header. Tensors point into the mapped file.
struct TraceHeader {
  std::string model;
  std::string dataset;
  std::string framework;
  std::vector<Snapshot> snapshots;  ///< in the order in which the layers first name them
  std::vector<Coverage> coverage;   ///< one for each snapshot; empty where the file does not say
  std::vector<LayerInfo> layers;
  std::map<std::string, TensorView> tensors;  ///< those of the layers, by their name in the file
  std::map<std::string, TensorView> results;  ///< the same: what operations gave, where it is there
};

/// Reads the header alone, no tensor. `path` names the file in messages. Throws UserError.
TraceHeader read_header(const TraceFile& file, const std::string& path);

}  // namespace td::sim
