// SPDX-License-Identifier: Apache-2.0
// Functional coverage: what is said to be out of reach is, and what a tile does is counted.
#include "verify/replay/coverage/coverage.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "sim/model/scheduler.hpp"

namespace td::verify {
namespace {

const Bin& find(const Coverage& coverage, const std::string& name) {
  for (const Bin& bin : coverage.bins()) {
    if (bin.name == name) return bin;
  }
  FAIL("no bin " << name);
  return coverage.bins().front();
}

std::int64_t count(const Coverage& coverage, const std::string& name) {
  return find(coverage, name).count;
}

/// One PE of few lanes that search side B.
Config small_config(int lanes, int depth, const std::vector<Option>& options) {
  Config config;
  config.name = "small";
  config.lanes = lanes;
  config.depth = depth;
  config.rows = config.columns = 1;
  config.options = options;
  config.levels = colour_levels(options, lanes);
  return config;
}

/// Rows that move at both ports: the pairs that are effectual by the bits of `effectual`, which
/// side B decides, or side A if both are searched.
Seen offer(const Config& config, std::uint64_t effectual) {
  Seen seen;
  seen.open = seen.enable = true;
  seen.eligible = 1;
  seen.a.offered = seen.b.offered = seen.a.ready = seen.b.ready = config.depth;
  seen.last = 1u << (config.depth - 1);
  for (int i = 0; i < config.depth * config.lanes; ++i) {
    const std::uint32_t bits = (effectual >> i & 1) != 0 ? 0x3f80 : 0;
    const bool a_decides = config.scheduling == Scheduling::two_sided;
    seen.a.moved.push_back(a_decides ? bits : 0x3f80);
    seen.b.moved.push_back(a_decides ? 0x3f80 : bits);
  }
  return seen;
}

/// The step that the scheduler makes of them; all rows leave.
Seen step(const Config& config, const sim::Scheduler& scheduler, std::uint64_t effectual) {
  Seen seen;
  seen.open = seen.enable = seen.step = seen.final_step = true;
  seen.eligible = seen.advance = seen.a.held = seen.b.held = config.depth;
  seen.row_advance = {config.depth};
  std::vector<sim::LaneMask> window;
  for (int row = 0; row < config.depth; ++row) {
    window.push_back(effectual >> (row * config.lanes) & ((1u << config.lanes) - 1));
  }
  window.resize(sim::kMaximumDepth);
  sim::Choice choice;
  scheduler.choose(window.data(), choice);
  seen.selects.resize(static_cast<std::size_t>(config.lanes));
  for (std::size_t p = 0; p < config.options.size(); ++p) {
    for (std::size_t lane = 0; lane < seen.selects.size(); ++lane) {
      seen.selects[lane] |= (choice.lanes[p] >> lane & 1) << p;
    }
  }
  return seen;
}

/// Every window that there is, once.
Coverage all_windows(const Config& config) {
  const sim::Scheduler scheduler(config);
  Coverage coverage(config);
  for (std::uint64_t z = 0; z < std::uint64_t{1} << (config.lanes * config.depth); ++z) {
    coverage.on_clock(offer(config, z));
    coverage.on_clock(step(config, scheduler, z));
  }
  return coverage;
}

}  // namespace

TEST_CASE("coverage: an option, or a level blocked, is out of reach if no window at all does it") {
  std::mt19937_64 random(5);
  int unreachable = 0;
  for (int i = 0; i < 60; ++i) {
    const int lanes = 2 + static_cast<int>(random() % 3);
    const int depth = 2 + static_cast<int>(random() % 2);
    std::vector<Option> options = {{0, 0}};
    for (int p = static_cast<int>(random() % 4); p >= 0; --p) {
      options.push_back({1 + static_cast<int>(random() % static_cast<unsigned>(depth - 1)),
                         static_cast<int>(random() % static_cast<unsigned>(lanes))});
    }
    Config config = small_config(lanes, depth, fit_pattern(options, lanes, depth).options);
    if (i % 2 == 0) config.scheduling = Scheduling::two_sided;
    if (i % 3 == 0) {  // levels of one lane each, which need not conflict
      config.levels.clear();
      for (int lane = 0; lane < lanes; ++lane) config.levels.push_back({(lane + i) % lanes});
    }
    const Coverage coverage = all_windows(config);
    for (const Bin& bin : coverage.bins()) {
      if (bin.name.rfind("scheduler: ", 0) != 0) continue;
      CAPTURE(i);
      CAPTURE(bin.name);
      CHECK((bin.count > 0) == bin.reason.empty());
      unreachable += !bin.reason.empty();
    }
  }
  CHECK(unreachable > 10);
}

TEST_CASE("coverage: operands that IEEE-754 treats apart, in every format") {
  const auto name = [](Format format, std::uint32_t bits) {
    const OperandKind kind = operand_kind(format, bits);
    return std::string(kind == kOrdinary ? "ordinary" : kOperandKinds[kind]);
  };
  struct Row {
    const char* name;
    std::uint32_t fp32, bf16, fp16;
  };
  for (const Row& row :
       {Row{"+0", 0, 0, 0}, Row{"-0", 0x80000000, 0x8000, 0x8000},
        Row{"+subnormal", 1, 0x7f, 0x3ff}, Row{"-subnormal", 0x807fffff, 0x8001, 0x8001},
        Row{"+smallest normal", 0x00800000, 0x0080, 0x0400},
        Row{"-smallest normal", 0x80800000, 0x8080, 0x8400},
        Row{"+largest", 0x7f7fffff, 0x7f7f, 0x7bff}, Row{"-largest", 0xff7fffff, 0xff7f, 0xfbff},
        Row{"+Inf", 0x7f800000, 0x7f80, 0x7c00}, Row{"-Inf", 0xff800000, 0xff80, 0xfc00},
        Row{"quiet NaN", 0x7fc00000, 0xffc0, 0x7e00},
        Row{"signalling NaN", 0xff800001, 0x7f81, 0x7dff}, Row{"+1", 0x3f800000, 0x3f80, 0x3c00},
        Row{"-1", 0xbf800000, 0xbf80, 0xbc00}, Row{"ordinary", 0x3f800001, 0x3f81, 0x3c01}}) {
    CHECK(name(Format::fp32, row.fp32) == row.name);
    CHECK(name(Format::bf16, row.bf16) == row.name);
    CHECK(name(Format::fp16, row.fp16) == row.name);
  }
}

TEST_CASE("coverage: pairs of a two-sided tile") {
  Config config = small_config(4, 1, {{0, 0}});
  config.scheduling = Scheduling::two_sided;
  Coverage coverage(config);
  Seen rows = offer(config, 0b0111);
  rows.b.moved = {0x3f80, 0x3f80, 0x3f80, 0};
  rows.a.moved = {0x3f80, 0, 0x7f80, 0x8000};  // taken; A zero; Inf taken; both zero
  Seen taken = step(config, sim::Scheduler(config), 0b0101);
  coverage.on_clock(rows);
  coverage.on_clock(taken);
  CHECK(count(coverage, "multiplier: side A +1 multiplied") == 1);
  CHECK(count(coverage, "multiplier: side A +Inf multiplied") == 1);
  CHECK(count(coverage, "interconnect: side B +1 dropped") == 1);
  CHECK(count(coverage, "row: pair dropped: side A alone zero") == 1);
  CHECK(count(coverage, "row: pair dropped: both sides zero") == 1);
  CHECK(count(coverage, "row: pair dropped: side B alone zero") == 0);
  CHECK(count(coverage, "window: Inf or NaN of side A dropped") == 0);
}

TEST_CASE("coverage: small counters wrap or stay full") {
  for (int wrap : {0, 1}) {
    Config config = small_config(2, 1, {{0, 0}});
    config.counter_width = 8;
    config.counter_wrap = wrap;
    Coverage coverage(config);
    const std::string name =
        wrap != 0 ? "counters: stalls starts again at zero" : "counters: stalls stays full";
    Seen waiting;
    waiting.open = waiting.enable = true;
    waiting.eligible = waiting.a.held = 1;
    for (std::uint64_t stalls : {254u, 255u}) {
      waiting.counters = {0, stalls, 0};
      coverage.on_clock(waiting);
    }
    CHECK(count(coverage, name) == 0);
    waiting.counters = {0, wrap != 0 ? 0u : 255u, 0};
    coverage.on_clock(waiting);
    CHECK(count(coverage, name) == 1);
    CHECK(count(coverage, wrap != 0 ? "counters: cycles starts again at zero"
                                    : "counters: cycles stays full") == 0);
    // Wider ones run full in long tests only: neither asked for nor an error.
    config.counter_width = 13;
    const Coverage wide(config);
    for (const Bin& bin : wide.bins()) CHECK(bin.name != name);
  }
}

TEST_CASE("coverage: what happens though it is said to be out of reach is reported") {
  const Config config = small_config(2, 1, {{0, 0}});
  Coverage coverage(config);
  CHECK(coverage.contradictions().empty());
  Seen closed;
  closed.eligible = 1;
  closed.out_valid = true;
  coverage.on_clock(closed);
  REQUIRE(coverage.contradictions().size() == 1);
  CHECK(coverage.contradictions()[0].rfind("skid: output refused while closed", 0) == 0);
}

}  // namespace td::verify
