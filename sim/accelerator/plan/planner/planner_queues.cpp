// SPDX-License-Identifier: Apache-2.0
// Loads and stores that stand further behind than where they are first wanted.
#include <algorithm>
#include <iterator>
#include <utility>

#include "sim/accelerator/plan/planner/planner_run.hpp"

namespace td::sim {

namespace {

constexpr std::int64_t kComputesAtWork = 3;  // filled in, worked on, outputs on their way

}  // namespace

void Planner::add_load() {
  const Later<LoadDescriptor> load = loads_.later.front();
  loads_.later.pop_front();
  while (jobs_.progress().stores < load.stores) add_store();
  jobs_.add(load.descriptor, {0, load.computes, load.stores});
  if (load.operation > operation_) ahead_.push_back(load.descriptor);
}

void Planner::add_store() {
  const Later<StoreDescriptor> store = stores_.later.front();
  stores_.later.pop_front();
  jobs_.add(store.descriptor, {0, store.computes, 0});
}

std::int64_t Planner::all_stores() const {
  return jobs_.progress().stores + static_cast<std::int64_t>(stores_.later.size());
}

/// The first and behind the last of what was computed there. None of them overlap.
std::pair<Planner::Results::const_iterator, Planner::Results::const_iterator> Planner::results_in(
    const Range& words) const {
  auto first = stored_.lower_bound(words.begin);
  if (first != stored_.begin() && std::prev(first)->second.words.end > words.begin) --first;
  return {first, stored_.lower_bound(words.end)};
}

/// Whether results there are still to be stored by a descriptor that stands further behind.
bool Planner::is_kept(const Range& words) const {
  const auto [first, end] = results_in(words);
  return std::any_of(first, end,
                     [&](const auto& one) { return one.second.stores > jobs_.progress().stores; });
}

/// Stores that have to be over before these words are written: those that stand further behind now
/// are added, with all before them. Computes are in order: what one waits for, the next need not.
std::int64_t Planner::stores_before(const Range& words) {
  const auto [first, end] = results_in(words);
  std::int64_t stores = 0;
  for (auto one = first; one != end; ++one) stores = std::max(stores, one->second.stores);
  stored_.erase(first, end);
  while (jobs_.progress().stores < stores) add_store();
  return stores;
}

/// Clocks of loads that stand behind each clock of this part's computes, if all of these take as
/// long as its first one: more than one where the bus takes longer than the tiles. Loads that only
/// stand behind the part's last compute begin when nothing is left to be computed meanwhile. Some
/// do all the same: what waits for the part before cannot stand behind the first two computes.
double Planner::load_rate(const Run& run) const {
  std::int64_t computes = 0, loads = 0;
  each_sub(run, run.parts[run.part], [&](const Place&, const Box&, const Range&, const Box& sums) {
    const auto chunks = static_cast<std::int64_t>(cut_box(sums, run.cut.chunk).size());
    computes += std::max<std::int64_t>(1, chunks);
  });
  for (const auto& load : loads_.later) loads += load.clocks;
  return std::max(1.0, static_cast<double>(loads) / static_cast<double>(computes * last_clocks_));
}

/// What may stand behind a compute that takes about so many clocks: nothing that waits for one of
/// the last three. The engine has these while a fourth one is held for it, and what waits between
/// them would hold up that fourth one.
void Planner::add_later(std::int64_t clocks) {
  const std::int64_t over = jobs_.progress().computes - kComputesAtWork;
  const auto may = [&](const auto& one) {
    return one.computes <= over || one.operation < operation_;
  };
  const auto each = [&](auto& queue, double rate, auto add) {
    const double all = rate * static_cast<double>(clocks);
    std::int64_t credit = static_cast<std::int64_t>(all) - queue.owed;
    while (!queue.later.empty() && credit > 0 && may(queue.later.front())) {
      credit -= queue.later.front().clocks;
      add();
    }
    queue.owed = std::max<std::int64_t>(0, -credit);
  };
  each(stores_, 1, [&] { add_store(); });
  each(loads_, load_rate_, [&] { add_load(); });
}

}  // namespace td::sim
