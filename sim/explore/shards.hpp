// SPDX-License-Identifier: Apache-2.0
// Exploring in shards, each worth seconds to minutes on one core: searches of patterns first, then
// the judging of what they found. A shard keeps its result in a file that is named by all that the
// result depends on, so that work that was interrupted goes on with the shards that are missing.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/explore/space.hpp"

namespace td::sim {

struct Shard {
  std::string file;                  ///< name of its result
  std::function<std::string()> run;  ///< makes the text of the file
};

/// Shards without a result in the folder that can be run now, in order: searches, and once all of
/// them have ended, the judging of every cell. Empty when all is done. The space must outlive them.
std::vector<Shard> waiting_shards(const Space& space, const std::string& folder);

/// All points, with their objectives, when no shard is waiting. Throws UserError for a file that is
/// not a result.
std::vector<Point> read_points(const Space& space, const std::string& folder);

}  // namespace td::sim
