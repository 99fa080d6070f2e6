// SPDX-License-Identifier: Apache-2.0
#include "gen/design/design.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "gen/base/version.hpp"
#include "gen/design/embedded.hpp"
#include "gen/design/manifest.hpp"
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

std::string emit_core(const Config& config, const std::vector<OutputFile>& verilog,
                      const std::vector<OutputFile>& assertions) {
  return fmt::format(
      "CAPI=2:\n"
      "name: tensordash:tile:{0}:{1}\n"
      "description: TensorDash tile {0}, configuration {2}\n"
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
      core_files(assertions), top_name(config));
}

}  // namespace

std::vector<OutputFile> emit_verilog(const Config& config) {
  std::vector<OutputFile> files;
  for (const std::string& module : hardware_modules(config)) {
    files.push_back({module + ".v", embedded_text(hardware(), module)});
  }
  files.push_back({top_name(config) + ".v", emit_top(config)});
  return files;
}

std::vector<OutputFile> emit_assertions(const Config& config) {
  std::vector<OutputFile> files;
  for (const std::string& module : hardware_modules(config)) {
    for (const EmbeddedFile& file : assertions()) {
      if (file.name == module + "_assert")
        files.push_back({module + "_assert.sv", std::string(file.text)});
    }
  }
  return files;
}

std::vector<OutputFile> emit_design(const Config& config, const std::string& folder) {
  const std::vector<OutputFile> verilog = emit_verilog(config);
  const std::vector<OutputFile> bound = emit_assertions(config);
  std::vector<OutputFile> files = verilog;
  files.insert(files.end(), bound.begin(), bound.end());
  files.push_back({config.name + ".f", emit_file_list(verilog, folder)});
  files.push_back({config.name + "_assert.f", emit_file_list(bound, folder)});
  files.push_back({config.name + ".core", emit_core(config, verilog, bound)});
  files.push_back({config.name + ".sdc", embedded_text(constraints(), "tile")});
  files.push_back({config.name + ".json", emit_manifest(config, verilog, bound)});
  files.push_back({config.name + ".toml", tile_toml(config)});
  return files;
}

}  // namespace td
