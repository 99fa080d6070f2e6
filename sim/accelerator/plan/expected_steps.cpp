// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/plan/expected_steps.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "sim/accelerator/steps/group_queue.hpp"
#include "sim/mapping/mapping.hpp"

namespace td::sim {

namespace {

constexpr std::size_t kGroups = 32;     // that are drawn
constexpr std::int64_t kMostRows = 32;  // that are scheduled; longer streams go on alike

/// Masks [stream][row].
template <class Mask>
std::vector<Mask> draw_masks(int lanes, std::size_t streams, double zeros) {
  std::mt19937 random;  // its default seed
  const auto bound = static_cast<std::uint64_t>(zeros * 4294967296.0);
  std::vector<Mask> masks(streams * kMostRows);
  for (Mask& mask : masks) {
    for (int lane = 0; lane < lanes; ++lane) {
      mask = static_cast<Mask>(mask | static_cast<Mask>(Mask{random() >= bound} << lane));
    }
  }
  return masks;
}

}  // namespace

ExpectedSteps::ExpectedSteps(const Config& config, double zeros) {
  if (config.lanes <= 16) {
    schedule<std::uint16_t>(config, zeros);
  } else if (config.lanes <= 32) {
    schedule<std::uint32_t>(config, zeros);
  } else {
    schedule<std::uint64_t>(config, zeros);
  }
}

template <class Mask>
void ExpectedSteps::schedule(const Config& config, double zeros) {
  const auto together = static_cast<std::size_t>(config.rows);
  const std::size_t streams = kGroups * together;
  const auto masks = draw_masks<Mask>(config.lanes, streams, zeros);
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
