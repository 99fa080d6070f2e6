// SPDX-License-Identifier: Apache-2.0
// Writes random rows for the testbench of docs/integration, and what the model makes of them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "base/support/output.hpp"
#include "base/support/program.hpp"
#include "sim/replay/random_source.hpp"

namespace {

constexpr const char* kLicence = "// SPDX-License-Identifier: 0BSD\n";

/// Elements as one hexadecimal number, the first in the low digits.
std::string number(const std::vector<std::uint32_t>& elements, std::size_t first, std::size_t count,
                   int bits) {
  std::string text;
  for (std::size_t i = first + count; i-- > first;) {
    text += fmt::format("{:0{}x}", elements[i], bits / 4);
  }
  return text;
}

/// Flags as one hexadecimal number, the first in the low bit.
std::string number(const std::vector<bool>& flags) {
  std::string text;
  for (std::size_t low = (flags.size() - 1) / 4 * 4;; low -= 4) {
    unsigned digit = 0;
    for (std::size_t i = low; i < flags.size() && i < low + 4; ++i) {
      digit |= static_cast<unsigned>(flags[i]) << (i - low);
    }
    text += fmt::format("{:x}", digit);
    if (low == 0) return text;
  }
}

class Writer {
 public:
  explicit Writer(const td::Config& config) : config_(config), model_(config) {}

  void add(const td::sim::PassData& pass) {
    model_.run(pass, result_);
    append_rows(pass);
    outputs_ +=
        fmt::format("output {} {}\n",
                    number(result_.outputs, 0, result_.outputs.size(), td::output_width(config_)),
                    number(result_.nonfinite));
    cycles_ += result_.cycles;
    skipped_ += result_.skipped;
  }

  void write(const std::string& folder) const {
    td::write_files(folder, {{"a.hex", a_}, {"b.hex", b_}, {"outputs.txt", outputs_}});
    fmt::print("{} rows, {} cycles, {} skipped\n", rows_, cycles_, skipped_);
  }

 private:
  void append_rows(const td::sim::PassData& pass) {
    const int bits = td::width(config_.format);
    const auto a = static_cast<std::size_t>(config_.columns * config_.lanes);
    const auto b = static_cast<std::size_t>(config_.rows * config_.lanes);
    std::size_t row = 0;
    for (const std::int64_t& length : pass.segment_rows) {
      const bool final = &length == &pass.segment_rows.back();
      for (std::int64_t left = length; left > 0; --left, ++row) {
        a_ += number(pass.a, row * a, a, bits) + "\n";
        b_ += number(pass.b, row * b, b, bits) + (left > 1 ? "0\n" : final ? "3\n" : "1\n");
      }
    }
    rows_ += static_cast<std::int64_t>(row);
  }

  td::Config config_;
  td::sim::TileModel model_;
  td::sim::PassResult result_;
  std::string a_ = kLicence, b_ = kLicence, outputs_;
  std::int64_t rows_ = 0, cycles_ = 0, skipped_ = 0;
};

int run(int argc, char** argv) {
  CLI::App app(
      "Random rows for the testbench of docs/integration, and what the model makes of them");
  std::string file, folder;
  int rows = 1, columns = 1;
  double zeros = 0.0;
  bool dense = false;
  td::replay::RandomSelection selection;
  app.add_option("--config", file, "TOML file")->required();
  app.add_option("--rows", rows, "tile rows")->required();
  app.add_option("--columns", columns, "tile columns")->required();
  app.add_option("--passes", selection.passes, "outputs of each PE")->required();
  app.add_option("--zeros", zeros, "share of zeros on side B")->required();
  app.add_option("--specials", selection.specials,
                 "share of Inf, NaN, huge and subnormal operands");
  app.add_flag("--dense", dense, "drop nothing");
  app.add_option("--out", folder, "for a.hex, b.hex and outputs.txt")->required();
  CLI11_PARSE(app, argc, argv);
  td::Config config = td::load_config(file);
  config.rows = rows;
  config.columns = columns;
  selection.zeros = zeros;
  selection.dense = dense ? 1.0 : 0.0;
  td::replay::RandomSource source(config, selection);
  Writer writer(config);
  td::replay::Pass pass;
  while (source.next(pass)) writer.add(pass.data);
  writer.write(folder);
  return td::kExitPass;
}

}  // namespace

int main(int argc, char** argv) {
  return td::run_program("tdrows", [&] { return run(argc, argv); });
}
