// SPDX-License-Identifier: Apache-2.0
// tdjob case: answers the cases of a file of the reference data.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "base/support/error.hpp"
#include "sim/system/tdjob/commands.hpp"
#include "sim/system/tdjob/registry.hpp"

namespace td::job {

namespace {

/// The kinds that fit a file. Throws UserError, which lists what would, when there is none.
std::vector<CaseKind> kinds_of(const CaseFile& file) {
  std::vector<CaseKind> fitting;
  std::string legal;
  for (const CaseKind& kind : case_kinds()) {
    if (file.folder() == kind.folder && fits(file.name(), kind.pattern)) fitting.push_back(kind);
    const std::string one = fmt::format("{}/{}", kind.folder, kind.pattern);
    if (legal.find(one) == std::string::npos) legal += (legal.empty() ? "" : ", ") + one;
  }
  if (fitting.empty()) {
    throw UserError("command line", "FOLDER FILE", file.folder() + "/" + file.name(),
                    "one of " + legal);
  }
  return fitting;
}

/// Refuses a section that nobody answers: its cases would be missing without a word.
void check_sections(const JsonValue& root, const CaseFile& file,
                    const std::vector<CaseKind>& kinds) {
  for (const std::string& key : root.keys()) {
    bool known = false;
    for (const CaseKind& kind : kinds) known = known || key == kind.section;
    if (!known) throw UserError(file.path(), "section", key, "one that a room answers");
  }
}

/// All lines: a file with a bad case prints none.
std::string answers(const CaseFile& file) {
  const std::vector<CaseKind> kinds = kinds_of(file);
  std::string lines;
  const CaseOutput print = [&lines](const Json& line) { lines += line.dump() + "\n"; };
  if (*kinds.front().section == '\0') {
    kinds.front().answer(file, print);
    return lines;
  }
  std::vector<std::string> sections;
  with_json(file.path(), [&](const JsonValue& root) {
    check_sections(root, file, kinds);
    sections = root.keys();
  });
  for (const CaseKind& kind : kinds) {
    for (const std::string& section : sections) {
      if (section != kind.section) continue;
      kind.answer(file.with_section(section), [&](const Json& line) {
        Json named = {{"section", section}};
        named.update(line);
        print(named);
      });
    }
  }
  return lines;
}

}  // namespace

Command case_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand(
      "case", "answer a file of cases that a system is judged by, a JSON line for each");
  struct Names {
    std::string folder;
    std::string file;
  };
  const auto names = std::make_shared<Names>();
  app->add_option("FOLDER", names->folder,
                  "folder, whose name says which system it is of; more of its files are looked for "
                  "there and beside it")
      ->required();
  app->add_option("FILE", names->file, "a file in it, or a path")->required();
  return {app, [names] {
            fmt::print("{}", answers(CaseFile(names->folder, names->file)));
            return kExitPass;
          }};
}

}  // namespace td::job
