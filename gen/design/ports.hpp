// SPDX-License-Identifier: Apache-2.0
// The ports of a tile. Some of their widths follow the sizes that an emitted top keeps as Verilog
// parameters.
#pragma once

#include <string>
#include <vector>

#include "base/configuration/config.hpp"

namespace td {

/// A Verilog parameter of an emitted top: the parameter of the configuration at `path` is its
/// default, and another value makes the tile that a configuration with that value describes.
struct Size {
  std::string name;  ///< e.g. ROWS
  std::string path;  ///< e.g. tile.rows
  int minimum;
  int maximum;
  int value;  ///< the default
  std::string unit;
};

/// ROWS, COLUMNS and COUNTER_WIDTH, with what is legal for this configuration.
std::vector<Size> tile_sizes(const Config& config);

enum class Direction { input, output };

/// One port of a tile. Its width in bits is `factor` times the sizes named in `sizes`.
struct Port {
  Direction direction;
  std::string name;
  int factor;
  std::vector<std::string> sizes;
  std::string text;

  /// Width in bits at the configuration's sizes.
  int bits(const Config& config) const;

  /// Width as Verilog and the manifest write it, e.g. `768*COLUMNS`.
  std::string formula() const;
};

/// The ports of the tile, in order.
std::vector<Port> tile_ports(const Config& config);

}  // namespace td
