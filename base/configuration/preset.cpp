// SPDX-License-Identifier: Apache-2.0
#include "base/configuration/preset.hpp"

#include <fmt/ranges.h>

#include <filesystem>

#include "base/support/embedded.hpp"
#include "base/support/error.hpp"

namespace td {

Config find_config(const std::string& name, const std::string& option, const std::string& legal) {
  // A folder may bear a preset's name: designs are often written into one.
  std::error_code unusable;
  const auto status = std::filesystem::status(name, unusable);
  if (std::filesystem::exists(status) && !std::filesystem::is_directory(status)) {
    return load_config(name);
  }
  std::vector<std::string_view> names;
  for (const EmbeddedFile& preset : presets()) {
    if (preset.name == name) return parse_config(preset.text, name + ".toml");
    names.push_back(preset.name);
  }
  throw UserError(
      "command line", option, name,
      legal.empty() ? fmt::format("a TOML file, or a preset: {}", fmt::join(names, ", ")) : legal);
}

}  // namespace td
