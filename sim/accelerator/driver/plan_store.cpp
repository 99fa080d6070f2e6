// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/driver/plan_store.hpp"

#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/support/error.hpp"
#include "base/support/hash.hpp"
#include "base/support/output.hpp"

namespace td::sim {

namespace {

using nlohmann::json;

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The hash of the program's file.
std::string program() {
  const std::string path = "/proc/self/exe";
  const std::string text = contents(path);
  if (text.empty()) throw UserError(path, "file", "(empty)", "a program that can be read");
  return hash_text(fnv1a(text));
}

/// Calls each(key, member) for all that a cut is decided by.
template <class CutLike, class Each>
void each_decision(CutLike& cut, Each each) {
  each("across", cut.across);
  each("chunk", cut.chunk);
  each("part", cut.part);
  each("row_sub", cut.row_sub);
  each("row_super", cut.row_super);
  each("lane_sub", cut.lane_sub);
  each("lane_super", cut.lane_super);
  each("rows_outer", cut.rows_outer);
  each("together", cut.together);
  each("keeps", cut.keeps);
}

json decisions(const Cut& cut) {
  json result;
  each_decision(cut, [&](const char* key, const auto& value) { result[key] = value; });
  return result;
}

Cut decided(const json& stored) {
  Cut cut;
  each_decision(cut, [&](const char* key, auto& value) { stored.at(key).get_to(value); });
  return cut;
}

/// Of all members but itself.
std::string check_of(json file) {
  file.erase("check");
  return hash_text(fnv1a(file.dump()));
}

}  // namespace

PlanStore::PlanStore(const std::string& folder)
    : folder_((std::filesystem::path(folder) / program()).string()) {
  write_files(folder_, {});
  check_writable(path(""));
}

std::string PlanStore::path(const std::string& asked) const {
  return (std::filesystem::path(folder_) / (hash_text(fnv1a(asked)) + ".json")).string();
}

std::optional<Plans> PlanStore::find(const std::string& asked) const {
  try {
    const json file = json::parse(contents(path(asked)));
    if (file.at("check") != check_of(file) || file.at("asked") != asked) return std::nullopt;
    return Plans{decided(file.at("dense")), decided(file.at("dropping")), file.at("pays")};
  } catch (const std::exception&) {
    return std::nullopt;  // no such file, or not all of it
  }
}

void PlanStore::keep(const std::string& asked, const Plans& plans) const {
  json file = {{"asked", asked},
               {"dense", decisions(plans.dense)},
               {"dropping", decisions(plans.dropping)},
               {"pays", plans.pays}};
  file["check"] = check_of(file);
  try {
    write_files({{path(asked), file.dump(1) + "\n"}});
  } catch (const UserError&) {
    // The run goes on: it has its plan.
  }
}

}  // namespace td::sim
