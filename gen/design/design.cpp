// SPDX-License-Identifier: Apache-2.0
#include "gen/design/design.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "base/support/version.hpp"
#include "gen/design/accelerator_top.hpp"
#include "gen/design/embedded.hpp"
#include "gen/design/manifest.hpp"
#include "gen/design/modules.hpp"
#include "gen/design/top.hpp"

namespace td {
namespace {

std::string embedded_text(const std::vector<EmbeddedFile>& files, const std::string& name) {
  for (const EmbeddedFile& file : files) {
    if (file.name == name) return std::string(file.text);
  }
  throw std::logic_error(fmt::format("{}: no such embedded file", name));
}

std::string emit_file_list(const std::vector<OutputFile>& files, const std::string& folder) {
  const std::filesystem::path place = std::filesystem::absolute(folder).lexically_normal();
  std::string text;
  for (const OutputFile& file : files) text += (place / file.name).string() + "\n";
  return text;
}

std::string core_files(const std::vector<OutputFile>& files) {
  std::string text;
  for (const OutputFile& file : files) text += fmt::format("      - {}\n", file.name);
  return text;
}

/// `kind` is tile or accelerator.
std::string emit_core(const Config& config, const std::string& kind,
                      const std::vector<OutputFile>& verilog,
                      const std::vector<OutputFile>& assertions) {
  return fmt::format(
      "CAPI=2:\n"
      "name: tensordash:{6}:{0}:{1}\n"
      "description: TensorDash {6} {0}, configuration {2}\n"
      "filesets:\n"
      "  rtl:\n"
      "    files:\n"
      "{3}"
      "    file_type: verilogSource\n"
      "  assertions:\n"
      "    files:\n"
      "{4}"
      "    file_type: systemVerilogSource\n"
      "targets:\n"
      "  default: &default\n"
      "    filesets: [rtl]\n"
      "    toplevel: {5}\n"
      "  asserted:\n"
      "    <<: *default\n"
      "    filesets: [rtl, assertions]\n",
      config.name, kGeneratorVersion, config_hash_text(config), core_files(verilog),
      core_files(assertions), config.name + "_" + kind, kind);
}

std::vector<OutputFile> module_files(const std::vector<std::string>& modules) {
  std::vector<OutputFile> files;
  for (const std::string& module : modules) {
    files.push_back({module + ".v", embedded_text(hardware(), module)});
  }
  return files;
}

std::vector<OutputFile> assertion_files(const std::vector<std::string>& modules) {
  std::vector<OutputFile> files;
  for (const std::string& module : modules) {
    for (const EmbeddedFile& file : assertions()) {
      if (file.name == module + "_assert")
        files.push_back({module + "_assert.sv", std::string(file.text)});
    }
  }
  return files;
}

/// Verilog, assertions, and what lists them. `kind` is tile or accelerator.
std::vector<OutputFile> design_files(const Config& config, const std::string& kind,
                                     const std::vector<OutputFile>& verilog,
                                     const std::vector<OutputFile>& bound,
                                     const std::string& folder) {
  std::vector<OutputFile> files = verilog;
  files.insert(files.end(), bound.begin(), bound.end());
  files.push_back({config.name + ".f", emit_file_list(verilog, folder)});
  files.push_back({config.name + "_assert.f", emit_file_list(bound, folder)});
  files.push_back({config.name + ".core", emit_core(config, kind, verilog, bound)});
  files.push_back({config.name + ".sdc", embedded_text(constraints(), kind)});
  return files;
}

}  // namespace

std::vector<OutputFile> emit_verilog(const Config& config) {
  const std::string top = emit_top(config);
  std::vector<OutputFile> files = module_files(tile_modules(config, top));
  files.push_back({top_name(config) + ".v", top});
  return files;
}

std::vector<OutputFile> emit_assertions(const Config& config) {
  return assertion_files(tile_modules(config, emit_top(config)));
}

std::vector<OutputFile> emit_design(const Config& config, const std::string& folder) {
  const std::vector<OutputFile> verilog = emit_verilog(config);
  const std::vector<OutputFile> bound = emit_assertions(config);
  std::vector<OutputFile> files = design_files(config, "tile", verilog, bound, folder);
  files.push_back({config.name + ".json", emit_manifest(config, verilog, bound)});
  files.push_back({config.name + ".toml", tile_toml(config)});
  return files;
}

std::vector<OutputFile> emit_accelerator_design(const Config& config, const std::string& folder) {
  const std::string top = emit_accelerator(config);
  const std::vector<std::string> modules = accelerator_modules(config, top);
  std::vector<OutputFile> verilog = module_files(modules);
  verilog.push_back({accelerator_name(config) + ".v", top});
  std::vector<OutputFile> files =
      design_files(config, "accelerator", verilog, assertion_files(modules), folder);
  files.push_back({config.name + ".toml", canonical_toml(config)});
  return files;
}

}  // namespace td
