// SPDX-License-Identifier: Apache-2.0
#include "gen/design.hpp"

#include <fmt/format.h>

#include <regex>

#include "gen/counters.hpp"
#include "gen/embedded.hpp"
#include "gen/intake.hpp"
#include "gen/interconnect.hpp"
#include "gen/lines.hpp"
#include "gen/manifest.hpp"
#include "gen/pe.hpp"
#include "gen/scheduler.hpp"
#include "gen/sequencer.hpp"
#include "gen/staging.hpp"
#include "gen/tile.hpp"
#include "gen/verilog.hpp"

namespace td {
namespace {

/// A leaf cell of hw/ as part of this design: its names take the design's prefix, the package the
/// operand format, and the header that of emitted files.
EmittedFile emit_leaf_cell(const Config& config, std::string_view cell) {
  for (const EmbeddedFile& file : leaf_cells()) {
    if (file.name != fmt::format("td_{}", cell)) continue;
    std::string text(file.text);
    const std::string licence = "// SPDX-License-Identifier: Apache-2.0\n// ";
    const std::size_t line = text.find('\n', licence.size());
    const std::string purpose = text.substr(licence.size(), line - licence.size());
    text = emitted_header(config, purpose) + text.substr(line + 1);
    text = std::regex_replace(text, std::regex("\\btd_"), config.name + "_");
    text = std::regex_replace(text, std::regex("(localparam EXP *= *)[0-9]+"),
                              fmt::format("$01{}", exponent_bits(config.format)));
    text = std::regex_replace(text, std::regex("(localparam FRAC *= *)[0-9]+"),
                              fmt::format("$01{}", fraction_bits(config.format)));
    return {fmt::format("{}_{}.v", config.name, cell), text};
  }
  throw std::logic_error(fmt::format("no leaf cell {}", cell));
}

std::string emit_file_list(const std::vector<EmittedFile>& verilog) {
  std::string text;
  for (const EmittedFile& file : verilog) text += file.name + "\n";
  return text;
}

std::string emit_core(const Config& config, const std::vector<EmittedFile>& verilog) {
  std::string files;
  for (const EmittedFile& file : verilog) files += fmt::format("      - {}\n", file.name);
  return fmt::format(
      "CAPI=2:\n"
      "name: tensordash:tile:{0}:{1}\n"
      "description: TensorDash tile {0}, configuration {2}\n"
      "filesets:\n"
      "  rtl:\n"
      "    files:\n"
      "{3}"
      "    file_type: systemVerilogSource\n"
      "targets:\n"
      "  default:\n"
      "    filesets: [rtl]\n"
      "    toplevel: {0}_tile\n",
      config.name, generator_version(), config_hash_text(config), files);
}

}  // namespace

std::vector<EmittedFile> emit_verilog(const Config& config) {
  std::vector<EmittedFile> files;
  const auto add = [&](std::string_view block, std::string text) {
    files.push_back({fmt::format("{}_{}.v", config.name, block), std::move(text)});
  };
  for (const char* cell : {"fp", "multiplier", "adder", "pipe", "skid", "reset"}) {
    files.push_back(emit_leaf_cell(config, cell));
  }
  if (config.output == OutputFormat::bf16) files.push_back(emit_leaf_cell(config, "to_bf16"));
  if (config.is_dense()) {
    add("intake", emit_dense_intake(config));
    add("line", emit_dense_line(config));
  } else {
    add("intake", emit_intake(config));
    add("staging", emit_staging(config));
    add("scheduler", emit_scheduler(config));
    add("interconnect", emit_interconnect(config));
    add("row", emit_row(config));
    add("column", emit_column(config));
  }
  add("sequencer", emit_sequencer(config));
  add("pe", emit_pe(config));
  add("counters", emit_counters(config));
  add("tile", emit_tile(config));
  return files;
}

std::vector<EmittedFile> emit_design(const Config& config) {
  std::vector<EmittedFile> files = emit_verilog(config);
  const std::string list = emit_file_list(files);
  const std::string core = emit_core(config, files);
  const std::string manifest = emit_manifest(config, files);
  files.push_back({config.name + ".f", list});
  files.push_back({config.name + ".core", core});
  files.push_back({config.name + ".json", manifest});
  files.push_back({config.name + ".toml", canonical_toml(config)});
  return files;
}

}  // namespace td
