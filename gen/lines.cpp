// SPDX-License-Identifier: Apache-2.0
#include "gen/lines.hpp"

#include <fmt/ranges.h>

#include "gen/staging.hpp"
#include "gen/verilog.hpp"

namespace td {
namespace {

void declare_buffer_ports(Module& module, const Config& config) {
  module.input("clk_i", 0, "clock");
  for (const Port& control : staging_controls(config)) {
    module.input(control.name + "_i", control.width, control.text);
  }
  module.input("eligible_i", config.depth, "the row belongs to the stream in use");
  for (int row = 0; row < config.depth; ++row) {
    module.input(fmt::format("row_{}_i", row), config.lanes * width(config.format),
                 fmt::format("offered row {}, lane 0 in the low bits", row));
  }
  module.output("nonfinite_o", 0, "an Inf or NaN among the eligible rows");
}

void emit_buffer(Module& module, const Config& config, const std::string& window) {
  Module::Connections ports = {{"clk_i", "clk_i"}};
  for (const Port& control : staging_controls(config)) {
    ports.emplace_back(control.name + "_i", control.name + "_i");
  }
  for (int row = 0; row < config.depth; ++row) {
    ports.emplace_back(fmt::format("row_{}_i", row), fmt::format("row_{}_i", row));
  }
  for (int row = 0; row < config.depth; ++row) {
    ports.emplace_back(fmt::format("window_{}_o", row), fmt::format(fmt::runtime(window), row));
  }
  module.line("");
  module.instance("staging", "staging", {}, ports);
}

/// Declares `name` with one bit per lane of a row, lane 0 lowest; `bit` names a lane's low bit.
void emit_lane_bits(Module& module, const Config& config, const std::string& name,
                    const std::string& reduction, const std::string& row, int high, int low) {
  const int bits = width(config.format);
  std::vector<std::string> words;
  for (int lane = config.lanes - 1; lane >= 0; --lane) {
    words.push_back(fmt::format("{}{}[{}:{}]{}", reduction, row, lane * bits + high,
                                lane * bits + low, lane == 0 ? "" : ","));
  }
  module.line("  wire [{}:0] {} = {{\n{}\n  }};", config.lanes - 1, name,
              wrap(words, 100, "      "));
}

/// Lanes whose exponent is all ones.
void emit_nonfinite_bits(Module& module, const Config& config, const std::string& name,
                         const std::string& row) {
  const int low = fraction_bits(config.format);
  emit_lane_bits(module, config, name, "&", row, low + exponent_bits(config.format) - 1, low);
}

void emit_nonfinite(Module& module, const Config& config, const std::string& window) {
  module.comment("Inf and NaN are reported even where the pair is dropped.");
  std::vector<std::string> found;
  for (int row = 0; row < config.depth; ++row) {
    const std::string name = fmt::format("nonfinite_{}", row);
    emit_nonfinite_bits(module, config, name, fmt::format(fmt::runtime(window), row));
    found.push_back(fmt::format("(eligible_i[{}] & (|{}))", row, name));
  }
  module.line("  assign nonfinite_o = {};", any_of(found));
}

/// Elements of the window other than +0 and -0, one bit each.
std::string emit_nonzero(Module& module, const Config& config, const std::string& window) {
  module.comment("Effectual elements: everything but +0 and -0.");
  std::vector<std::string> rows;
  for (int row = 0; row < config.depth; ++row) {
    emit_lane_bits(module, config, fmt::format("nonzero_{}", row), "|",
                   fmt::format(fmt::runtime(window), row), width(config.format) - 2, 0);
    rows.insert(rows.begin(), fmt::format("nonzero_{}", row));
  }
  return concatenation(rows);
}

/// What may be taken: effectual, in a row that is searched, not taken in an earlier step.
void emit_choice(Module& module, const Config& config, const std::string& nonzero) {
  const int lanes = config.lanes;
  const int elements = config.depth * lanes;
  const int ahead = elements - lanes;
  std::vector<std::string> searched;
  for (int row = config.depth - 1; row >= 0; --row) {
    searched.push_back(fmt::format("{{{}{{search_i[{}]}}}}", lanes, row));
  }
  module.line("  wire [{}:0] effectual = {}{};", elements - 1, nonzero,
              config.scheduling == Scheduling::two_sided ? " & a_nonzero_i" : "");

  std::string taken;
  if (ahead > 0) {
    module.comment(
        "Elements taken ahead of their row; the last row of the window never is, since it");
    module.line("  // was out of reach before this step.");
    module.line("  reg [{}:0] taken_q;", ahead - 1);
    module.line("  wire [{}:0] rest;", ahead - 1);
    taken = fmt::format(" & ~{{{}'d0, taken_q}}", lanes);
  }
  module.line("  wire [{}:0] free = effectual & {}{};", elements - 1, concatenation(searched),
              taken);
  Module::Connections ports = {{"z_i", "free"}};
  for (int lane = 0; lane < lanes; ++lane) {
    module.line("  wire [{}:0] choice_l{};", config.places.size() - 1, lane);
    ports.emplace_back(fmt::format("select_l{}_o", lane), fmt::format("choice_l{}", lane));
  }
  if (ahead > 0) ports.emplace_back("rest_o", "rest");
  module.instance("scheduler", "scheduler", {}, ports);
}

void emit_taken(Module& module, const Config& config) {
  const int lanes = config.lanes;
  const int ahead = (config.depth - 1) * lanes;
  if (ahead == 0) return;
  const std::string earlier =
      config.depth == 2 ? "" : fmt::format("{{{}'d0, taken_q[{}:{}]}} | ", lanes, ahead - 1, lanes);
  module.line("  // Of rows 1 and up, after this step.");
  module.line("  wire [{0}:0] taken = {1}(free[{2}:{3}] & ~rest);", ahead - 1, earlier,
              config.depth * lanes - 1, lanes);
  std::vector<std::string> terms;
  for (int rows = 1; rows < config.depth; ++rows) {
    const std::string moved = rows == 1 ? "taken"
                                        : fmt::format("{{{}'d0, taken[{}:{}]}}", (rows - 1) * lanes,
                                                      ahead - 1, (rows - 1) * lanes);
    terms.push_back(fmt::format("({{{}{{advance_i[{}]}}}} & {})", ahead, rows - 1, moved));
  }
  module.line("  always @(posedge clk_i) if (taken_load_i) taken_q <= {};",
              fmt::format("{}", fmt::join(terms, "\n    | ")));
}

void emit_selects(Module& module, const Config& config) {
  const std::size_t places = config.places.size();
  module.comment("In dense mode every lane takes its own element, zero or not.");
  for (int lane = 0; lane < config.lanes; ++lane) {
    if (places == 1) {
      module.line("  assign select_l{0}_o = choice_l{0} | dense_i;", lane);
    } else {
      module.line("  assign select_l{0}_o = choice_l{0} | {{{1}'d0, dense_i}};", lane, places - 1);
    }
  }
  std::vector<std::string> active;
  for (int lane = config.lanes - 1; lane >= 0; --lane) {
    active.push_back(fmt::format("|select_l{}_o{}", lane, lane == 0 ? "" : ","));
  }
  module.line("  assign active_o = {{\n{}\n  }};", wrap(active, 100, "      "));
  if (config.depth == 1) return;
  std::vector<std::string> clear;
  for (int row = config.depth - 1; row >= 1; --row) {
    clear.push_back(fmt::format("~(|rest[{}:0])", row * config.lanes - 1));
  }
  module.line("  assign clear_o = {};", concatenation(clear));
}

void emit_operands(Module& module, const Config& config) {
  Module::Connections ports = {{"clk_i", "clk_i"}, {"en_i", "en_i"}};
  for (int row = 0; row < config.depth; ++row) {
    ports.emplace_back(fmt::format("window_{}_i", row), fmt::format("window_{}", row));
  }
  for (int lane = 0; lane < config.lanes; ++lane) {
    ports.emplace_back(fmt::format("select_l{}_i", lane), fmt::format("select_l{}_o", lane));
  }
  for (int lane = 0; lane < config.lanes; ++lane) {
    ports.emplace_back(fmt::format("operand_l{}_o", lane), fmt::format("operand_l{}_o", lane));
  }
  module.line("");
  module.instance("interconnect", "operand_multiplexers", {}, ports);
}

}  // namespace

std::string emit_row(const Config& config) {
  Module module(config, "row", "Tile row: side B staging, scheduler and operand multiplexers.");
  const int places = static_cast<int>(config.places.size());
  declare_buffer_ports(module, config);
  module.input("search_i", config.depth, "the scheduler may choose from the row");
  if (config.depth > 1) {
    module.input("advance_i", config.depth - 1, "bit k: k + 1 rows leave, and others stay");
    module.input("taken_load_i", 0, "what is taken ahead moves up, or is cleared");
  }
  module.input("en_i", 0, "the pipeline moves");
  module.input("dense_i", 0, "the stream in use runs dense");
  if (config.scheduling == Scheduling::two_sided) {
    module.input("a_nonzero_i", config.depth * config.lanes, "side A's elements other than zero");
  }
  if (config.depth > 1) {
    module.output("clear_o", config.depth - 1, "bit k: rows 1..k + 1 are empty after this step");
  }
  module.output("active_o", config.lanes, "the lane has a pair");
  for (int lane = 0; lane < config.lanes; ++lane) {
    module.output(fmt::format("select_l{}_o", lane), places, "choice of the lane, for side A");
  }
  for (int lane = 0; lane < config.lanes; ++lane) {
    module.output(fmt::format("operand_l{}_o", lane), width(config.format), "side B operand");
  }
  for (int row = 0; row < config.depth; ++row) {
    module.line("  wire [{}:0] window_{};", config.lanes * width(config.format) - 1, row);
  }
  emit_buffer(module, config, "window_{}");
  emit_nonfinite(module, config, "window_{}");
  emit_choice(module, config, emit_nonzero(module, config, "window_{}"));
  emit_taken(module, config);
  emit_selects(module, config);
  emit_operands(module, config);
  return module.text();
}

std::string emit_column(const Config& config) {
  Module module(config, "column", "Tile column: side A staging.");
  declare_buffer_ports(module, config);
  const bool two_sided = config.scheduling == Scheduling::two_sided;
  if (two_sided) {
    module.output("nonzero_o", config.depth * config.lanes, "elements other than zero");
  }
  for (int row = 0; row < config.depth; ++row) {
    module.output(fmt::format("window_{}_o", row), config.lanes * width(config.format),
                  fmt::format("row {} of the staging buffer", row));
  }
  emit_buffer(module, config, "window_{}_o");
  emit_nonfinite(module, config, "window_{}_o");
  if (two_sided) {
    module.line("  assign nonzero_o = {};", emit_nonzero(module, config, "window_{}_o"));
  }
  return module.text();
}

std::string emit_dense_line(const Config& config) {
  Module module(config, "line", "Row or column of the dense tile: the row in use is the operands.");
  const int bits = width(config.format);
  const int row_bits = config.lanes * bits;
  module.input("clk_i", 0, "clock");
  module.input("load_i", 0, "the row is used up or there is none");
  module.input("row_i", row_bits, "first offered row, lane 0 in the low bits");
  module.output("nonfinite_o", 0, "an Inf or NaN in the row");
  for (int lane = 0; lane < config.lanes; ++lane) {
    module.output(fmt::format("operand_l{}_o", lane), bits, "operand of the lane");
  }
  module.line("  reg [{}:0] row_q;", row_bits - 1);
  module.line("  always @(posedge clk_i) if (load_i) row_q <= row_i;\n");
  emit_nonfinite_bits(module, config, "nonfinite", "row_q");
  module.line("  assign nonfinite_o = |nonfinite;");
  for (int lane = 0; lane < config.lanes; ++lane) {
    module.line("  assign operand_l{}_o = row_q[{}:{}];", lane, (lane + 1) * bits - 1, lane * bits);
  }
  return module.text();
}

}  // namespace td
