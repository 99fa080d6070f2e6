// SPDX-License-Identifier: Apache-2.0
#include "gen/preset.hpp"

#include <fmt/ranges.h>

#include <filesystem>

#include "gen/embedded.hpp"
#include "gen/error.hpp"

namespace td {

Config find_config(const std::string& name) {
  if (std::filesystem::exists(name)) return load_config(name);
  std::vector<std::string_view> names;
  for (const EmbeddedFile& preset : presets()) {
    if (preset.name == name) return parse_config(preset.text, name + ".toml");
    names.push_back(preset.name);
  }
  throw UserError("command line", "--config", name,
                  fmt::format("a TOML file, or a preset: {}", fmt::join(names, ", ")));
}

}  // namespace td
