// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/shards.hpp"

#include <filesystem>
#include <set>

#include "sim/explore/judge_shard.hpp"

namespace td::sim {
namespace {

bool is_there(const std::string& folder, const std::string& file) {
  return std::filesystem::exists(folder + "/" + file);
}

}  // namespace

std::vector<Shard> waiting_shards(const Space& space, const std::string& folder) {
  std::vector<Shard> shards;
  std::set<std::string> files;  // cells may differ in nothing that a search depends on
  for (std::size_t cell = 0; cell < space.cells.size(); ++cell) {
    for (std::int64_t fold = 0; fold < space.folds(); ++fold) {
      for (std::int64_t chain = 0; chain < space.chains; ++chain) {
        const SearchId id{cell, fold, chain};
        const std::string file = search_file(space, id);
        if (is_there(folder, file) || !files.insert(file).second) continue;
        shards.push_back({file, [&space, id] { return run_search(space, id); }});
      }
    }
  }
  if (!shards.empty()) return shards;
  for (std::size_t cell = 0; cell < space.cells.size(); ++cell) {
    const std::string file = judge_file(space, cell);
    if (is_there(folder, file)) continue;
    shards.push_back({file, [&space, cell, folder] { return run_judge(space, cell, folder); }});
  }
  return shards;
}

std::vector<Point> read_points(const Space& space, const std::string& folder) {
  std::vector<Point> points;
  for (std::size_t cell = 0; cell < space.cells.size(); ++cell) {
    Point point = read_judge(space, cell, folder);
    for (const PointObjective* objective : space.objectives) {
      point.objectives.push_back(objective->value(point, space.fit ? &*space.fit : nullptr));
    }
    points.push_back(std::move(point));
  }
  mark_front(space.objectives, points);
  return points;
}

}  // namespace td::sim
