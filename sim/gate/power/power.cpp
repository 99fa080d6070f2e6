// SPDX-License-Identifier: Apache-2.0
// Power of a netlist from its activity: gate by gate, then the estimated clock tree.
#include "sim/gate/power/power.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <unordered_map>

#include "base/support/error.hpp"
#include "sim/gate/power/cell_power.hpp"
#include "sim/gate/power/clock_network.hpp"

namespace td::gate {

namespace {

/// Slews of the pins of gates, looked up once for all the instances of a module.
class GateSlews {
 public:
  GateSlews(const Netlist& netlist, const Library& library, const Slews& slews)
      : netlist_(&netlist), library_(&library), slews_(&slews) {
    std::unordered_map<std::string, std::uint64_t> numbers;
    for (const Block& block : netlist.blocks)
      module_.push_back(numbers.emplace(block.module, numbers.size()).first->second);
  }

  /// One for each pin of the gate's cell; valid until the next call.
  const double* of(const Gate& gate) {
    const std::uint64_t key =
        module_[at(gate.block)] << 32U | static_cast<std::uint32_t>(gate.name);
    const auto [found, fresh] = offsets_.emplace(key, values_.size());
    if (fresh) look_up(gate);
    return &values_[found->second];
  }

 private:
  void look_up(const Gate& gate) {
    const Slews::PinSlews* known =
        slews_->find(netlist_->blocks[at(gate.block)].module, netlist_->names[at(gate.name)]);
    const std::size_t first = values_.size();
    const Cell& cell = library_->cells[at(gate.cell)];
    values_.resize(first + cell.pins.size(), slews_->fallback_ns());
    if (known == nullptr) return;
    for (const Slews::PinSlew& slew : *known) {
      const int pin = cell.pin(slew.pin);
      if (pin >= 0) values_[first + at(pin)] = slew.ns;
    }
  }

  const Netlist* netlist_;
  const Library* library_;
  const Slews* slews_;
  std::vector<std::uint64_t> module_;  ///< number of its module, by block
  std::unordered_map<std::uint64_t, std::size_t> offsets_;
  std::vector<double> values_;
};

class Estimate {
 public:
  Estimate(const Netlist& netlist, const Library& library, const Activity& activity,
           const Slews& slews, const PowerOptions& options)
      : netlist_(&netlist),
        library_(&library),
        activity_(&activity),
        slews_(&slews),
        options_(&options),
        cells_(library.cells.size()),
        fanout_(at(netlist.nets)),
        load_pF_(at(netlist.nets)),
        is_clock_(at(netlist.nets)),
        pins_(most_pins()),
        result_(netlist.blocks.size()) {
    if (activity.toggles_per_clock.size() != at(netlist.nets) ||
        activity.share_of_ones.size() != at(netlist.nets)) {
      throw std::invalid_argument("activity of another netlist");
    }
    if (!(options.clock_ns > 0) || !std::isfinite(options.clock_ns))
      refuse("clock period", fmt::format("{}", options.clock_ns), "more than 0 ns");
    uW_per_pJ_ = 1000 / options.clock_ns;
    if (!options.clock_buffer.empty()) set_buffer();
  }

  std::vector<PowerGroups> run() {
    const ClockNetwork clock = find_clock_network(*netlist_, *library_, options_->clock);
    for (const Net net : clock.nets) is_clock_[at(net)] = 1;
    add_loads();
    const auto sinks = sinks_by_block(clock.nets);
    for (std::size_t i = 0; i < clock.nets.size(); ++i) {
      if (buffer_ != nullptr || is_placed(clock.nets[i])) add_tree(clock.nets[i], sinks[i]);
    }
    GateSlews slews(*netlist_, *library_, *slews_);
    for (std::size_t i = 0; i < netlist_->gates.size(); ++i) {
      const Gate& gate = netlist_->gates[i];
      const Cell& cell = library_->cells[at(gate.cell)];
      PowerGroups& groups = result_[at(gate.block)];
      Power& group = clock.clock_gates[i] != 0            ? groups.clock_tree
                     : cell.flip_flop || cell.other_state ? groups.sequential
                                                          : groups.combinational;
      group += of_gate(gate, cell, slews.of(gate));
      for (std::size_t pin = 0; pin < cell.pins.size(); ++pin) {
        if (cell.pins[pin].direction == PinDirection::output)
          groups.combinational += of_repeaters(netlist_->pin_nets[at(gate.first) + pin]);
      }
    }
    for (const Port& port : netlist_->ports) {
      if (port.direction != PinDirection::input) continue;
      for (const Net net : port.bits) result_.front().combinational += of_repeaters(net);
    }
    return std::move(result_);
  }

 private:
  [[noreturn]] void refuse(const std::string& field, const std::string& value,
                           const std::string& legal) const {
    throw UserError(library_->path, field, value, legal);
  }

  std::size_t most_pins() const {
    std::size_t most = 0;
    for (const Cell& cell : library_->cells) most = std::max(most, cell.pins.size());
    return most;
  }

  void set_buffer() {
    const std::string& name = options_->clock_buffer;
    buffer_ = library_->find(name);
    if (buffer_ == nullptr || !is_buffer(*buffer_))
      refuse("clock buffer", name, "a cell whose output repeats its one input");
    if (options_->clock_buffer_fanout < 2)
      refuse("fan-out of clock buffers", fmt::format("{}", options_->clock_buffer_fanout),
             "2 or more");
  }

  const CellPower& cell_power(std::size_t cell) {
    std::optional<CellPower>& found = cells_[cell];
    if (!found) found.emplace(library_->cells[cell], library_->path);
    return *found;
  }

  template <class Visit>
  void for_inputs(const Visit& visit) const {
    for (const Gate& gate : netlist_->gates) {
      const std::vector<Pin>& pins = library_->cells[at(gate.cell)].pins;
      for (std::size_t pin = 0; pin < pins.size(); ++pin) {
        const Net net = netlist_->pin_nets[at(gate.first) + pin];
        if (pins[pin].direction == PinDirection::input && net > net_one)
          visit(gate, pins[pin], net);
      }
    }
  }

  void add_loads() {
    for_inputs([&](const Gate&, const Pin& pin, Net net) {
      ++fanout_[at(net)];
      load_pF_[at(net)] += pin.capacitance_pF;
    });
    for (std::size_t net = 0; net < load_pF_.size(); ++net)
      load_pF_[net] += fanout_[net] * options_->wire_pF_per_fanout;
    const std::vector<NetLoad>& placed = options_->loads.nets;
    for (std::size_t net = 0; net < placed.size(); ++net) {
      if (placed[net].placed) load_pF_[net] = placed[net].driver_pF;
    }
  }

  /// Of the repeaters of a net.
  Power of_repeaters(Net net) {
    if (net <= net_one || !is_placed(net) || is_clock_[at(net)] != 0) return {};
    return of_buffers(options_->loads.repeater, net);
  }

  bool is_placed(Net net) const {
    return !options_->loads.nets.empty() && options_->loads.nets[at(net)].placed;
  }

  /// Of those of a placed net, of one kind.
  Power of_buffers(std::size_t cell, Net net) {
    const NetLoad& load = options_->loads.nets[at(net)];
    if (load.buffers == 0) return {};
    const Power one = of_buffer(library_->cells[cell], net, load.behind_pF / load.buffers);
    return scaled(one, load.buffers);
  }

  static Power scaled(const Power& one, double times) {
    return {one.internal * times, one.switching * times, one.leakage * times};
  }

  /// How many input pins each net, of those given in ascending order, drives in which block.
  std::vector<std::map<std::int32_t, int>> sinks_by_block(const std::vector<Net>& nets) const {
    std::vector<std::map<std::int32_t, int>> sinks(nets.size());
    for_inputs([&](const Gate& gate, const Pin&, Net net) {
      const auto found = std::lower_bound(nets.begin(), nets.end(), net);
      if (found != nets.end() && *found == net)
        ++sinks[static_cast<std::size_t>(found - nets.begin())][gate.block];
    });
    return sinks;
  }

  /// What a net driven by a gate spends for its load.
  double switching_uW(double load_pF, double toggles) const {
    const double volts = library_->voltage_V;
    return load_pF * volts * volts / 2 * toggles * uW_per_pJ_;
  }

  double toggles(Net net) const {
    return net > net_one ? activity_->toggles_per_clock[at(net)] : 0;
  }

  double ones(Net net) const {
    if (net > net_one) return activity_->share_of_ones[at(net)];
    return net == net_zero ? 0 : net == net_one ? 1 : 0.5;
  }

  Power of_gate(const Gate& gate, const Cell& cell, const double* slews) {
    const CellPower& model = cell_power(at(gate.cell));
    const Net* nets = &netlist_->pin_nets[at(gate.first)];
    Power power;
    for (std::size_t pin = 0; pin < cell.pins.size(); ++pin) {
      const Net net = nets[pin];
      pins_.toggles[pin] = toggles(net);
      pins_.ones[pin] = ones(net);
      pins_.slews_ns[pin] = slews[pin];
      if (cell.pins[pin].direction == PinDirection::input) continue;
      pins_.loads_pF[pin] = net > net_one ? load_pF_[at(net)] : 0;
      power.switching += switching_uW(pins_.loads_pF[pin], pins_.toggles[pin]);
    }
    pins_.ones[cell.pins.size()] = state_ones(model, nets);
    power.internal = model.internal_pJ(pins_) * uW_per_pJ_;
    power.leakage = model.leakage_uW(pins_);
    return power;
  }

  /// As the flip-flop's outputs show it.
  double state_ones(const CellPower& model, const Net* nets) const {
    for (const CellPower::StateOutput& output : model.state_outputs()) {
      const Net net = nets[output.pin];
      if (net != no_net) return output.inverted ? 1 - ones(net) : ones(net);
    }
    return ones(no_net);
  }

  /// Power of one buffer whose net toggles like this one.
  Power of_buffer(const Cell& buffer, Net net, double load_pF) {
    const std::size_t input = buffer.pins[0].direction == PinDirection::input ? 0 : 1;
    for (const std::size_t pin : {std::size_t{0}, std::size_t{1}}) {
      pins_.toggles[pin] = toggles(net);
      pins_.ones[pin] = ones(net);
    }
    pins_.slews_ns[input] = slews_->fallback_ns();
    pins_.loads_pF[1 - input] = load_pF;
    const CellPower& model = cell_power(static_cast<std::size_t>(&buffer - library_->cells.data()));
    return {model.internal_pJ(pins_) * uW_per_pJ_, switching_uW(load_pF, toggles(net)),
            model.leakage_uW(pins_)};
  }

  /// Adds a clock net's tree to the blocks of its sinks.
  void add_tree(Net net, const std::map<std::int32_t, int>& sinks) {
    const Power tree =
        is_placed(net) ? of_buffers(options_->loads.clock_buffer, net) : estimated_tree(net);
    for (const auto& [block, count] : sinks) {
      const double share = static_cast<double>(count) / fanout_[at(net)];
      result_[at(block)].clock_tree += scaled(tree, share);
    }
  }

  /// Of a net that is not placed; leaves to it the load of the root.
  Power estimated_tree(Net net) {
    const std::size_t input = buffer_->pins[0].direction == PinDirection::input ? 0 : 1;
    const double buffer_pF = buffer_->pins[input].capacitance_pF + options_->wire_pF_per_fanout;
    Power tree;
    int driven = fanout_[at(net)];
    if (driven == 1) return tree;
    double level_pF = load_pF_[at(net)];
    do {
      const int buffers = (driven - 1) / options_->clock_buffer_fanout + 1;
      tree += scaled(of_buffer(*buffer_, net, level_pF / buffers), buffers);
      driven = buffers;
      level_pF = buffers * buffer_pF;
    } while (driven > 1);
    load_pF_[at(net)] = level_pF;
    return tree;
  }

  const Netlist* netlist_;
  const Library* library_;
  const Activity* activity_;
  const Slews* slews_;
  const PowerOptions* options_;
  const Cell* buffer_ = nullptr;
  double uW_per_pJ_ = 0;
  std::vector<std::optional<CellPower>> cells_;  ///< by cell, of those met
  std::vector<int> fanout_;                      ///< input pins, by net
  std::vector<double> load_pF_;                  ///< by net
  std::vector<char> is_clock_;                   ///< by net
  PinActivity pins_;                             ///< of the gate at hand
  std::vector<PowerGroups> result_;
};

}  // namespace

Power& Power::operator+=(const Power& other) {
  internal += other.internal;
  switching += other.switching;
  leakage += other.leakage;
  return *this;
}

Power PowerGroups::total() const {
  Power sum = sequential;
  sum += combinational;
  sum += clock_tree;
  return sum;
}

std::vector<PowerGroups> power(const Netlist& netlist, const Library& library,
                               const Activity& activity, const Slews& slews,
                               const PowerOptions& options) {
  return Estimate(netlist, library, activity, slews, options).run();
}

}  // namespace td::gate
