// SPDX-License-Identifier: Apache-2.0
// tdsim pass: what every lane does in every step of single passes.
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/configuration/preset.hpp"
#include "base/support/error.hpp"
#include "base/support/output.hpp"
#include "base/support/result_paths.hpp"
#include "base/support/version.hpp"
#include "sim/model/tile.hpp"
#include "sim/replay/trace_source.hpp"
#include "sim/tdsim/commands.hpp"

namespace td::sim {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kPassFormat = "tensordash-pass-1";
constexpr char kIdle = '.';

/// Of a tile row in a step: for each lane how many rows ahead its pair stands, or kIdle.
std::string lanes_text(const TileModel& model, std::int64_t step, int tile_row,
                       std::int64_t first) {
  const auto lanes = static_cast<std::int64_t>(model.config().lanes);
  std::string text(static_cast<std::size_t>(lanes), kIdle);
  for (const TileModel::Pair& pair : model.pairs(step, tile_row)) {
    const std::int64_t ahead = static_cast<std::int64_t>(pair.element) / lanes - first;
    text[static_cast<std::size_t>(pair.lane)] = static_cast<char>('0' + ahead);
  }
  return text;
}

Json steps_json(const TileModel& model, const PassResult& result) {
  Json steps = Json::array();
  std::int64_t first = 0;  // row of the pass in use
  for (std::int64_t step = 0; step < result.cycles; ++step) {
    Json rows = Json::array();
    for (int row = 0; row < model.config().rows; ++row) {
      rows.push_back(lanes_text(model, step, row, first));
    }
    const int advance = result.advances[static_cast<std::size_t>(step)];
    steps.push_back({{"advance_rows", advance}, {"lanes", std::move(rows)}});
    first += advance;
  }
  return steps;
}

std::string passes_json(const Trace& trace, const Config& config,
                        const replay::TraceSelection& selection) {
  replay::TraceSource source(trace, config, selection);
  TileModel model(config);
  Json root = {{"format", kPassFormat},
               {"program", fmt::format("tdsim {}", kGeneratorVersion)},
               {"configuration",
                {{"name", config.name},
                 {"hash", config_hash_text(config)},
                 {"lanes", config.lanes},
                 {"rows", config.rows},
                 {"depth_rows", config.depth}}},
               {"source", {{"path", trace.path()}, {"model", trace.model()}}},
               {"passes", Json::array()}};
  const std::vector<replay::Tally> tallies = source.tallies();
  for (replay::Pass pass; source.next(pass);) {
    PassResult result;
    model.run(pass.data, result);
    const replay::Tally& of = tallies[pass.tally];
    root["passes"].push_back({{"snapshot", of.snapshot},
                              {"layer", of.layer},
                              {"op", of.op},
                              {"number", pass.number},
                              {"dense_cycles", pass.data.rows()},
                              {"cycles", result.cycles},
                              {"present_rows", pass.present_rows},
                              {"steps", steps_json(model, result)}});
  }
  return root.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace

Command pass_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand(
      "pass", "write what every lane does in the steps of passes drawn at random");
  struct Options {
    std::string trace;
    std::string config;
    std::string json;
    replay::TraceSelection selection;
  };
  const auto options = std::make_shared<Options>();
  app->add_option("trace", options->trace, "trace (safetensors)")->required();
  app->add_option("--config", options->config, "configuration: a TOML file or the name of a preset")
      ->required();
  app->add_option("--json", options->json, "file to write; - for standard output")->required();
  app->add_option("--snapshot", options->selection.snapshot, "this snapshot only");
  app->add_option("--layer", options->selection.layer,
                  "these layers only: a name, or a pattern of *, ? and [...]");
  app->add_option("--op", options->selection.op, "this operation only: fwd, dgrad or wgrad")
      ->check(CLI::IsMember({"fwd", "dgrad", "wgrad"}));
  app->add_option("--seed", options->selection.seed, "of the drawing (default 1)");
  return {app, [options] {
            const Trace trace(options->trace);
            const Config config = find_config(options->config);
            options->selection.passes = 1;
            check_result_paths("--json", {options->json}, {options->trace, options->config});
            const std::string text = passes_json(trace, config, options->selection);
            if (options->json == kStandardOutput) {
              std::fputs(text.c_str(), stdout);
            } else {
              write_files({{options->json, text}});
            }
            return kExitPass;
          }};
}

}  // namespace td::sim
