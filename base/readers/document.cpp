// SPDX-License-Identifier: Apache-2.0
#include "base/readers/document.hpp"

#include <fmt/ranges.h>

#include <filesystem>
#include <string_view>

#include "base/support/error.hpp"
#include "base/support/text_file.hpp"

namespace td {

Document find_document(const std::string& name, const std::string& option,
                       const std::vector<EmbeddedFile>& embedded) {
  // A folder may bear an embedded file's name.
  std::error_code unusable;
  const auto status = std::filesystem::status(name, unusable);
  if (std::filesystem::exists(status) && !std::filesystem::is_directory(status)) {
    return {name, read_text(name, "a readable TOML file")};
  }
  std::vector<std::string_view> names;
  for (const EmbeddedFile& file : embedded) {
    if (file.name == name) return {name + ".toml", std::string(file.text)};
    names.push_back(file.name);
  }
  throw UserError("command line", option, name,
                  fmt::format("a TOML file, or one of {}", fmt::join(names, ", ")));
}

}  // namespace td
