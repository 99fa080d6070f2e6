// SPDX-License-Identifier: Apache-2.0
// Files of cases by which systems are judged: how a room reads them, and answers.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/readers/json_document.hpp"

namespace td::job {

/// Keeps the order of its fields; prints numbers with as many digits as tell them from all others.
using Json = nlohmann::ordered_json;

/// No file of cases is larger.
inline constexpr std::size_t kMostCaseBytes = std::size_t{1} << 28;

/// One file in one folder of the reference data.
class CaseFile {
 public:
  /// `file` is a name in the folder, or a path. Throws UserError when it cannot be found.
  CaseFile(const std::string& folder, const std::string& file);

  /// The same file, of which only the cases below one key of its root are meant.
  CaseFile with_section(const std::string& section) const;
  const std::string& section() const { return section_; }

  /// For messages, and to read.
  const std::string& path() const { return path_; }

  /// Without folders.
  std::string name() const;

  /// Name of the folder, by which the kind is found.
  std::string folder() const;

  /// Path of a file in another folder of the reference data, as ("pipedream",
  /// "profile_vgg16.json"): beside this file, then in its folder, then beside that.
  /// Throws UserError naming the last when there is none.
  std::string sibling(const std::string& folder, const std::string& name) const;

 private:
  std::string folder_;  ///< a path
  std::string path_;
  std::string section_;  ///< empty: the whole file
};

/// Calls `use` with each case of a file: each line of JSON Lines (name ends in .jsonl), each
/// element of a JSON array, or of the array that is the file's section. Any other object is one
/// case. Throws UserError for what is no JSON.
void each_case(const CaseFile& file, const std::function<void(const JsonValue&)>& use);

/// Calls `use` once with the root of a JSON file.
void with_json(const std::string& path, const std::function<void(const JsonValue&)>& use);

/// A file of comma-separated values whose first line names the columns.
struct Table {
  std::string file;
  std::vector<std::string> columns;
  std::vector<std::map<std::string, std::string>> rows;

  /// Throws UserError naming file, line and column.
  const std::string& text(std::size_t row, const std::string& column) const;
  double number(std::size_t row, const std::string& column, double least, double most) const;
};
Table read_table(const std::string& path);

/// The fields of a case that say which one it is, in this order; those that it lacks are left out.
Json identity(const JsonValue& one, std::initializer_list<const char*> fields);

/// Takes the line that answers a case.
using CaseOutput = std::function<void(const Json& line)>;

/// How one kind of file is answered. `pattern` is of its name; `*` stands for any characters.
/// `section` is empty, or the key of its root under which these cases are.
struct CaseKind {
  const char* folder;
  const char* pattern;
  const char* section;
  void (*answer)(const CaseFile& file, const CaseOutput& print);
};

/// Whether a name fits a pattern.
bool fits(const std::string& name, const std::string& pattern);

}  // namespace td::job
