// SPDX-License-Identifier: Apache-2.0
// results_hash: what the output hash of a full replay of a trace must be, had the tile given the
// results that the trace has beside its operands (O, GA and GW). No model runs here.
#include <fmt/format.h>

#include <cstdint>
#include <stdexcept>

#include "base/configuration/preset.hpp"
#include "base/support/program.hpp"
#include "sim/arithmetic/arith.hpp"
#include "sim/cycles/operand_choice.hpp"
#include "sim/trace/trace.hpp"
#include "verify/trained/reference_passes.hpp"

namespace td::verify {
namespace {

class ResultsHash {
 public:
  ResultsHash(const Config& config, const sim::Trace& trace) : config_(config), trace_(trace) {}

  void run() {
    const sim::TraceOperands operands(trace_);
    for (const sim::LayerInfo& layer : trace_.layers()) {
      refuse_nonfinite(layer);
      const sim::LayerZeros zeros = count_zeros(operands, layer, config_.format);
      for (const sim::Op op : sim::operations(layer)) {
        add(layer, op, zero_shares(layer, op, zeros).scheduled());
      }
    }
    fmt::print("{} results, output hash {:016x}\n", results_, hash_);
  }

 private:
  /// Then no pass has a flag, which the hash is of, too.
  void refuse_nonfinite(const sim::LayerInfo& layer) const {
    for (const sim::Operand operand : {sim::Operand::A, sim::Operand::W, sim::Operand::GO}) {
      for (const std::uint32_t bits : load_bits(trace_.tensor(layer, operand), config_.format)) {
        if (sim::is_nonfinite(config_.format, bits)) {
          throw std::runtime_error(sim::path(layer) + " has an operand that is not finite");
        }
      }
    }
  }

  void add(const sim::LayerInfo& layer, sim::Op op, sim::Which scheduled) {
    const sim::TensorView* stored = trace_.result(layer, op);
    if (stored == nullptr) throw std::runtime_error(sim::path(layer) + " has no results");
    const Bits results = load_bits(*stored, config_.output);
    const sim::Mapping mapping(layer, op, config_.lanes);
    each_pass(config_, mapping, scheduled, [&](const sim::Block& block, const sim::Pass& streams) {
      for (int pe = 0; pe < config_.rows * config_.columns; ++pe) {
        const std::int64_t at = output_of(mapping, block, streams, scheduled, pe / config_.columns,
                                          pe % config_.columns);
        add(at < 0 ? 0 : results[static_cast<std::size_t>(at)]);
        add(0);  // the flag
        results_ += at < 0 ? 0 : 1;
      }
    });
  }

  /// As Scoreboard::output_hash() is formed.
  void add(std::uint32_t value) { hash_ = (hash_ ^ value) * 0x100000001b3u; }

  Config config_;
  const sim::Trace& trace_;
  std::uint64_t hash_ = 0xcbf29ce484222325u;
  std::int64_t results_ = 0;
};

}  // namespace
}  // namespace td::verify

int main(int argc, char** argv) {
  return td::run_program("results_hash", [&] {
    if (argc != 3) throw td::UserError("results_hash: give a configuration and a trace");
    const td::Config config = td::find_config(argv[1]);
    const td::sim::Trace trace(argv[2]);
    td::verify::ResultsHash(config, trace).run();
    return td::kExitPass;
  });
}
