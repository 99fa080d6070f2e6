// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/driver/plan_store.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/support/hash.hpp"
#include "base/support/output.hpp"

namespace td::sim {

namespace {

using nlohmann::json;

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
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

PlanStore::PlanStore(std::string folder)
    : folder_(std::move(folder)), program_(hash_text(fnv1a(contents("/proc/self/exe")))) {
  write_files(folder_, {});
  check_writable(path(""));
}

std::string PlanStore::path(const std::string& asked) const {
  const std::string name = hash_text(fnv1a(asked, fnv1a(program_)));
  return (std::filesystem::path(folder_) / (name + ".json")).string();
}

std::optional<Plans> PlanStore::find(const std::string& asked) const {
  const json file = json::parse(contents(path(asked)), nullptr, false);
  try {
    if (file.at("check") != check_of(file)) return std::nullopt;
    if (file.at("program") != program_ || file.at("asked") != asked) return std::nullopt;
    return Plans{decided(file.at("dense")), decided(file.at("dropping")), file.at("pays")};
  } catch (const json::exception&) {
    return std::nullopt;  // no such file, or not all of it
  }
}

void PlanStore::keep(const std::string& asked, const Plans& plans) const {
  json file = {{"program", program_},
               {"asked", asked},
               {"dense", decisions(plans.dense)},
               {"dropping", decisions(plans.dropping)},
               {"pays", plans.pays}};
  file["check"] = check_of(file);
  write_files({{path(asked), file.dump(1) + "\n"}});
}

}  // namespace td::sim
