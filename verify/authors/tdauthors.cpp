// SPDX-License-Identifier: Apache-2.0
// Compares the reference with the authors' published figures, and step by step with tdsim's model.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "base/support/command_line.hpp"
#include "base/support/error.hpp"
#include "base/support/program.hpp"
#include "verify/authors/comparison.hpp"
#include "verify/authors/figures.hpp"
#include "verify/authors/odd_layers.hpp"

namespace td::authors {
namespace {

struct Options {
  std::string figures;
  std::vector<std::string> traces;
  std::int64_t lines = 0;
};

/// The traces, and their layers as far as they were asked for. Nothing moves once it is there.
class Layers {
 public:
  explicit Layers(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) traces_.emplace_back(path);
  }

  const Layer& find(const Figure& figure) {
    for (const Entry& entry : loaded_) {
      if (entry.trace == figure.trace && matches(entry.layer.info, figure)) return entry.layer;
    }
    for (const sim::Trace& trace : traces_) {
      if (trace.model() != figure.trace) continue;
      for (const sim::LayerInfo& info : trace.layers()) {
        if (!matches(info, figure)) continue;
        loaded_.push_back({figure.trace, load_layer(trace, info)});
        return loaded_.back().layer;
      }
    }
    throw UserError("figures", "line", name_of(figure), "a layer of the traces given");
  }

 private:
  struct Entry {
    std::string trace;
    Layer layer;
  };

  static bool matches(const sim::LayerInfo& info, const Figure& figure) {
    return info.snapshot == figure.snapshot && info.name == figure.layer;
  }

  std::deque<sim::Trace> traces_;
  std::deque<Entry> loaded_;
};

/// Prints how many of the lines differ; returns whether none does and there are any.
bool agree(const std::vector<Line>& lines, const Costs& actual, const Costs& expected,
           const char* expected_name) {
  const std::int64_t differences = print_differences(lines, actual, expected, expected_name);
  fmt::print("reference = {} on {} of {} lines\n", expected_name,
             static_cast<std::int64_t>(lines.size()) - differences, lines.size());
  return differences == 0 && !lines.empty();
}

/// By the authors' rules the reference equals their figures; by ours it equals tdsim's model.
bool compare_figures(const Options& options, std::vector<std::int64_t>& changed) {
  const std::vector<Figure> figures = read_figures(options.figures);
  Layers layers(options.traces);
  std::vector<Line> lines;
  Costs expected;
  for (const Figure& figure : figures) {
    lines.push_back({name_of(figure), &layers.find(figure), figure.op, figure.tile});
    expected.push_back(figure.cost);
  }
  const Costs by_authors = reference_costs(lines, Rules{});
  bool good = agree(lines, by_authors, expected, "published figures");
  if (options.lines > 0 && static_cast<std::int64_t>(lines.size()) != options.lines) {
    fmt::print("{} lines were expected\n", options.lines);
    good = false;
  }
  fmt::print(
      "\nRules of the authors replaced by ours, each after those above it (cycles of all "
      "lines together):\n");
  const Costs by_ours = print_effects(lines, by_authors, changed);
  return agree(lines, by_ours, tdsim_costs(lines), "tdsim") && good;
}

/// Nobody published figures for these: only our rules have something to be compared with.
bool compare_odd_layers(std::vector<std::int64_t>& changed) {
  const std::vector<Layer> layers = odd_layers();
  std::vector<Line> lines;
  for (const Layer& layer : layers) {
    for (const sim::Op op : sim::operations(layer.info)) {
      for (const Tile& tile : {Tile{1, 4}, Tile{4, 4}}) {
        lines.push_back({fmt::format("{} {} {}x{}", layer.info.name, sim::to_string(op), tile.rows,
                                     tile.columns),
                         &layer, op, tile});
      }
    }
  }
  fmt::print("\nThe same on layers without published figures (random operands):\n");
  const Costs by_ours = print_effects(lines, reference_costs(lines, Rules{}), changed);
  return agree(lines, by_ours, tdsim_costs(lines), "tdsim");
}

void print_rules() {
  fmt::print("\n{:<15} {}\n", "rule", "authors; ours");
  for (const Rule& rule : all_rules()) {
    fmt::print("{:<15} {}; {}\n", rule.name, rule.authors, rule.ours);
  }
}

/// A switch that changes nothing anywhere would be no evidence.
bool all_matter(const std::vector<std::int64_t>& changed) {
  bool good = true;
  for (std::size_t i = 0; i < changed.size(); ++i) {
    if (changed[i] > 0) continue;
    fmt::print("{} changes no line\n", all_rules()[i].name);
    good = false;
  }
  return good;
}

bool compare(const Options& options) {
  std::vector<std::int64_t> changed(all_rules().size());
  const bool figures = compare_figures(options, changed);
  const bool odd = compare_odd_layers(changed);
  print_rules();
  const bool good = all_matter(changed) && figures && odd;
  fmt::print("{}\n", good ? "PASS" : "FAIL");
  return good;
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("Judges tdsim's cycles by the figures that the authors' simulator gave.",
               "tdauthors");
  app.add_option("figures", options.figures, "CSV of the authors' figures")->required();
  app.add_option("traces", options.traces, "the traces that they are for")->required();
  app.add_option("--lines", options.lines, "fail unless there are so many figures");
  if (const auto status = parse_command_line(app, argc, argv)) return *status;
  return compare(options) ? kExitPass : kExitCheckFailed;
}

}  // namespace
}  // namespace td::authors

int main(int argc, char** argv) {
  return td::run_program("tdauthors", [&] { return td::authors::run(argc, argv); });
}
