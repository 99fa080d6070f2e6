// SPDX-License-Identifier: Apache-2.0
#include "gen/staging.hpp"

#include "gen/verilog.hpp"

namespace td {
namespace {

/// What stands at `position` once arriving rows are appended behind `occupancy` rows. Positions
/// that no arriving row can reach keep what they hold: nobody looks at it.
std::string appended_row(const Config& config, int position, int occupancy) {
  const int arriving = position - occupancy;
  return arriving >= 0 && arriving < config.depth ? fmt::format("row_{}_i", arriving)
                                                  : fmt::format("row_{}_q", position);
}

void emit_append(Module& module, const Config& config, int row_bits) {
  const int rows = queue_rows(config);
  module.comment("The rows held, with the arriving ones appended.");
  for (int p = 0; p < rows; ++p) module.line("  reg [{}:0] held_{};", row_bits - 1, p);
  module.line("  always @* begin");
  module.line("    case (occupancy_i)");
  for (int occupancy = 0; occupancy < rows; ++occupancy) {
    module.line("      {}'d{}: begin", tree_levels(rows + 1), occupancy);
    for (int p = 0; p < rows; ++p) {
      module.line("        held_{} = {};", p, appended_row(config, p, occupancy));
    }
    module.line("      end");
  }
  module.line("      default: begin");
  for (int p = 0; p < rows; ++p) module.line("        held_{0} = row_{0}_q;", p);
  module.line("      end\n    endcase\n  end");
}

void emit_advance(Module& module, const Config& config) {
  const int rows = queue_rows(config);
  module.comment("Rows leave at the front; what moves up from beyond the end is never looked at.");
  module.line("  always @(posedge clk_i) begin");
  module.line("    (* parallel_case *)");
  module.line("    case (1'b1)");
  for (int advance = 0; advance <= config.depth; ++advance) {
    if (advance < config.depth) {
      module.line("      advance_i[{}]: begin", advance);
    } else {
      module.line("      default: begin");
    }
    for (int p = 0; p + advance < rows; ++p) {
      module.line("        row_{}_q <= held_{};", p, p + advance);
    }
    module.line("      end");
  }
  module.line("    endcase\n  end");
}

}  // namespace

std::string emit_staging(const Config& config) {
  Module module(config, "staging",
                fmt::format("Staging buffer: a window of {0} rows and a skid of {0} behind it.",
                            config.depth));
  const int row_bits = config.lanes * width(config.format);
  module.input("clk_i", 0, "clock");
  module.input("occupancy_i", tree_levels(queue_rows(config) + 1), "rows held");
  module.input("advance_i", config.depth + 1, "rows that leave, one-hot");
  for (int row = 0; row < config.depth; ++row) {
    module.input(fmt::format("row_{}_i", row), row_bits, fmt::format("offered row {}", row));
  }
  for (int row = 0; row < config.depth; ++row) {
    module.output(
        fmt::format("window_{}_o", row), row_bits,
        fmt::format("row {}: {}", row, row == 0 ? "the row in use" : fmt::format("{} ahead", row)));
  }
  for (int p = 0; p < queue_rows(config); ++p) {
    module.line("  reg [{}:0] row_{}_q;", row_bits - 1, p);
  }
  module.line("  wire unused = advance_i[{}];  // the default below", config.depth);
  emit_append(module, config, row_bits);
  emit_advance(module, config);
  module.line("");
  for (int row = 0; row < config.depth; ++row) {
    module.line("  assign window_{0}_o = row_{0}_q;", row);
  }
  return module.text();
}

}  // namespace td
