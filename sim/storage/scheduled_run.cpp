// SPDX-License-Identifier: Apache-2.0
#include "sim/storage/scheduled_run.hpp"

#include <algorithm>

#include "sim/arithmetic/arith.hpp"

namespace td::sim {

ScheduledRuns::ScheduledRuns(const Config& config)
    : config_(config), layout_(config), scheduler_(config) {}

std::vector<std::vector<bool>> ScheduledRuns::write(
    const std::vector<std::uint32_t>& operands) const {
  const auto lanes = static_cast<std::size_t>(config_.lanes);
  const std::size_t rows = operands.size() / lanes;
  // Beyond the run nothing can be taken.
  std::vector<LaneMask> pending(rows + static_cast<std::size_t>(config_.depth), 0);
  for (std::size_t i = 0; i < rows * lanes; ++i) {
    const bool effectual = !is_zero(config_.format, operands[i]);
    pending[i / lanes] |= LaneMask{effectual} << i % lanes;
  }
  std::vector<std::vector<bool>> packed;
  for (std::size_t first = 0; first < rows;) {
    Choice choice;
    scheduler_.choose(&pending[first], choice);
    ScheduledRow row{std::vector<std::uint32_t>(lanes, 0), std::vector<int>(lanes, 0), 0};
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      for (std::size_t p = 0; p < config_.options.size(); ++p) {
        if ((choice.lanes[p] >> lane & 1) == 0) continue;
        const Option option = config_.options[p];
        const auto source =
            static_cast<std::size_t>(source_lane(static_cast<int>(lane), option, config_.lanes));
        row.values[lane] =
            operands[(first + static_cast<std::size_t>(option.step)) * lanes + source];
        row.selects[lane] = static_cast<int>(p);
      }
    }
    const std::size_t end = std::min(rows, first + static_cast<std::size_t>(config_.depth));
    for (; first < end && pending[first] == 0; ++first) ++row.advance;
    packed.push_back(layout_.pack(row));
  }
  return packed;
}

std::vector<StoredElement> ScheduledRuns::elements(const ScheduledRow& row, std::int64_t first,
                                                   std::int64_t rows) const {
  std::vector<StoredElement> elements;
  for (int lane = 0; lane < config_.lanes; ++lane) {
    const auto at = static_cast<std::size_t>(lane);
    const auto select = static_cast<std::size_t>(row.selects[at]);
    if (row.values[at] == 0) {
      if (select != 0) throw BadRun("scheduled run: a lane without an element selects one");
      continue;
    }
    if (is_zero(config_.format, row.values[at])) throw BadRun("scheduled run: a zero was stored");
    if (select >= config_.options.size()) throw BadRun("scheduled run: no such option");
    const Option option = config_.options[select];
    if (first + option.step >= rows) throw BadRun("scheduled run: an element behind the end");
    elements.push_back(
        {lane, (first + option.step) * config_.lanes + source_lane(lane, option, config_.lanes),
         row.values[at]});
  }
  return elements;
}

std::vector<std::vector<StoredElement>> ScheduledRuns::steps(
    const std::vector<std::vector<bool>>& packed, std::int64_t rows) const {
  std::vector<bool> taken(static_cast<std::size_t>(rows * config_.lanes), false);
  std::vector<std::vector<StoredElement>> steps;
  std::int64_t first = 0;
  for (const std::vector<bool>& bits : packed) {
    const ScheduledRow row = layout_.unpack(bits);
    steps.push_back(elements(row, first, rows));
    for (const StoredElement& one : steps.back()) {
      const auto at = static_cast<std::size_t>(one.element);
      if (taken[at]) throw BadRun("scheduled run: an element twice");
      taken[at] = true;
    }
    first += row.advance;
    if (row.advance > config_.depth) throw BadRun("scheduled run: an advance beyond the depth");
  }
  if (first != rows) throw BadRun("scheduled run: advances that do not add up to the rows");
  return steps;
}

std::vector<std::uint32_t> ScheduledRuns::restore(const std::vector<std::vector<bool>>& packed,
                                                  std::int64_t rows) const {
  std::vector<std::uint32_t> operands(static_cast<std::size_t>(rows * config_.lanes), 0);
  for (const std::vector<StoredElement>& step : steps(packed, rows)) {
    for (const StoredElement& one : step) {
      operands[static_cast<std::size_t>(one.element)] = one.value;
    }
  }
  return operands;
}

}  // namespace td::sim
