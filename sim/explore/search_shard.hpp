// SPDX-License-Identifier: Apache-2.0
// The search of one chain for one cell, as a shard.
#pragma once

#include <string>

#include "sim/explore/pattern/pattern_search.hpp"
#include "sim/explore/space.hpp"

namespace td::sim {

/// Which search: of a cell, on the networks of a fold (0: all tuned ones), with one of the chains.
struct SearchId {
  std::size_t cell = 0;
  std::int64_t fold = 0;
  std::int64_t chain = 0;
};

/// 16 hexadecimal digits of all that the result depends on.
std::string search_key(const Space& space, const SearchId& id);

/// Name of the result's file.
std::string search_file(const Space& space, const SearchId& id);

/// The text of the result. Throws UserError when no pattern has so few levels.
std::string run_search(const Space& space, const SearchId& id);

/// A result in a folder. Throws UserError when it is none.
FoundPattern read_search(const Space& space, const SearchId& id, const std::string& folder);

}  // namespace td::sim
