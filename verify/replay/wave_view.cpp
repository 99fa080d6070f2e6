// SPDX-License-Identifier: Apache-2.0
#include "verify/replay/wave_view.hpp"

#include <filesystem>
#include <vector>

#include "base/support/output.hpp"
#include "base/support/text_file.hpp"

namespace td::verify {
namespace {

/// Where the design's files name the wave, whose name they do not know.
constexpr std::string_view kStem = "@STEM@";

constexpr std::size_t kMostBytes = std::size_t{1} << 28;

}  // namespace

std::string beside(const std::string& wave, std::string_view extension) {
  return std::filesystem::path(wave).replace_extension(extension).string();
}

void write_view(const Config& config, const std::string& folder, const std::string& wave) {
  const std::string stem = std::filesystem::path(wave).stem().string();
  std::vector<std::string> extensions = {".gtkw"};
  if (!config.is_dense()) extensions.insert(extensions.end(), {".options.txt", ".advance.txt"});
  std::vector<OutputFile> files;
  for (const std::string& extension : extensions) {
    std::string text = read_text(folder + "/view" + extension, "as the build wrote it", kMostBytes);
    for (std::size_t at = 0; (at = text.find(kStem, at)) != std::string::npos; at += stem.size()) {
      text.replace(at, kStem.size(), stem);
    }
    files.push_back({beside(wave, extension), text});
  }
  write_files(files);
}

}  // namespace td::verify
