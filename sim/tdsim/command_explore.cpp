// SPDX-License-Identifier: Apache-2.0
// tdsim explore: searches a space of configurations; scripts/explore schedules its shards.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include "base/support/error.hpp"
#include "base/support/output.hpp"
#include "base/support/progress.hpp"
#include "sim/explore/shards.hpp"
#include "sim/explore/table.hpp"
#include "sim/tdsim/commands.hpp"

namespace td::sim {
namespace {

struct Options {
  std::string space;
  std::string out;
  std::string shard;
  bool list = false;
};

void run_shard(const Shard& shard, const std::string& folder) {
  write_files(folder, {{shard.file, shard.run()}});
}

/// One that waits; one that has its result already is no mistake.
void run_named(const Space& space, const std::string& name, const std::string& folder) {
  for (const Shard& shard : waiting_shards(space, folder)) {
    if (shard.file == name) run_shard(shard, folder);
  }
}

void list_waiting(const Space& space, const std::string& folder) {
  for (const Shard& shard : waiting_shards(space, folder)) fmt::print("{}\n", shard.file);
}

void run_waiting(const Space& space, const std::string& folder) {
  std::vector<Shard> shards = waiting_shards(space, folder);
  while (!shards.empty()) {
    Progress progress("shards", static_cast<std::int64_t>(shards.size()),
                      ::isatty(STDERR_FILENO) != 0);
    for (std::size_t i = 0; i < shards.size(); ++i) {
      progress.show(static_cast<std::int64_t>(i));
      run_shard(shards[i], folder);
    }
    shards = waiting_shards(space, folder);
  }
}

void write_table(const Space& space, const std::string& folder, const std::string& shards) {
  const std::vector<Point> points = read_points(space, shards);
  std::vector<OutputFile> configurations;
  for (const Point& point : points) {
    configurations.push_back({point.config.name + ".toml", point_toml(space, point)});
  }
  write_files(folder + "/points", configurations);
  const std::string text = explore_text(space, points);
  write_files(folder, {{"table.json", explore_json(space, points)}, {"table.txt", text}});
  std::fputs(text.c_str(), stdout);
}

}  // namespace

Command explore_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand(
      "explore", "search a space of configurations for those worth building");
  const auto options = std::make_shared<Options>();
  app->add_option("SPACE", options->space, "the space (TOML): docs/explore.md")->required();
  app->add_option("--out", options->out,
                  "folder for table.json, table.txt, points/NAME.toml and results of shards, with "
                  "which an interrupted search goes on")
      ->required();
  app->add_flag("--list", options->list, "print the shards that can be run now, and no more");
  app->add_option("--shard", options->shard, "run this shard, and no more");
  return {app, [options] {
            const Space space = load_space(options->space);
            const std::string shards = options->out + "/shards";
            write_files(shards, {});
            if (options->list) {
              list_waiting(space, shards);
            } else if (!options->shard.empty()) {
              run_named(space, options->shard, shards);
            } else {
              run_waiting(space, shards);
              write_table(space, options->out, shards);
            }
            return kExitPass;
          }};
}

}  // namespace td::sim
