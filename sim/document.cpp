// SPDX-License-Identifier: Apache-2.0
#include "sim/document.hpp"

#include <fmt/ranges.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "gen/error.hpp"

namespace td::sim {

namespace {

/// Larger than any network by far; keeps an endless file from filling the memory.
constexpr std::size_t max_bytes = std::size_t{16} << 20;

Document read_document(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string legal = "a readable TOML file";
  if (!in.is_open()) throw UserError(path, "file", std::strerror(errno), legal);
  std::string text(max_bytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (in.bad()) throw UserError(path, "file", "(unreadable)", legal);
  if (text.size() > max_bytes) {
    throw UserError(path, "size", fmt::format("over {} bytes", max_bytes), "a smaller TOML file");
  }
  return {path, text};
}

}  // namespace

Document find_document(const std::string& name, const std::string& option,
                       const std::vector<EmbeddedFile>& embedded) {
  // A folder may bear an embedded file's name.
  std::error_code unusable;
  const auto status = std::filesystem::status(name, unusable);
  if (std::filesystem::exists(status) && !std::filesystem::is_directory(status)) {
    return read_document(name);
  }
  std::vector<std::string_view> names;
  for (const EmbeddedFile& file : embedded) {
    if (file.name == name) return {name + ".toml", std::string(file.text)};
    names.push_back(file.name);
  }
  throw UserError("command line", option, name,
                  fmt::format("a TOML file, or one of {}", fmt::join(names, ", ")));
}

}  // namespace td::sim
