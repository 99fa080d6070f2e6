// SPDX-License-Identifier: Apache-2.0
#include "sim/system/cases/case_file.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <filesystem>
#include <sstream>

#include "base/support/error.hpp"
#include "base/support/text_file.hpp"

namespace td::job {

namespace fs = std::filesystem;

namespace {

bool is_file(const fs::path& path) {
  std::error_code unusable;
  return fs::is_regular_file(path, unusable);
}

const std::string& check_folder(const std::string& folder) {
  std::error_code unusable;
  if (fs::is_directory(folder, unusable)) return folder;
  throw UserError("command line", "FOLDER", folder, "a folder");
}

}  // namespace

CaseFile::CaseFile(const std::string& folder, const std::string& file)
    : folder_(check_folder(folder)) {
  for (const fs::path& path : {fs::path(folder_) / file, fs::path(file)}) {
    if (!is_file(path)) continue;
    path_ = path.string();
    return;
  }
  throw UserError("command line", "FILE", file, fmt::format("a file, or one in {}", folder_));
}

CaseFile CaseFile::with_section(const std::string& section) const {
  CaseFile part = *this;
  part.section_ = section;
  return part;
}

std::string CaseFile::name() const { return fs::path(path_).filename().string(); }

std::string CaseFile::folder() const {
  const fs::path folder = fs::weakly_canonical(folder_);
  return folder.filename().string();
}

std::string CaseFile::sibling(const std::string& folder, const std::string& name) const {
  const fs::path here = fs::weakly_canonical(folder_);
  const fs::path tried[] = {fs::path(path_).parent_path() / name, here / name,
                            here.parent_path() / folder / name};
  for (const fs::path& path : tried) {
    if (is_file(path)) return path.string();
  }
  throw UserError(path_, "file beside it", tried[2].string(), "a file that is there");
}

void with_json(const std::string& path, const std::function<void(const JsonValue&)>& use) {
  const std::string text = read_text(path, "a readable JSON file", kMostCaseBytes);
  const JsonDocument document(text, path, "file");
  use(document.root());
}

void each_case(const CaseFile& file, const std::function<void(const JsonValue&)>& use) {
  if (fits(file.name(), "*.jsonl")) {
    std::istringstream lines(read_text(file.path(), "a readable JSON Lines file", kMostCaseBytes));
    std::string line;
    for (std::size_t number = 1; std::getline(lines, line); ++number) {
      if (line.empty()) continue;
      const JsonDocument document(line, file.path(), fmt::format("line {}", number));
      use(document.root());
    }
    return;
  }
  with_json(file.path(), [&](const JsonValue& root) {
    const std::string& section = file.section();
    if (section.empty() && root.raw().is_object()) {
      use(root);
      return;
    }
    const JsonValue cases = section.empty() ? root : root.member(section, section);
    const std::size_t size = cases.size("an array of cases");
    for (std::size_t i = 0; i < size; ++i) use(cases.element(i, fmt::format("{}[{}]", section, i)));
  });
}

Json identity(const JsonValue& one, std::initializer_list<const char*> fields) {
  Json line = Json::object();
  for (const char* field : fields) {
    if (one.has(field)) line[field] = one.member(field, field).raw();
  }
  return line;
}

bool fits(const std::string& name, const std::string& pattern) {
  return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

}  // namespace td::job
