// SPDX-License-Identifier: Apache-2.0
#include "sim/system/placement/split.hpp"

#include <algorithm>

namespace td::job {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Sums along one path differ from another's in their last digits; none may hide an optimum.
constexpr double kRounding = 1e-11;

/// The time of a set of blocks that grows and shrinks by the last.
struct Load {
  double accelerator = 0;  ///< times of its blocks
  double cpu = 0;
  double memory = 0;
  double transfers = 0;
  bool supported = true;
};

/// Which signals cross the border of a set.
class Border {
 public:
  explicit Border(const BlockGraph& graph)
      : graph_(graph),
        takers_(graph.signals.size()),
        inside_(graph.signals.size()),
        made_(graph.blocks.size()),
        taken_(graph.blocks.size()) {
    for (std::uint32_t s = 0; s < graph.signals.size(); ++s) {
      made_[graph.signals[s].home].push_back(s);
      for (const std::uint32_t block : graph.signals[s].to) taken_[block].push_back(s);
    }
  }

  /// The load with one block more.
  Load add(Load load, std::uint32_t block) {
    const Block& one = graph_.blocks[block];
    load.accelerator += one.accelerator_time;
    load.cpu += one.cpu_time;
    load.memory += one.memory_bytes;
    load.supported = load.supported && one.supported;
    for (const std::uint32_t s : taken_[block]) {
      const Signal& signal = graph_.signals[s];
      ++takers_[s];
      if (inside_[s] && takers_[s] == signal.to.size()) load.transfers -= signal.time;
      if (!inside_[s] && takers_[s] == 1) load.transfers += signal.time;
    }
    for (const std::uint32_t s : made_[block]) {
      const Signal& signal = graph_.signals[s];
      if (takers_[s] > 0) load.transfers -= signal.time;
      if (takers_[s] < signal.to.size()) load.transfers += signal.time;
      inside_[s] = 1;
    }
    return load;
  }

  /// Takes back what add() counted.
  void remove(std::uint32_t block) {
    for (const std::uint32_t s : taken_[block]) --takers_[s];
    for (const std::uint32_t s : made_[block]) inside_[s] = 0;
  }

 private:
  const BlockGraph& graph_;
  std::vector<std::uint32_t> takers_;  ///< of each signal's takers, how many are in the set
  std::vector<std::uint8_t> inside_;   ///< whether its home is
  std::vector<std::vector<std::uint32_t>> made_;
  std::vector<std::vector<std::uint32_t>> taken_;
};

/// The best load of an ideal on so many devices, and its last part: it begins at ideal `from`.
struct Cell {
  double load = kInfinite;
  std::uint32_t from = 0;
  bool cpu = false;
};

/// Ideals in their order; each is extended by every part that a device can bear under the bound.
class Search {
 public:
  Search(const BlockGraph& graph, const Ideals& ideals, const Devices& devices, double bound)
      : ideals_(ideals),
        devices_(devices),
        bound_(bound * (1 + kRounding)),
        border_(graph),
        row_(static_cast<std::size_t>(devices.accelerators) + 1),
        cells_(ideals.size() * row_ * (static_cast<std::size_t>(devices.cpus) + 1)),
        seen_(ideals.size()) {
    at(0, 0, 0).load = 0;
    for (from_ = 0; from_ < ideals.size(); ++from_) {
      leave_idle();
      if (last(from_).load < kInfinite) extend(from_, Load{});
    }
  }

  /// The blocks of each part, from the first ideal on; none when no split fits.
  std::vector<Part> parts() const {
    std::vector<Part> found;
    auto ideal = static_cast<std::uint32_t>(ideals_.size() - 1);
    if (last(ideal).load == kInfinite) return found;
    auto accelerators = static_cast<std::size_t>(devices_.accelerators);
    auto cpus = static_cast<std::size_t>(devices_.cpus);
    while (ideal != 0) {
      const Cell& cell = at(ideal, cpus, accelerators);
      found.push_back({cell.cpu, path(cell.from, ideal)});
      (cell.cpu ? cpus : accelerators) -= 1;
      ideal = cell.from;
    }
    std::reverse(found.begin(), found.end());
    return found;
  }

 private:
  Cell& at(std::size_t ideal, std::size_t cpus, std::size_t accelerators) {
    return cells_[(ideal * (static_cast<std::size_t>(devices_.cpus) + 1) + cpus) * row_ +
                  accelerators];
  }
  const Cell& at(std::size_t ideal, std::size_t cpus, std::size_t accelerators) const {
    return const_cast<Search*>(this)->at(ideal, cpus, accelerators);
  }

  /// On all devices.
  const Cell& last(std::size_t ideal) const {
    return at(ideal, static_cast<std::size_t>(devices_.cpus),
              static_cast<std::size_t>(devices_.accelerators));
  }

  /// What fits on some devices fits on more.
  void leave_idle() {
    for (std::size_t c = 0; c <= static_cast<std::size_t>(devices_.cpus); ++c) {
      for (std::size_t k = 0; k < row_; ++k) {
        Cell& cell = at(from_, c, k);
        if (k > 0 && at(from_, c, k - 1).load < cell.load) cell = at(from_, c, k - 1);
        if (c > 0 && at(from_, c - 1, k).load < cell.load) cell = at(from_, c - 1, k);
      }
    }
  }

  /// Visits all ideals that a part can end in; `load` is that of the part so far. Times of blocks
  /// only grow with it, transfers do not: no part is cut off because of them.
  void extend(std::uint32_t ideal, const Load& load) {
    for (std::size_t i = ideals_.begin[ideal]; i < ideals_.begin[ideal + 1]; ++i) {
      const auto [block, next] = ideals_.steps[i];
      if (seen_[next] == from_ + 1) continue;
      seen_[next] = from_ + 1;
      const Load grown = border_.add(load, block);
      const bool accelerator = devices_.accelerators > 0 && grown.supported &&
                               grown.memory <= devices_.memory_bytes && grown.accelerator <= bound_;
      const bool cpu = devices_.cpus > 0 && grown.cpu <= bound_;
      if (accelerator) offer_accelerator(next, grown.accelerator + grown.transfers);
      if (cpu) offer_cpu(next, grown.cpu);
      if (accelerator || cpu) extend(next, grown);
      border_.remove(block);
    }
  }

  void offer_accelerator(std::uint32_t next, double load) {
    if (load > bound_) return;
    for (std::size_t c = 0; c <= static_cast<std::size_t>(devices_.cpus); ++c) {
      for (std::size_t k = 1; k < row_; ++k) {
        improve(at(next, c, k), std::max(load, at(from_, c, k - 1).load), false);
      }
    }
  }

  void offer_cpu(std::uint32_t next, double load) {
    for (std::size_t c = 1; c <= static_cast<std::size_t>(devices_.cpus); ++c) {
      for (std::size_t k = 0; k < row_; ++k) {
        improve(at(next, c, k), std::max(load, at(from_, c - 1, k).load), true);
      }
    }
  }

  void improve(Cell& cell, double load, bool cpu) const {
    if (load < cell.load) cell = {load, from_, cpu};
  }

  /// Blocks by which one ideal becomes another: a walk back from those that can become it.
  std::vector<std::uint32_t> path(std::uint32_t from, std::uint32_t to) const {
    std::vector<Ideals::Step> came(ideals_.size(), {0, UINT32_MAX});
    std::vector<std::uint32_t> reached = {from};
    for (std::size_t done = 0; done < reached.size() && came[to].next == UINT32_MAX; ++done) {
      for (std::size_t i = ideals_.begin[reached[done]]; i < ideals_.begin[reached[done] + 1];
           ++i) {
        const auto [block, next] = ideals_.steps[i];
        if (came[next].next != UINT32_MAX) continue;
        came[next] = {block, reached[done]};
        reached.push_back(next);
      }
    }
    std::vector<std::uint32_t> blocks;
    for (std::uint32_t at = to; at != from; at = came[at].next) blocks.push_back(came[at].block);
    std::reverse(blocks.begin(), blocks.end());
    return blocks;
  }

  const Ideals& ideals_;
  Devices devices_;
  double bound_;
  Border border_;
  std::size_t row_;          ///< cells of one number of CPUs
  std::vector<Cell> cells_;  ///< of each ideal, number of CPUs, number of accelerators
  std::vector<std::uint32_t> seen_;
  std::uint32_t from_ = 0;
};

}  // namespace

double load_of(const OperatorGraph& graph, const std::vector<bool>& here, bool cpu) {
  std::vector<bool> crosses(graph.nodes.size());
  for (const auto [from, to] : graph.edges) {
    if (here[from] != here[to]) crosses[from] = true;
  }
  double load = 0;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const OperatorNode& node = graph.nodes[i];
    if (here[i]) load += cpu ? node.cpu_time : node.accelerator_time;
    if (crosses[i] && !cpu) load += node.transfer_time;
  }
  return load;
}

double load_of(const OperatorGraph& graph, const BlockGraph& blocks, const Part& part) {
  std::vector<bool> in_part(blocks.blocks.size());
  for (const std::uint32_t block : part.blocks) in_part[block] = true;
  std::vector<bool> here;
  for (const std::uint32_t block : blocks.of_node) here.push_back(in_part[block]);
  return load_of(graph, here, part.cpu);
}

Split best_split(const OperatorGraph& graph, const BlockGraph& blocks, const Ideals& ideals,
                 const Devices& devices, double bound) {
  Split split;
  split.parts = Search(blocks, ideals, devices, bound).parts();
  if (split.parts.empty()) return split;
  split.max_load = 0;
  for (const Part& part : split.parts) {
    split.max_load = std::max(split.max_load, load_of(graph, blocks, part));
  }
  return split;
}

}  // namespace td::job
