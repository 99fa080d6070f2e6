// SPDX-License-Identifier: Apache-2.0
#include "sim/gate/placement/path_weights.hpp"

#include <algorithm>
#include <limits>

namespace td::gate {

namespace {

// Delays in ns, as of 180 nm; only their ratios count.
constexpr double kGateDelay = 0.06;
constexpr double kRegisterDelay = 0.2;
constexpr double kDriveDelay = 0.17;     // of a gate that drives all it may
constexpr double kRepeatersDelay = 0.1;  // of one that drives repeaters
constexpr double kRepeaterDelay = 0.36;  // of what a repeater drives, wire and pins alike
constexpr double kFastEnough = 0.75;     // of the slowest path
constexpr double kMostWeight = 12;
constexpr int kRounds = 2;  // to a clock that agrees with when inputs come

constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

PathWeights::PathWeights(const Netlist& netlist, const Library& library, const Layout& layout,
                         const WireRules& rules, PortShares ports)
    : layout_(&layout), rules_(rules), ports_(ports) {
  for (std::size_t wire = 0; wire < layout.nets(); ++wire) {
    double load = 0;
    for (std::size_t pin = 1; pin < layout.pins(wire); ++pin)
      load += pin_pF(layout, library, layout.pin(wire, pin));
    pins_pF_.push_back(load);
    limits_pF_.push_back(
        limit_pF(layout, library, layout.pin(wire, 0), rules.repeater, rules.limit_pF));
  }
  for (const Gate& gate : netlist.gates) {
    const std::optional<FlipFlop>& flip_flop = library.cells[at(gate.cell)].flip_flop;
    ends_.push_back(flip_flop && !flip_flop->is_latch);
  }
  add_clock_gates();
  const auto is_gate = [&](Vertex vertex) { return !is_end(vertex); };
  std::vector<std::int32_t> waits(ends_.size(), 0);  // input wires from gates
  for (std::size_t wire = 0; wire < layout.nets(); ++wire) {
    if (!layout.is_wired(wire) || !is_gate(*layout.begin(wire))) continue;
    for (const Vertex* sink = layout.begin(wire) + 1; sink != layout.end(wire); ++sink) {
      if (is_gate(*sink)) ++waits[at(*sink)];
    }
  }
  for (std::size_t gate = 0; gate < ends_.size(); ++gate) {
    if (!ends_[gate] && waits[gate] == 0) order_.push_back(static_cast<Vertex>(gate));
  }
  for (std::size_t next = 0; next < order_.size(); ++next) {
    const Vertex gate = order_[next];
    each_wire(gate, [&](std::int32_t wire) {
      if (!drives(gate, wire)) return;
      for (const Vertex* sink = layout.begin(at(wire)) + 1; sink != layout.end(at(wire)); ++sink) {
        if (is_gate(*sink) && --waits[at(*sink)] == 0) order_.push_back(*sink);
      }
    });
  }
}

void PathWeights::add_clock_gates() {
  for (std::size_t gate = 0; gate < ends_.size(); ++gate) {
    bool any = false;
    each_wire(static_cast<Vertex>(gate),
              [&](std::int32_t wire) { any = any || drives(static_cast<Vertex>(gate), wire); });
    if (!any) ends_[gate] = true;
  }
}

double PathWeights::delay_of(std::size_t wire, const Places& places) const {
  const double limit = limits_pF_[wire], pins = pins_pF_[wire];
  const double length_pF = rules_.pF_per_um * box(*layout_, wire, places);
  const double own = is_end(*layout_->begin(wire)) ? kRegisterDelay : kGateDelay;
  if (pins + length_pF <= limit) return own + kDriveDelay * (pins + length_pF) / limit;
  // Repeaters of many pins stand side by side, two in a row.
  const double load = std::min(pins, 2 * rules_.limit_pF) + length_pF;
  return own + std::max(kDriveDelay, kRepeatersDelay + kRepeaterDelay * load / rules_.limit_pF);
}

std::vector<double> PathWeights::delays_of(const Places& places) const {
  std::vector<double> delays(layout_->nets(), 0);
  for (std::size_t wire = 0; wire < delays.size(); ++wire) {
    if (layout_->is_wired(wire)) delays[wire] = delay_of(wire, places);
  }
  return delays;
}

/// At the sinks of each wire.
std::vector<double> PathWeights::arrivals(const std::vector<double>& delays,
                                          double input_ns) const {
  std::vector<double> arrivals = delays;  // of registers and ports
  for (std::size_t wire = 0; wire < arrivals.size(); ++wire) {
    if (layout_->is_port(at(*layout_->begin(wire)))) arrivals[wire] += input_ns;
  }
  for (const Vertex gate : order_) {
    double latest = 0;
    each_wire(gate, [&](std::int32_t wire) {
      if (!drives(gate, wire)) latest = std::max(latest, arrivals[at(wire)]);
    });
    each_wire(gate, [&](std::int32_t wire) {
      if (drives(gate, wire)) arrivals[at(wire)] = latest + delays[at(wire)];
    });
  }
  return arrivals;
}

/// The clock that the slowest path would need.
double PathWeights::clock_of(const std::vector<double>& arrivals) const {
  double clock = 0;
  for (std::size_t wire = 0; wire < arrivals.size(); ++wire) {
    const double share = end_share(wire);
    if (share > 0) clock = std::max(clock, arrivals[wire] / share);
  }
  return clock;
}

/// Likewise at the sinks.
std::vector<double> PathWeights::required(const std::vector<double>& delays, double clock) const {
  std::vector<double> required(delays.size(), kNever);
  for (std::size_t wire = 0; wire < required.size(); ++wire) {
    const double share = end_share(wire);
    if (share > 0) required[wire] = share * clock;
  }
  for (auto gate = order_.rbegin(); gate != order_.rend(); ++gate) {
    double first = kNever;
    each_wire(*gate, [&](std::int32_t wire) {
      if (drives(*gate, wire)) first = std::min(first, required[at(wire)] - delays[at(wire)]);
    });
    each_wire(*gate, [&](std::int32_t wire) {
      if (!drives(*gate, wire)) required[at(wire)] = std::min(required[at(wire)], first);
    });
  }
  return required;
}

Weights PathWeights::of(const Places& places) const {
  const std::vector<double> delays = delays_of(places);
  double clock = clock_of(this->arrivals(delays, 0));
  std::vector<double> arrivals;
  for (int i = 0; i < kRounds; ++i) {
    arrivals = this->arrivals(delays, ports_.input * clock);
    clock = clock_of(arrivals);
  }
  const std::vector<double> required = this->required(delays, clock);
  Weights weights(delays.size(), 1);
  for (std::size_t wire = 0; wire < weights.size(); ++wire) {
    const double share = 1 - (required[wire] - arrivals[wire]) / clock;  // of the slowest path
    const double slow = std::max(0.0, (share - kFastEnough) / (1 - kFastEnough));
    weights[wire] += (kMostWeight - 1) * slow * slow;
  }
  return weights;
}

}  // namespace td::gate
