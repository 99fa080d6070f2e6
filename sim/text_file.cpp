// SPDX-License-Identifier: Apache-2.0
// Reading of whole text files.
#include "sim/text_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "gen/error.hpp"

namespace td::sim {

std::string read_text(const std::string& path, const std::string& legal) {
  std::ifstream in(path, std::ios::binary);
  if (!in.is_open()) throw UserError(path, "file", std::strerror(errno), legal);
  std::ostringstream text;
  if (in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();
  if (in.bad() || in.fail() || text.str().empty()) {
    throw UserError(path, "file", "(empty or unreadable)", legal);
  }
  return text.str();
}

}  // namespace td::sim
