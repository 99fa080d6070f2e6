// SPDX-License-Identifier: Apache-2.0
#include "sim/system/scan/scan.hpp"

#include <limits>
#include <numeric>

namespace td::job {

std::size_t ScanProducts::all() const {
  return std::accumulate(up.begin(), up.end(), middle) +
         std::accumulate(down.begin(), down.end(), std::size_t{0});
}

std::size_t ScanProducts::steps() const {
  return steps_with(std::numeric_limits<std::size_t>::max());
}

std::size_t ScanProducts::steps_with(std::size_t workers) const {
  std::size_t steps = middle;
  for (const auto& levels : {up, down}) {
    for (const std::size_t products : levels) {
      steps += products / workers + (products % workers != 0 ? 1 : 0);
    }
  }
  return steps;
}

std::size_t scan_levels(std::size_t chain, std::optional<std::size_t> most) {
  // ceil(log2(chain)) - 1: the serial middle is the top.
  std::size_t levels = 0;
  while ((std::size_t{2} << levels) < chain) ++levels;
  return std::min(levels, most.value_or(levels));
}

ScanProducts count_products(std::size_t chain, std::optional<std::size_t> most_levels) {
  struct Nothing {};
  std::vector<std::optional<Nothing>> elements(chain, Nothing{});
  return exclusive_scan(elements, scan_levels(chain, most_levels),
                        [](Nothing, Nothing) { return Nothing{}; });
}

}  // namespace td::job
