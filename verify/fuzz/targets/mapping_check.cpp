// SPDX-License-Identifier: Apache-2.0
// The walk through a mapping: indices inside their tensors, every output once.
#include "verify/fuzz/targets/mapping_check.hpp"

#include <algorithm>
#include <vector>

#include "sim/mapping/mapping.hpp"
#include "verify/fuzz/target.hpp"

namespace td::verify {

namespace {

using sim::Block;
using sim::Mapping;
using sim::Which;

/// Indices, outputs and passes that are looked at in one mapping: an input stays quick.
constexpr std::int64_t kBudget = 1 << 13;

class Walk {
 public:
  Walk(const sim::LayerInfo& layer, const Mapping& mapping)
      : layer_(layer), mapping_(mapping), outputs_(sim::count(mapping.output_shape())) {}

  void run() {
    std::int64_t outputs = 0;
    for (const Block& block : mapping_.blocks()) {
      must(block.first_streams > 0 && block.second_streams > 0 && block.rows() >= 0,
           "blocks have streams");
      outputs += block.first_streams * block.second_streams;
      check_streams(block, Which::first, block.first_streams);
      check_streams(block, Which::second, block.second_streams);
      if (outputs_ <= kBudget) mark_outputs(block);
    }
    must(outputs == outputs_, "there are as many outputs as the tensor has elements");
    for (const Which scheduled : {Which::first, Which::second}) check_passes(scheduled);
  }

 private:
  /// All streams; with half of the budget used up the last one alone.
  void check_streams(const Block& block, Which which, std::int64_t streams) {
    for (std::int64_t stream = 0; stream < streams && work_ < kBudget; ++stream) {
      if (work_ > kBudget / 2) stream = streams - 1;
      check_stream(block, which, stream);
    }
  }

  void check_stream(const Block& block, Which which, std::int64_t stream) {
    constexpr std::int64_t untouched = -2;
    const std::int64_t entries = block.rows() * mapping_.lanes();
    work_ += entries + 1;
    const sim::Operand operand = sim::operand(mapping_.op(), which);
    const std::int64_t elements = sim::count(layer_.shape(operand));
    indices_.assign(static_cast<std::size_t>(entries) + 1, untouched);
    mapping_.gather_indices(block, which, stream, indices_.data());
    must(indices_.back() == untouched, "no index is written past the stream's end");
    for (std::size_t i = 0; i + 1 < indices_.size(); ++i) {
      must(indices_[i] >= -1 && indices_[i] < elements, "indices lie in their tensor");
    }
  }

  void mark_outputs(const Block& block) {
    made_.resize(static_cast<std::size_t>(outputs_), false);
    for (std::int64_t first = 0; first < block.first_streams; ++first) {
      for (std::int64_t second = 0; second < block.second_streams; ++second) {
        const std::int64_t index = mapping_.output_index(block, first, second);
        must(index >= 0 && index < outputs_, "outputs lie in their tensor");
        const auto place = static_cast<std::size_t>(index);
        must(!made_[place], "every output is made once");
        made_[place] = true;
      }
    }
  }

  void check_passes(Which scheduled) const {
    constexpr int rows = 4;
    constexpr int columns = 3;
    std::int64_t work = 0;
    std::int64_t cycles = 0;
    for (const Block& block : mapping_.blocks()) {
      const std::int64_t count = sim::passes(block, rows, columns, scheduled);
      cycles += count * block.rows();
      for (std::int64_t i = 0; i < count && work < kBudget; ++i, ++work) {
        const sim::Pass pass = sim::pass(block, rows, columns, scheduled, i);
        must(pass.first_count > 0 && pass.second_count > 0, "passes have streams");
        must(pass.first_begin + pass.first_count <= block.first_streams &&
                 pass.second_begin + pass.second_count <= block.second_streams,
             "passes have streams that exist");
      }
    }
    must(cycles == sim::dense_cycles(mapping_, rows, columns, scheduled), "dense cycles add up");
  }

  const sim::LayerInfo& layer_;
  const Mapping& mapping_;
  const std::int64_t outputs_;
  std::int64_t work_ = 0;
  std::vector<std::int64_t> indices_;
  std::vector<bool> made_;
};

}  // namespace

void check_mapping(const sim::LayerInfo& layer, sim::Op op, int lanes) {
  const Mapping mapping(layer, op, lanes);
  Walk(layer, mapping).run();
}

}  // namespace td::verify
