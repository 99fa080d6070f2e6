// SPDX-License-Identifier: Apache-2.0
#include "sim/system/partition/states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <queue>

#include "base/support/error.hpp"

namespace td::job {

namespace {

constexpr std::size_t kMostStates = 4096;

using Antichain = std::vector<std::uint32_t>;  // ascending

/// The graph of antichains, found from a source.
class AntichainWalk {
 public:
  AntichainWalk(const NetworkProfile& profile, const std::string& source)
      : profile_(profile), source_(source), ancestors_(ancestors_of(profile, source)) {
    const std::size_t count = profile.layers.size();
    next_.resize(count);
    descendants_.assign(count, NodeSet(count));
    for (const auto [from, to] : profile.edges) next_[from].push_back(to);
    for (std::size_t to = 0; to < count; ++to) {
      for (std::size_t from = 0; from < count; ++from) {
        if (ancestors_[to].contains(from)) descendants_[from].insert(to);
      }
    }
    // The walk starts at the first source alone; the others come in as what members need.
    const auto source_of_all = std::find(ancestors_.begin(), ancestors_.end(), NodeSet(count));
    id_of({static_cast<std::uint32_t>(source_of_all - ancestors_.begin())});
    for (std::size_t id = 0; id < antichains_.size(); ++id) {
      for (const Antichain& one : next_antichains(augmented_[id], antichains_[id])) {
        const std::uint32_t after = id_of(one);
        if (std::count(after_[id].begin(), after_[id].end(), after) == 0) {
          after_[id].push_back(after);
        }
      }
    }
  }

  /// The layers of a state and all that they need.
  NodeSet below(std::size_t id) const {
    NodeSet all(profile_.layers.size());
    for (const std::uint32_t member : antichains_[id]) {
      all |= ancestors_[member];
      all.insert(member);
    }
    return all;
  }

  /// Sums of one state; `earlier` stays empty.
  CutState sums(std::size_t id) const {
    CutState state;
    const NodeSet below = this->below(id);
    for (std::size_t i = 0; i < profile_.layers.size(); ++i) {
      if (!below.contains(i)) continue;
      const ProfiledLayer& layer = profile_.layers[i];
      state.seconds += layer.forward + layer.backward;
      state.forward += layer.forward;
      state.parameters += layer.parameters;
      state.activation += layer.activation;
    }
    for (const std::uint32_t i : augmented_[id]) state.output += profile_.layers[i].activation;
    return state;
  }

  bool is_whole(std::size_t id) const {
    const NodeSet all = below(id);
    for (std::size_t i = 0; i < profile_.layers.size(); ++i) {
      if (!all.contains(i)) return false;
    }
    return true;
  }

  /// States that follow each.
  const std::vector<std::vector<std::uint32_t>>& after() const { return after_; }

 private:
  std::uint32_t id_of(const Antichain& antichain) {
    const auto [found, is_new] =
        ids_.emplace(antichain, static_cast<std::uint32_t>(antichains_.size()));
    if (is_new) {
      if (antichains_.size() == kMostStates) {
        throw UserError(source_, "states", fmt::format("more than {}", kMostStates),
                        fmt::format("at most {} cuts of the graph", kMostStates));
      }
      antichains_.push_back(antichain);
      augmented_.push_back(augmented(antichain));
      after_.emplace_back();
    }
    return found->second;
  }

  /// With the ancestors of members that still feed a layer beside that member's ancestors.
  Antichain augmented(const Antichain& antichain) const {
    Antichain all = antichain;
    for (const std::uint32_t member : antichain) {
      for (const auto [from, to] : profile_.edges) {
        if (!ancestors_[member].contains(from)) continue;
        if (!ancestors_[member].contains(to) && to != member) all.push_back(from);
      }
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  std::vector<Antichain> next_antichains(const Antichain& all, const Antichain& members) const {
    NodeSet in_all(profile_.layers.size());
    for (const std::uint32_t i : all) in_all.insert(i);
    std::vector<Antichain> found;
    for (const std::uint32_t old : all) {
      for (const std::uint32_t layer : next_[old]) {
        if (std::binary_search(members.begin(), members.end(), layer)) continue;
        if (descendants_[layer].meets(in_all)) continue;
        found.push_back(replaced(all, old, layer));
      }
    }
    return found;
  }

  /// `all` with `layer` instead of `old`, without members that another member needs.
  Antichain replaced(const Antichain& all, std::uint32_t old, std::uint32_t layer) const {
    Antichain changed;
    for (const std::uint32_t i : all) changed.push_back(i == old ? layer : i);
    Antichain kept;
    for (const std::uint32_t i : changed) {
      const bool needed = std::any_of(changed.begin(), changed.end(), [&](std::uint32_t other) {
        return ancestors_[other].contains(i);
      });
      if (!needed) kept.push_back(i);
    }
    std::sort(kept.begin(), kept.end());
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    return kept;
  }

  const NetworkProfile& profile_;
  const std::string& source_;
  std::vector<NodeSet> ancestors_;
  std::vector<NodeSet> descendants_;
  std::vector<std::vector<std::uint32_t>> next_;
  std::map<Antichain, std::uint32_t> ids_;
  std::vector<Antichain> antichains_;
  std::vector<Antichain> augmented_;
  std::vector<std::vector<std::uint32_t>> after_;
};

/// Ids in an order in which every one comes after those that lead to it; smallest first.
std::vector<std::uint32_t> topological(const std::vector<std::vector<std::uint32_t>>& after) {
  std::vector<std::size_t> waiting(after.size());
  for (const auto& ids : after) {
    for (const std::uint32_t id : ids) ++waiting[id];
  }
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  for (std::uint32_t id = 0; id < after.size(); ++id) {
    if (waiting[id] == 0) ready.push(id);
  }
  std::vector<std::uint32_t> order;
  while (!ready.empty()) {
    const std::uint32_t id = ready.top();
    ready.pop();
    order.push_back(id);
    for (const std::uint32_t next : after[id]) {
      if (--waiting[next] == 0) ready.push(next);
    }
  }
  return order;
}

}  // namespace

std::vector<CutState> cut_states(const NetworkProfile& profile, const std::string& source) {
  const AntichainWalk walk(profile, source);
  const std::vector<std::uint32_t> order = topological(walk.after());
  if (order.size() != walk.after().size() || !walk.is_whole(order.back())) {
    throw UserError(source, "edges", "(no cut is the whole network)", "a graph that can be cut");
  }
  std::vector<std::uint32_t> index(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) index[order[i]] = i;
  std::vector<CutState> states;
  std::vector<NodeSet> reached(order.size(), NodeSet(order.size()));
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    states.push_back(walk.sums(order[i]));
    for (std::uint32_t k = 0; k < i; ++k) {
      if (reached[i].contains(k)) states[i].earlier.push_back(k);
    }
    for (const std::uint32_t next : walk.after()[order[i]]) {
      reached[index[next]] |= reached[i];
      reached[index[next]].insert(i);
    }
  }
  return states;
}

}  // namespace td::job
