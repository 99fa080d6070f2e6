// SPDX-License-Identifier: Apache-2.0
#include "sim/system/stalls/cache.hpp"

#include <algorithm>
#include <cmath>
#include <list>
#include <numeric>
#include <optional>
#include <random>
#include <vector>

namespace td::job {
namespace {

/// One server's cache.
class Cache {
 public:
  Cache(std::uint32_t samples, std::uint32_t room, CachePolicy policy)
      : room_(room), policy_(policy), entry_of_(samples) {}

  bool holds(std::uint32_t sample) const { return entry_of_[sample].has_value(); }

  /// After a read of a sample that it holds.
  void touch(std::uint32_t sample) {
    if (policy_ == CachePolicy::least_recently_used) {
      order_.splice(order_.end(), order_, *entry_of_[sample]);
    }
  }

  /// After a read of one that it does not hold.
  void insert(std::uint32_t sample) {
    if (room_ == 0) return;
    if (order_.size() == room_) {
      if (policy_ == CachePolicy::fill_once) return;
      entry_of_[order_.front()].reset();
      order_.pop_front();
    }
    entry_of_[sample] = order_.insert(order_.end(), sample);
  }

 private:
  std::size_t room_;
  CachePolicy policy_;
  std::list<std::uint32_t> order_;  ///< the oldest first
  std::vector<std::optional<std::list<std::uint32_t>::iterator>> entry_of_;
};

class Simulation {
 public:
  explicit Simulation(const CacheStudy& study)
      : study_(study),
        random_(study.seed),
        caches_(study.servers, Cache(study.samples, study.room, study.policy)) {}

  CacheReads run() {
    for (std::uint32_t epoch = 0; epoch < study_.epochs; ++epoch) {
      if (epoch == 1) reads_ = {};
      read_epoch();
    }
    const double counted = study_.epochs - 1;
    return {reads_.local / counted, reads_.remote / counted, reads_.disk / counted};
  }

 private:
  std::vector<std::uint32_t> drawn_order() {
    std::vector<std::uint32_t> order(study_.samples);
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), random_);
    return order;
  }

  /// Jobs go at one pace, servers too: reads of the same position follow one another.
  void read_epoch() {
    const bool apart = study_.sharing != CacheSharing::coordinated;
    std::vector<std::vector<std::uint32_t>> orders;
    for (std::uint32_t job = 0; job < (apart ? study_.jobs : 1); ++job) {
      orders.push_back(drawn_order());
    }
    for (std::uint32_t i = 0; i < study_.samples; ++i) {
      for (const std::vector<std::uint32_t>& order : orders) read(i % study_.servers, order[i]);
    }
  }

  void read(std::uint32_t server, std::uint32_t sample) {
    if (caches_[server].holds(sample)) {
      caches_[server].touch(sample);
      ++reads_.local;
      return;
    }
    if (study_.sharing == CacheSharing::partitioned) {
      for (Cache& other : caches_) {
        if (!other.holds(sample)) continue;
        other.touch(sample);
        ++reads_.remote;
        return;
      }
    }
    ++reads_.disk;
    caches_[server].insert(sample);
  }

  const CacheStudy& study_;
  std::mt19937_64 random_;
  std::vector<Cache> caches_;
  CacheReads reads_;
};

}  // namespace

CacheReads simulate_cache(const CacheStudy& study) { return Simulation(study).run(); }

double expected_lru_hits(double room_share) {
  const double rest = 1 - room_share;
  return rest <= 0 ? 1 : room_share + rest * std::log(rest);
}

}  // namespace td::job
