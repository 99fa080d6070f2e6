// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/plan/expected_steps.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "sim/accelerator/steps/group_queue.hpp"
#include "sim/mapping/mapping.hpp"

namespace td::sim {

namespace {

constexpr std::size_t kGroups = 32;     // that are drawn
constexpr std::int64_t kMostRows = 32;  // that are scheduled; longer streams go on alike

// The law of sim/networks/README.md, with its parameter as the traces of verify/traces have it.
constexpr double kSpread = 0.8;

/// From 0 to 1.
double drawn(std::mt19937& random) { return static_cast<double>(random()) / 4294967296.0; }

double share_of_channel(double zeros, std::mt19937& random) {
  if (zeros <= 0 || zeros >= 1) return zeros;
  return (1 - kSpread) * zeros + kSpread * (1 - std::pow(drawn(random), zeros / (1 - zeros)));
}

/// Masks [stream][row], of groups of `together` streams.
template <class Mask>
std::vector<Mask> draw_masks(int lanes, std::size_t streams, std::size_t together, double zeros,
                             ZeroSpread spread) {
  std::mt19937 random;  // its default seed
  std::vector<double> shares(static_cast<std::size_t>(lanes), zeros);
  std::vector<Mask> masks;
  for (std::size_t stream = 0; stream < streams; ++stream) {
    if (spread == ZeroSpread::streams) {
      std::fill(shares.begin(), shares.end(), share_of_channel(zeros, random));
    } else if (spread == ZeroSpread::lanes && stream % together == 0) {
      for (double& share : shares) share = share_of_channel(zeros, random);
    }
    for (std::int64_t row = 0; row < kMostRows; ++row) {
      Mask mask = 0;
      for (std::size_t lane = 0; lane < shares.size(); ++lane) {
        mask = static_cast<Mask>(mask |
                                 static_cast<Mask>(Mask{drawn(random) >= shares[lane]} << lane));
      }
      masks.push_back(mask);
    }
  }
  return masks;
}

}  // namespace

ExpectedSteps::ExpectedSteps(const Config& config, double zeros, ZeroSpread spread) {
  if (config.lanes <= 16) {
    schedule<std::uint16_t>(config, zeros, spread);
  } else if (config.lanes <= 32) {
    schedule<std::uint32_t>(config, zeros, spread);
  } else {
    schedule<std::uint64_t>(config, zeros, spread);
  }
}

template <class Mask>
void ExpectedSteps::schedule(const Config& config, double zeros, ZeroSpread spread) {
  const auto together = static_cast<std::size_t>(config.rows);
  const std::size_t streams = kGroups * together;
  const auto masks = draw_masks<Mask>(config.lanes, streams, together, zeros, spread);
  GroupQueue<Mask> queue(config);
  std::vector<Mask> group;
  for (std::int64_t rows = 1; rows <= kMostRows; ++rows) {
    for (std::size_t first = 0; first < streams; first += together) {
      group.clear();
      for (std::size_t row = 0; row < together; ++row) {
        const auto stream = masks.begin() + static_cast<std::ptrdiff_t>((first + row) * kMostRows);
        group.insert(group.end(), stream, stream + rows);
      }
      queue.add(group.data(), rows);
    }
  }
  const std::vector<GroupSteps> steps = queue.take();
  drawn_.assign(kMostRows + 1, std::vector<std::int64_t>(kGroups));
  means_.assign(kMostRows + 1, 0);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    drawn_[i / kGroups + 1][i % kGroups] = steps[i].all;
  }
  for (std::size_t rows = 1; rows <= kMostRows; ++rows) {
    const auto& drawn = drawn_[rows];
    means_[rows] = std::accumulate(drawn.begin(), drawn.end(), 0.0) / kGroups;
  }
}

double ExpectedSteps::mean(std::int64_t rows) const {
  if (means_.empty()) return static_cast<double>(rows);
  if (rows <= kMostRows) return means_[static_cast<std::size_t>(rows)];
  return means_[kMostRows] * static_cast<double>(rows) / static_cast<double>(kMostRows);
}

std::int64_t ExpectedSteps::draw(std::int64_t rows, std::size_t group) const {
  if (drawn_.empty()) return rows;
  const std::size_t at = group % kGroups;
  if (rows <= kMostRows) return drawn_[static_cast<std::size_t>(rows)][at];
  return ceil_div(rows * drawn_[kMostRows][at], kMostRows);
}

}  // namespace td::sim
