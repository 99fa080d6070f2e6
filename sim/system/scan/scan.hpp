// SPDX-License-Identifier: Apache-2.0
// BPPSA: the backward pass as a truncated Blelloch scan. The chain is the loss' gradient, then the
// transposed Jacobians of the layers, the last first; its prefixes are the gradients of all layers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace td::job {

/// Products of a scan. The parts of a level do not depend on each other; those of the middle follow
/// one another.
struct ScanProducts {
  std::vector<std::size_t> up, down;  ///< of each level
  std::size_t middle = 0;

  std::size_t all() const;
  /// With a worker for each product of a level: levels that have any, and the middle's products.
  std::size_t steps() const;
  /// With so many workers, each a product at a time.
  std::size_t steps_with(std::size_t workers) const;
};

/// Levels each way of a chain of so many elements: all that there are, or `most`.
std::size_t scan_levels(std::size_t chain, std::optional<std::size_t> most);

/// Replaces each element of a chain by the product of those before it, nothing (the identity) for
/// the first. `product(first, second)` is what applies `first`, then `second`; it need not commute,
/// and is not called for the identity. The last element is not used: no layer is behind it.
template <class Element, class Product>
ScanProducts exclusive_scan(std::vector<std::optional<Element>>& chain, std::size_t levels,
                            Product product) {
  using Maybe = std::optional<Element>;
  ScanProducts products;
  const auto combine = [&product](const Maybe& first, const Maybe& second, std::size_t& count) {
    if (!first) return second;
    if (!second) return first;
    ++count;
    return Maybe(product(*first, *second));
  };
  const std::size_t last = chain.size() - 1;
  // Calls use(left, right) for the pairs of a level: the ends of two neighbouring blocks.
  const auto each_pair = [last](std::size_t level, const auto& use) {
    const std::size_t block = std::size_t{1} << level;
    for (std::size_t i = 0; i + block <= last; i += 2 * block) {
      use(i + block - 1, std::min(i + 2 * block - 1, last));
    }
  };
  for (std::size_t level = 0; level < levels; ++level) {
    std::size_t& count = products.up.emplace_back();
    each_pair(level, [&](std::size_t left, std::size_t right) {
      chain[right] = combine(chain[left], chain[right], count);
    });
  }
  Maybe running;
  const std::size_t block = std::size_t{1} << levels;
  for (std::size_t i = 0; i + block <= last; i += block) {
    Maybe& end = chain[i + block - 1];
    Maybe next = combine(running, end, products.middle);
    end = std::exchange(running, std::move(next));
  }
  chain[last] = std::move(running);
  for (std::size_t level = levels; level-- > 0;) {
    std::size_t& count = products.down.emplace_back();
    each_pair(level, [&](std::size_t left, std::size_t right) {
      Maybe block_product = std::exchange(chain[left], chain[right]);
      chain[right] = combine(chain[right], block_product, count);
    });
  }
  return products;
}

/// The products of a chain of so many elements.
ScanProducts count_products(std::size_t chain, std::optional<std::size_t> most_levels);

}  // namespace td::job
