// SPDX-License-Identifier: Apache-2.0
// Passes from a trace: the operands of real layers, mapped as the accelerator would run them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "sim/cycles/operand_choice.hpp"
#include "sim/mapping/mapping.hpp"
#include "sim/mapping/selection.hpp"
#include "sim/replay/pass_source.hpp"
#include "sim/trace/operand_source.hpp"

namespace td::replay {

/// What to replay of a trace.
struct TraceSelection : sim::LayerSelection {
  /// Passes of each layer and operation, drawn without repetition; absent: all.
  std::optional<std::int64_t> passes;
  /// Passes of all that is selected together, instead: each layer and operation has its share by
  /// how many it has, drawn without repetition.
  std::optional<std::int64_t> passes_together;
  std::uint64_t seed = 1;
};

/// The operations that something of the trace is selected for, in the order of training. Throws
/// UserError when there is none.
std::vector<sim::Op> selected_ops(const sim::Trace& trace, const TraceSelection& selection);

/// Splits `passes` in proportion to `totals`, none getting more than its total; what rounding
/// leaves goes to the largest remainders.
std::vector<std::int64_t> proportional_shares(const std::vector<std::int64_t>& totals,
                                              std::int64_t passes);

class TraceSource : public PassSource {
 public:
  /// Throws UserError when nothing of the trace is selected. The trace must outlive the source.
  TraceSource(const sim::Trace& trace, const Config& config, const TraceSelection& selection);

  bool next(Pass& pass) override;
  std::vector<Tally> tallies() const override { return tallies_; }

  /// `snapshot/layer` of the selected layers without dgrad: their input needs no gradient.
  const std::vector<std::string>& without_dgrad() const { return without_dgrad_; }

 private:
  /// One layer and operation.
  struct Job {
    const sim::LayerInfo* layer;
    sim::Mapping mapping;
    sim::Which scheduled;
    double zero_share;                 ///< of the scheduled operand
    std::int64_t total;                ///< passes that there are
    std::vector<std::int64_t> chosen;  ///< numbers of the passes, ascending; over all blocks
    std::vector<std::int64_t> cycles;  ///< of the chosen passes, simulated
    std::vector<std::int64_t> zero_free_cycles;  ///< the same had the tensors no zeros
  };
  /// The streams of one side as they stand in the tile, kept while passes share them.
  struct Group {
    std::size_t block = 0;
    std::int64_t begin = -1;  ///< first stream; -1: none yet
    std::vector<std::uint32_t> bits;
  };

  void add_job(const sim::LayerInfo& layer, sim::Op op);
  void choose_passes(const TraceSelection& selection);
  void choose_passes(Job& job, std::int64_t count);
  void add_tally(const Job& job);
  void open_job();
  void load_operands(const sim::LayerInfo& layer, sim::Op op);
  const sim::LayerZeros& layer_zeros(const sim::LayerInfo& layer);
  std::int64_t job_passes(const sim::Mapping& mapping, sim::Which scheduled) const;
  void fill_group(sim::Which which, std::int64_t begin, std::int64_t count, Group& group);
  void fill_pass(std::int64_t number, Pass& pass);

  std::unique_ptr<sim::OperandSource> operands_;
  Config config_;
  std::vector<Job> jobs_;
  std::vector<Tally> tallies_;
  std::vector<std::string> without_dgrad_;
  std::mt19937_64 random_;

  std::size_t job_ = 0;                      ///< being replayed
  std::size_t position_ = 0;                 ///< in its chosen passes
  const sim::LayerInfo* counted_ = nullptr;  ///< the layer that zeros_ belongs to
  sim::LayerZeros zeros_;
  std::vector<std::uint32_t> first_bits_;
  std::vector<std::uint32_t> second_bits_;
  Group first_;
  Group second_;
  std::vector<std::int64_t> indices_;
  std::size_t block_ = 0;         ///< that of the pass before
  std::int64_t block_begin_ = 0;  ///< number of its first pass
};

}  // namespace td::replay
