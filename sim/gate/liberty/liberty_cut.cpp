// SPDX-License-Identifier: Apache-2.0
#include "sim/gate/liberty/liberty_cut.hpp"

#include <fnmatch.h>

#include <algorithm>

#include "sim/gate/liberty/liberty_syntax.hpp"

namespace td::gate {

std::string without_cells(std::string_view text, const std::string& path,
                          const std::vector<std::string>& patterns) {
  const LibertyGroup library = parse_liberty(text, path);
  std::string kept;
  std::size_t position = 0;
  for (const LibertyGroup& group : library.groups) {
    const std::string name(group.name());
    if (group.type != "cell" ||
        std::none_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
          return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
        }))
      continue;
    const auto first = static_cast<std::size_t>(group.text.data() - text.data());
    kept += text.substr(position, first - position);
    position = first + group.text.size();
  }
  kept += text.substr(position);
  return kept;
}

}  // namespace td::gate
