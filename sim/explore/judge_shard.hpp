// SPDX-License-Identifier: Apache-2.0
// The judging of one cell, as a shard: the whole simulation of every network with what was found.
#pragma once

#include <string>

#include "sim/explore/search_shard.hpp"

namespace td::sim {

/// The best of the cell's chains, with all tuned networks (fold 0) or without one of them.
FoundPattern best_chain(const Space& space, std::size_t cell, std::int64_t fold,
                        const std::string& folder);

/// Name of the result's file.
std::string judge_file(const Space& space, std::size_t cell);

/// The text of the result, when all searches have theirs in the folder.
std::string run_judge(const Space& space, std::size_t cell, const std::string& folder);

/// A point, but for its objectives. Throws UserError when the file is no result.
Point read_judge(const Space& space, std::size_t cell, const std::string& folder);

}  // namespace td::sim
