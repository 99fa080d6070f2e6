// SPDX-License-Identifier: Apache-2.0
#include "verify/plain/plain_storage.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "sim/mapping/mapping.hpp"
#include "sim/model/tile.hpp"
#include "verify/plain/plain_cycles.hpp"

namespace td::verify {
namespace {

using sim::Operand;
using sim::RunRows;
using Indices = std::vector<std::int64_t>;  ///< [row][lane]; -1: no channel

Config single_pe(Config config) {
  config.rows = config.columns = 1;
  config.scheduling = Scheduling::one_sided;
  return config;
}

/// The runs of a tensor, by their first element.
std::map<std::int64_t, Indices> runs_of(const sim::LayerInfo& layer, Operand operand, int lanes) {
  const sim::Shape& shape = layer.shape(operand);
  const std::int64_t positions = shape.size() == 4 ? shape[2] * shape[3] : 1;
  const std::int64_t channels = operand == Operand::W ? shape[1] : shape[1] / layer.conv.groups;
  std::map<std::int64_t, Indices> runs;
  for (std::int64_t slab = 0; slab < shape[0]; ++slab) {
    for (std::int64_t group = 0; group < shape[1] / channels; ++group) {
      for (std::int64_t position = 0; position < positions; ++position) {
        Indices indices;
        for (std::int64_t channel = 0; channel < channels; ++channel) {
          indices.push_back((slab * shape[1] + group * channels + channel) * positions + position);
        }
        while (indices.size() % static_cast<std::size_t>(lanes) != 0) indices.push_back(-1);
        runs[indices.front()] = indices;
      }
    }
  }
  return runs;
}

class PlainRuns {
 public:
  PlainRuns(const Config& config, std::vector<bool> nonzero)
      : config_(config), tile_(config), nonzero_(std::move(nonzero)) {}

  RunRows rows(const Indices& indices) {
    const auto lanes = static_cast<std::size_t>(config_.lanes);
    RunRows rows;
    rows.plain = static_cast<std::int64_t>(indices.size() / lanes);
    sim::PassData pass{{rows.plain}, std::vector<std::uint32_t>(indices.size(), 0), {}, {false}};
    std::int64_t bits = 0;
    for (std::int64_t index : indices) {
      const bool set = index >= 0 && nonzero_[static_cast<std::size_t>(index)];
      pass.b.push_back(set ? 1 : 0);
      if (index >= 0) ++bits;
      if (set) bits += stored_width(config_.format);
    }
    sim::PassResult result;
    tile_.run(pass, result);
    rows.scheduled = result.cycles;
    for (; bits > 0; bits -= config_.lanes * stored_width(config_.format)) ++rows.zero_compressed;
    return rows;
  }

 private:
  Config config_;
  sim::TileModel tile_;
  std::vector<bool> nonzero_;
};

}  // namespace

PlainStorage plain_storage(const Config& config, const sim::OperandSource& source,
                           const sim::LayerInfo& layer, sim::Op op, Operand operand) {
  const sim::Mapping mapping(layer, op, config.lanes);
  const std::map<std::int64_t, Indices> runs = runs_of(layer, operand, config.lanes);
  PlainRuns plain(single_pe(config), plain_nonzero(source, layer, operand, config.format));
  PlainStorage result;
  result.streamed.resize(mapping.blocks().pattern().size());
  std::map<std::int64_t, RunRows> rows;
  for (const auto& [first, indices] : runs) {
    rows[first] = plain.rows(indices);
    result.stored.add(rows[first], 1);
    ++result.runs;
  }
  const bool is_first = mapping.first() == operand;
  const std::size_t run = runs.begin()->second.size();
  for (std::size_t i = 0; i < mapping.blocks().size(); ++i) {
    const sim::Block block = mapping.blocks()[i];
    if (!is_first && block.image > 0) continue;  // the same filters again
    const std::int64_t streams = is_first ? block.first_streams : block.second_streams;
    for (std::int64_t stream = 0; stream < streams; ++stream) {
      Indices indices(static_cast<std::size_t>(block.rows() * config.lanes));
      mapping.gather_indices(block, is_first ? sim::Which::first : sim::Which::second, stream,
                             indices.data());
      for (std::size_t at = 0; at < indices.size(); at += run) {
        const Indices read(
            indices.begin() + static_cast<std::ptrdiff_t>(at),
            indices.begin() + static_cast<std::ptrdiff_t>(std::min(at + run, indices.size())));
        if (std::all_of(read.begin(), read.end(), [](std::int64_t one) { return one < 0; })) {
          continue;  // padding
        }
        const auto found = runs.find(read.front());
        if (found == runs.end() || found->second != read) {
          throw std::logic_error("plain_storage: a stream reads what is no run");
        }
        result.streamed[i % result.streamed.size()].add(rows[read.front()], 1);
      }
    }
  }
  return result;
}

}  // namespace td::verify
