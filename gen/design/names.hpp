// SPDX-License-Identifier: Apache-2.0
// Names of what stands inside of a design, for programs that look there: testbenches, proofs,
// timing analysis. The manifest has them; nothing else outside of hw/ knows a path.
#pragma once

#include <string>
#include <vector>

#include "base/configuration/config.hpp"

namespace td {

/// An instance, or the instances of one kind. Indices stand in braces: {row}, {column}, {lane} of
/// the tile.
struct Instance {
  std::string name;    ///< what programs call it
  std::string module;  ///< e.g. td1_intake
  std::string path;    ///< from the top, e.g. u_tile.g_sparse.g_row[{row}].u_row
};

/// A register or wire inside of an instance.
struct Probe {
  std::string name;      ///< what programs call it
  std::string instance;  ///< an Instance's name
  std::string signal;    ///< from the instance; as a path, it may have indices of its own
  std::string bits;      ///< width, as a product like Port::formula()
};

/// Every instance that programs need, parents before what is inside of them.
std::vector<Instance> instances(const Config& config);

/// Every signal that programs need, but for ports of instances, which are in hw/.
std::vector<Probe> probes(const Config& config);

}  // namespace td
