// SPDX-License-Identifier: Apache-2.0
#include "sim/gate/placement/path_weights.hpp"

#include <algorithm>
#include <limits>

namespace td::gate {

namespace {

// Delays in ns, as of 180 nm; only their ratios count.
constexpr double kGateDelay = 0.12;
constexpr double kSinkDelay = 0.012;
constexpr double kUmDelay = 0.0002;     // with repeaters
constexpr std::size_t kMostSinks = 16;  // more are behind buffers
constexpr double kFastEnough = 0.75;    // of the slowest path
constexpr double kMostWeight = 6;
constexpr int kRounds = 2;  // to a clock that agrees with when inputs come

constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

PathWeights::PathWeights(const Netlist& netlist, const Library& library, const Layout& layout,
                         PortShares ports)
    : layout_(&layout), ports_(ports) {
  for (const Gate& gate : netlist.gates) {
    const std::optional<FlipFlop>& flip_flop = library.cells[at(gate.cell)].flip_flop;
    ends_.push_back(flip_flop && !flip_flop->is_latch);
  }
  add_clock_gates();
  const auto is_gate = [&](Vertex vertex) { return !is_end(vertex); };
  std::vector<std::int32_t> waits(ends_.size(), 0);  // input wires from gates
  for (std::size_t wire = 0; wire < layout.nets(); ++wire) {
    if (!is_gate(*layout.begin(wire))) continue;
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

std::vector<double> PathWeights::delays_of(const Places& places) const {
  std::vector<double> delays(layout_->nets());
  for (std::size_t wire = 0; wire < delays.size(); ++wire) {
    const std::size_t sinks = std::min(layout_->pins(wire) - 1, kMostSinks);
    delays[wire] = kGateDelay + kSinkDelay * static_cast<double>(sinks) +
                   kUmDelay * box(*layout_, wire, places);
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
