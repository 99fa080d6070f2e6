// SPDX-License-Identifier: Apache-2.0
// tdgen: emits the Verilog of a configuration, and explains configurations.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/configuration/parameters.hpp"
#include "base/configuration/preset.hpp"
#include "base/configuration/schema.hpp"
#include "base/support/command_line.hpp"
#include "base/support/embedded.hpp"
#include "base/support/error.hpp"
#include "base/support/output.hpp"
#include "base/support/program.hpp"
#include "base/support/version.hpp"
#include "gen/design/accelerator_top.hpp"
#include "gen/design/design.hpp"
#include "gen/design/top.hpp"
#include "gen/diagram/diagrams.hpp"

namespace td {
namespace {

std::string options_text(const std::vector<Option>& options) {
  std::vector<std::string> names;
  for (Option option : options) names.push_back(to_string(option));
  return fmt::format("{}", fmt::join(names, " "));
}

std::string summary(const Config& config) {
  return fmt::format(
      "{} lanes, {}x{} PEs, {}, {} operands, {}", config.lanes, config.rows, config.columns,
      find_parameter("tile.scheduling")->choices[static_cast<std::size_t>(config.scheduling)],
      to_string(config.format),
      config.is_dense() ? "no pattern" : fmt::format("depth {}, {}", config.depth, config.pattern));
}

void list() {
  fmt::print("presets (--config NAME, --explain NAME):\n");
  for (const EmbeddedFile& preset : presets()) {
    const Config config = parse_config(preset.text, std::string(preset.name));
    fmt::print("  {:<16} {}\n", preset.name, summary(config));
  }
  fmt::print("patterns:\n");
  for (const NamedPattern& pattern : named_patterns()) {
    fmt::print("  {:<16} {}\n", pattern.name, pattern.text);
  }
  fmt::print("parameters:\n");
  for (const Parameter& parameter : parameters()) {
    fmt::print("  {:<35} {}\n", parameter.path(), parameter.text);
  }
}

void explain_config(const Config& config) {
  fmt::print("{}: {}\nhash {}, of the accelerator {}, output latency {} clocks\n", config.name,
             summary(config), config_hash_text(config), accelerator_hash_text(config),
             output_latency(config));
  if (!config.is_dense()) {
    fmt::print("options {}\n", options_text(config.options));
    if (!config.dropped.empty()) fmt::print("dropped {}\n", options_text(config.dropped));
    fmt::print("{} levels {}\n", config.levels.size(), fmt::join(config.levels, " "));
  }
  fmt::print("\n{}", canonical_toml(config));
}

void explain(const std::string& name) {
  if (const Parameter* parameter = find_parameter(name)) {
    Config defaults;
    defaults.levels = colour_levels(find_pattern(defaults.pattern)->options, defaults.lanes);
    fmt::print("{}: {}\nlegal: {}\ndefault: {}\n", parameter->path(), parameter->text,
               parameter->legal(),
               parameter->kind == ParameterKind::name     ? "none, it must be given"
               : parameter->kind == ParameterKind::levels ? "coloured from the pattern"
                                                          : parameter->value_text(defaults));
    if (!parameter->source.empty()) fmt::print("source: {}\n", parameter->source);
  } else if (const NamedPattern* pattern = find_pattern(name)) {
    fmt::print("{}: {}\nplaces {}\n", pattern->name, pattern->text, options_text(pattern->options));
    fmt::print("levels with 16 lanes {}\n", fmt::join(colour_levels(pattern->options, 16), " "));
  } else {
    explain_config(find_config(name, "--explain",
                               "a parameter, pattern, preset or TOML file; --list names them"));
  }
}

/// `tdgen diagram`.
struct DiagramCommand {
  explicit DiagramCommand(CLI::App& program)
      : app(program.add_subcommand("diagram", "draw a configuration as SVG pictures")) {
    app->add_option("--config", config_name, "configuration: a TOML file or the name of a preset")
        ->required();
    app->add_option("--out", folder, "folder to write the pictures into")->required();
    app->add_option("--lane", options.lane, "whose interconnect is drawn (default: the middle one)")
        ->check(CLI::NonNegativeNumber);
    app->add_option("--seed", options.seed, "of the operands in the scheduling step")
        ->capture_default_str();
  }

  void run() const {
    const Config config = find_config(config_name);
    const std::vector<OutputFile> files = emit_diagrams(config, options);
    write_files(folder, files);
    for (const OutputFile& file : files) fmt::print("{}/{}\n", folder, file.name);
  }

  CLI::App* app;
  std::string config_name;
  std::string folder;
  DiagramOptions options;
};

int run(int argc, char** argv) {
  CLI::App app("Emits the synthesizable Verilog of a TensorDash tile or accelerator.", "tdgen");
  std::string config_name;
  std::string folder;
  std::string subject;
  bool show_list = false;
  bool show_hash = false;
  bool show_schema = false;
  bool accelerator = false;
  app.set_version_flag("--version", fmt::format("tdgen {}", kGeneratorVersion));
  app.add_option("--config", config_name, "configuration: a TOML file or the name of a preset");
  app.add_option("--out", folder, "folder to write the design into");
  app.add_flag("--accelerator", accelerator,
               "with --out: the whole accelerator, not its tile alone");
  app.add_flag("--hash", show_hash, "print the tile's hash and name, write nothing");
  app.add_flag("--list", show_list, "list presets, patterns and parameters");
  app.add_flag("--schema", show_schema, "print the JSON Schema of configurations");
  app.add_option("--explain", subject, "explain a preset, file, pattern or parameter");
  DiagramCommand diagram(app);
  if (const auto status = parse_command_line(app, argc, argv)) return *status;
  if (diagram.app->parsed()) {
    diagram.run();
  } else if (show_list) {
    list();
  } else if (show_schema) {
    fmt::print("{}", emit_schema());
  } else if (!subject.empty()) {
    explain(subject);
  } else if (config_name.empty() || (folder.empty() && !show_hash)) {
    throw UserError("tdgen: give --config and --out, or --list, --schema, --explain or --help");
  } else if (show_hash) {
    const Config config = find_config(config_name);
    fmt::print("{} {}\n", config_hash_text(config), config.name);
  } else {
    const Config config = find_config(config_name);
    const std::vector<OutputFile> files =
        accelerator ? emit_accelerator_design(config, folder) : emit_design(config, folder);
    write_files(folder, files);
    fmt::print("{}: {} files in {} (configuration {}, top {})\n", config.name, files.size(), folder,
               config_hash_text(config), accelerator ? accelerator_name(config) : top_name(config));
  }
  if (std::fflush(stdout) != 0) {
    throw UserError("standard output", "write", std::strerror(errno), "a disk with room");
  }
  return kExitPass;
}

}  // namespace
}  // namespace td

int main(int argc, char** argv) {
  return td::run_program("tdgen", [&] { return td::run(argc, argv); });
}
