// SPDX-License-Identifier: Apache-2.0
#include "base/support/output.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/support/error.hpp"

namespace td {
namespace {

namespace fs = std::filesystem;

bool has_bytes(const fs::path& path, const std::string& text) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream present;
  present << in.rdbuf();
  return in.good() && present.str() == text;
}

[[noreturn]] void fail(const fs::path& path, const char* reason) {
  throw UserError(path.string(), "output", reason, "a writable file with room on its disk");
}

/// What is there and is no file must not be renamed over: a device would be gone for everyone.
void refuse_special(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) fail(path, "not a regular file");
}

/// Temporary files that vanish unless they have been renamed.
class Pending {
 public:
  ~Pending() {
    std::error_code ignored;
    for (const auto& [from, to] : renames_) fs::remove(from, ignored);
  }

  void add(const fs::path& path, const std::string& text) {
    const fs::path temporary = fmt::format("{}.{}.tmp", path.string(), ::getpid());
    errno = 0;
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    renames_.emplace_back(temporary, path);
    out << text;
    out.close();
    if (!out) fail(path, errno != 0 ? std::strerror(errno) : "write failed");
  }

  void commit() {
    for (const auto& [from, to] : renames_) {
      std::error_code error;
      fs::rename(from, to, error);
      if (error) fail(to, error.message().c_str());
    }
    renames_.clear();
  }

 private:
  std::vector<std::pair<fs::path, fs::path>> renames_;
};

}  // namespace

void write_files(const std::vector<OutputFile>& files) {
  Pending pending;
  for (const OutputFile& file : files) {
    refuse_special(file.name);
    if (!has_bytes(file.name, file.text)) pending.add(file.name, file.text);
  }
  pending.commit();
}

void write_files(const std::string& folder, const std::vector<OutputFile>& files) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail(folder, error.message().c_str());
  std::vector<OutputFile> paths;
  for (const OutputFile& file : files) {
    paths.push_back({(fs::path(folder) / file.name).string(), file.text});
  }
  write_files(paths);
}

void check_writable(const std::string& path) {
  refuse_special(path);
  Pending().add(path, "");
}

}  // namespace td
