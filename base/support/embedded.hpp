// SPDX-License-Identifier: Apache-2.0
// Files built into the programs, so that they run from anywhere. Each room declares its own tables.
#pragma once

#include <string_view>

namespace td {

/// One file by its name without folder and extension.
struct EmbeddedFile {
  std::string_view name;
  std::string_view text;
};

}  // namespace td
