// SPDX-License-Identifier: Apache-2.0
// What the streams of a network read from the SRAM, by storage: the table of docs/storage.md.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/configuration/preset.hpp"
#include "base/support/program.hpp"
#include "base/support/text_table.hpp"
#include "sim/network/network.hpp"
#include "sim/network/sparsity.hpp"
#include "sim/network/synthetic_operands.hpp"
#include "sim/storage/stored_size.hpp"
#include "sim/trace/operand_source.hpp"

namespace {

using td::sim::Op;
using td::sim::Operand;
using td::sim::Storage;

constexpr std::int64_t kBatch = 64;

/// Bits that the streams of all layers read, each stream once.
struct Bits {
  std::int64_t plain = 0;
  std::int64_t scheduled = 0;
  std::int64_t zero_compressed = 0;
  std::int64_t chosen = 0;  ///< plain or scheduled, layer by layer
  std::int64_t least = 0;   ///< plain or zero-compressed, layer by layer
  std::int64_t layers = 0;
  std::int64_t scheduled_layers = 0;  ///< below plain
  std::int64_t below_compressed = 0;  ///< and below zero-compressed
};

Bits bits_of(const td::Config& config, const td::sim::OperandSource& source, Op op,
             Operand operand) {
  Bits all;
  for (const td::sim::LayerInfo& layer : source.layers()) {
    if (op == Op::dgrad && !layer.needs_input_grad) continue;
    const td::sim::StoredSize size = stored_size(config, source, layer, op, operand);
    const std::int64_t plain = size.streamed_bits(Storage::plain);
    all.plain += plain;
    all.scheduled += size.streamed_bits(Storage::scheduled);
    all.zero_compressed += size.streamed_bits(Storage::zero_compressed);
    all.chosen += size.streamed_bits(size.best());
    all.least += std::min(plain, size.streamed_bits(Storage::zero_compressed));
    ++all.layers;
    const bool pays = size.best() == Storage::scheduled;
    all.scheduled_layers += pays ? 1 : 0;
    const bool is_least =
        size.streamed_bits(Storage::scheduled) < size.streamed_bits(Storage::zero_compressed);
    all.below_compressed += pays && is_least ? 1 : 0;
  }
  return all;
}

void print(const td::Config& config, const td::sim::OperandSource& source) {
  td::TextTable table;
  table.add_column("streams", td::TextTable::Align::left);
  for (const char* heading : {"plain Mbit", "scheduled", "zero-compressed", "best scheduled",
                              "best compressed", "layers scheduled", "below compressed"}) {
    table.add_column(heading, td::TextTable::Align::right);
  }
  constexpr std::pair<Op, Operand> reads[] = {
      {Op::fwd, Operand::A}, {Op::fwd, Operand::W}, {Op::dgrad, Operand::GO}};
  for (const auto& [op, operand] : reads) {
    const Bits bits = bits_of(config, source, op, operand);
    const auto share = [&](std::int64_t part) {
      return fmt::format("{:.3f}", static_cast<double>(part) / static_cast<double>(bits.plain));
    };
    table.add_row({fmt::format("{} {}", to_string(op), tensor_name(operand)),
                   fmt::format("{:.1f}", static_cast<double>(bits.plain) / 1e6),
                   share(bits.scheduled), share(bits.zero_compressed), share(bits.chosen),
                   share(bits.least), fmt::format("{} of {}", bits.scheduled_layers, bits.layers),
                   fmt::format("{}", bits.below_compressed)});
  }
  fmt::print("{}", table.text());
}

int run(const std::vector<std::string>& words) {
  if (words.size() != 2 && words.size() != 3) {
    throw td::UserError("td_stored_rows: give CONFIG TRACE, or CONFIG NETWORK SPARSITY");
  }
  const td::Config config = td::find_config(words[0]);
  if (config.is_dense()) {
    throw td::UserError(config.name, "tile.scheduling", "dense", "one_sided, two_sided");
  }
  if (words.size() == 2) {
    const td::sim::Trace trace(words[1]);
    print(config, td::sim::TraceOperands(trace));
  } else {
    print(config, td::sim::SyntheticOperands(td::sim::load_network(words[1], kBatch),
                                             td::sim::load_sparsity(words[2]), 1));
  }
  return td::kExitPass;
}

}  // namespace

int main(int argc, char** argv) {
  return td::run_program("td_stored_rows",
                         [&] { return run(std::vector<std::string>(argv + 1, argv + argc)); });
}
