// SPDX-License-Identifier: Apache-2.0
#include "sim/system/scan/scan_cases.hpp"

#include "sim/system/scan/scan.hpp"

namespace td::job {

namespace {

constexpr std::uint64_t kMostElements = 10'000'000;

}  // namespace

void answer_scan_steps(const CaseFile& file, const CaseOutput& print) {
  each_case(file, [&](const JsonValue& one) {
    const auto chain =
        static_cast<std::size_t>(one.member("chain", "chain").integer(2, kMostElements));
    std::optional<std::size_t> most;
    if (one.has("L_m") && !one.member("L_m", "L_m").raw().is_null()) {
      most = static_cast<std::size_t>(one.member("L_m", "L_m").integer(0, 64));
    }
    const ScanProducts products = count_products(chain, most);
    Json line = identity(one, {"chain", "L_m"});
    line["levels_each_way"] = products.up.size();
    line["up"] = products.up;
    line["down"] = products.down;
    line["serial_middle"] = products.middle;
    line["steps"] = products.steps();
    line["matmuls"] = products.all();
    print(line);
  });
}

}  // namespace td::job
