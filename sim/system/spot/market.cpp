// SPDX-License-Identifier: Apache-2.0
#include "sim/system/spot/market.hpp"

#include <algorithm>

#include "base/support/error.hpp"
#include "base/support/text_file.hpp"
#include "sim/system/cases/case_file.hpp"

namespace td::job {
namespace {

constexpr double kMostPrice = 1e6;
constexpr double kMostRate = 1e9;
constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr std::size_t kDayLength = 10;  ///< 2020-02-27

Day day_of(const Table& table, std::size_t row, const std::string& column) {
  const std::string& text = table.text(row, column);
  if (text.size() < kDayLength || text[4] != '-' || text[7] != '-') {
    throw UserError(table.file, column, text, "a day, YYYY-MM-DD, or a time that begins with one");
  }
  return text.substr(0, kDayLength);
}

/// The types of one seller, as the original keeps them: of several with the same accelerators only
/// the last, where the first one stood.
std::vector<InstanceType> types_of(const JsonValue& seller, const Json& order, bool merge) {
  std::vector<InstanceType> types;
  for (const auto& [name, value] : order.items()) {
    const JsonValue pair = seller.member(name, name);
    const InstanceType type{name, pair.element(0, name).text(),
                            pair.element(1, name).number(1, kMostPrice)};
    const auto same = std::find_if(types.begin(), types.end(), [&](const InstanceType& one) {
      return merge && one.accelerator == type.accelerator && one.count == type.count;
    });
    if (same == types.end()) {
      types.push_back(type);
    } else {
      *same = type;
    }
  }
  return types;
}

void read_instances(const std::string& path, SpotMarket& market) {
  with_json(path, [&](const JsonValue& root) {
    const JsonValue sellers = root.member("instances", "instances");
    const JsonValue aws = sellers.member("aws", "aws"), azure = sellers.member("azure", "azure");
    // The order of the file, in which offers are scanned, is lost in `root`.
    const Json order = Json::parse(read_text(path, "a readable JSON file", kMostBytes));
    market.types = types_of(aws, order["instances"]["aws"], false);
    market.aws_types = market.types.size();
    for (auto& type : types_of(azure, order["instances"]["azure"], true)) {
      market.types.push_back(type);
    }
    market.offers.resize(market.types.size());
    const JsonValue rates = root.member("throughput_iterations_per_s", "throughput");
    for (const std::string& accelerator : rates.keys()) {
      const JsonValue models = rates.member(accelerator, accelerator);
      for (const std::string& model : models.keys()) {
        market.throughputs[model][accelerator] =
            models.member(model, model).number(1e-9, kMostRate);
      }
    }
  });
}

/// Adds a table's offers to the types of the names from `first` on; others are not looked at.
void add_offers(const Table& table, const char* day, const char* zone, std::size_t first,
                SpotMarket& market) {
  std::map<std::string, std::size_t> names;
  for (std::size_t i = first; i < market.types.size(); ++i) names[market.types[i].name] = i;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const auto type = names.find(table.text(row, "instance_type"));
    if (type == names.end() || table.text(row, "price_usd_per_hour").empty()) continue;
    market.offers[type->second][day_of(table, row, day)].push_back(
        {type->second, table.text(row, zone),
         table.number(row, "price_usd_per_hour", 1e-9, kMostPrice)});
  }
}

}  // namespace

std::size_t SpotMarket::type_named(const std::string& name) const {
  const auto found = std::find_if(types.begin(), types.end(),
                                  [&](const InstanceType& type) { return type.name == name; });
  if (found == types.end()) throw UserError("instances", "type", name, "one that is described");
  return static_cast<std::size_t>(found - types.begin());
}

SpotMarket read_spot_market(const std::string& aws_csv, const std::string& azure_csv,
                            const std::string& instances_json) {
  SpotMarket market;
  read_instances(instances_json, market);
  add_offers(read_table(aws_csv), "time_utc", "zone", 0, market);
  add_offers(read_table(azure_csv), "date", "region", market.aws_types, market);
  return market;
}

}  // namespace td::job
