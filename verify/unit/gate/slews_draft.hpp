// SPDX-License-Identifier: Apache-2.0
// Files of slews for tests.
#pragma once

#include <fstream>
#include <string>

#include "sim/gate/power/slews.hpp"
#include "verify/unit/base/folder.hpp"

namespace td::unit {

/// What a file with this text says.
inline gate::Slews slews_of(const std::string& text, double fallback_ns) {
  const Folder folder;
  const std::string path = folder.file("slews.txt");
  std::ofstream(path) << text;
  return gate::Slews::read(path, fallback_ns);
}

}  // namespace td::unit
