// SPDX-License-Identifier: Apache-2.0
// Prices of instances with accelerators that the seller may take back ("spot"), day by day.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace td::job {

/// UTC day, as in 2020-02-27: days compare as text.
using Day = std::string;

/// A kind of instance: so many accelerators of one kind.
struct InstanceType {
  std::string name;
  std::string accelerator;
  double count = 1;
};

/// A seller's instance in a zone, and its price in USD an hour for the whole of it.
struct Offer {
  std::size_t type = 0;  ///< in SpotMarket::types
  std::string zone;
  double price = 0;
};

struct SpotMarket {
  /// AWS first, in the order in which they are scanned; then Azure.
  std::vector<InstanceType> types;
  std::size_t aws_types = 0;
  /// Of each day and type the offers, in the records' order.
  std::vector<std::map<Day, std::vector<Offer>>> offers;
  /// Of each model the iterations a second on each kind of accelerator.
  std::map<std::string, std::map<std::string, double>> throughputs;

  bool is_aws(std::size_t type) const { return type < aws_types; }
  /// The type of that name, which must be there.
  std::size_t type_named(const std::string& name) const;
};

/// Reads records of AWS, Azure's prices, and what the types are. Throws UserError.
SpotMarket read_spot_market(const std::string& aws_csv, const std::string& azure_csv,
                            const std::string& instances_json);

}  // namespace td::job
