// SPDX-License-Identifier: Apache-2.0
// The simulator: settled states by compiled kernels, the clock's edges by its cone alone.
#include "sim/gate/simulation/simulator.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/support/error.hpp"
#include "sim/gate/simulation/clock_cone.hpp"

namespace td::gate {

namespace {

std::uint64_t count(Word word) { return static_cast<std::uint64_t>(__builtin_popcountll(word)); }

/// Settled states between which 32-bit counters, which take up to 64 each time, are emptied.
constexpr std::uint32_t settled_until_emptied = std::uint32_t{1} << 25;

/// A place that the clock moves between settled states.
struct Moved {
  Wire wire = 0;
  std::int32_t place = 0;
  Word before = 0;
  Word changed_at_fall = 0;
  Word changed_at_rise = 0;
  Word low = 0;  ///< its value while the clock was low
  std::uint64_t toggles = 0;
  std::uint64_t low_ones = 0;
  std::uint64_t settled_ones = 0;
};

/// A flip-flop with asynchronous pins: what these show becomes its state.
struct Shown {
  std::int32_t state = 0;
  std::int32_t output = 0;
};

}  // namespace

class Simulator::State {
 public:
  State(const Netlist& netlist, const Library& library, Net clock)
      : netlist_(netlist),
        kernels_(best_gate_kernels()),
        circuit_(make_circuit(netlist, library, kernels_)),
        schedule_(make_schedule(netlist, circuit_)),
        cone_(make_clock_cone(netlist, circuit_, schedule_, clock)),
        root_(schedule_.place[at(clock)]),
        values_(at(circuit_.wires), 0),
        next_(at(schedule_.first_output), 0),
        toggles_(at(circuit_.wires), 0),
        ones_(at(circuit_.wires), 0),
        clock_before_(cone_.domains.size(), 0),
        total_toggles_(at(netlist.nets), 0),
        total_ones_(at(netlist.nets), 0) {
    values_[at(net_one)] = ~Word{0};
    next_[at(root_)] = ~Word{0};
    int depth = 0;
    for (const Function& function : circuit_.functions)
      depth = std::max(depth, stack_depth(function.expression));
    stack_.resize(at(depth * interpreted_gates));
    for (const std::int32_t number : schedule_.states) {
      const StateBit& bit = circuit_.states[at(number)];
      data_.push_back(schedule_.place[at(bit.data)]);
      if (bit.output != bit.state)
        shown_.push_back({schedule_.place[at(bit.state)], schedule_.place[at(bit.output)]});
    }
    list_moved(clock);
  }

  void set(Net net, Word value) {
    const std::int32_t place = schedule_.place.at(at(net));
    if (place <= net_one || place >= schedule_.first_state || place == root_)
      throw std::out_of_range("only inputs can be set, and not the clock");
    next_[at(place)] = value;
  }

  Word get(Net net) const { return values_[at(schedule_.place[at(net)])]; }

  void settle(Word counted) {
    if (++settled_ == settled_until_emptied) empty_counters();
    // The constants neither change nor count.
    const std::int32_t first = net_one + 1;
    kernels_.assign(outputs(first, schedule_.first_output - first, counted), &next_[at(first)]);
    for (const Run& run : schedule_.runs) evaluate_run(run, counted);
    count_moved(counted);
    check_clocks_rest();
    has_settled_ = true;
    clocks_ += count(counted);
    emptied_ = false;
  }

  void clock() {
    start_edge(0);
    load(true);
    for (const ClockDomain& domain : cone_.domains) {
      if (domain.at_fall) show_states(domain);
    }
    evaluate_cone();
    check_clocks_rest();
    for (Moved& moved : moved_) {
      moved.low = values_[at(moved.place)];
      moved.changed_at_fall ^= moved.before ^ moved.low;
    }
    start_edge(~Word{0});
    load(false);
    for (Moved& moved : moved_) moved.changed_at_rise ^= moved.before ^ values_[at(moved.place)];
  }

  std::uint64_t clocks() const { return clocks_; }

  const std::vector<std::uint64_t>& toggles() {
    empty_counters();
    return total_toggles_;
  }

  const std::vector<std::uint64_t>& ones() {
    empty_counters();
    return total_ones_;
  }

 private:
  void list_moved(Wire clock) {
    const auto add = [this](Wire wire) {
      moved_.emplace_back();
      moved_.back().wire = wire;
      moved_.back().place = schedule_.place[at(wire)];
    };
    add(clock);
    for (const ClockDomain& domain : cone_.domains) {
      for (std::int32_t i = 0; domain.at_fall && i < domain.count; ++i)
        add(circuit_.states[at(schedule_.states[at(domain.first + i)])].state);
    }
    for (const std::int32_t number : cone_.operations) add(circuit_.operations[at(number)].output);
  }

  GateRun outputs(std::int32_t first, std::int32_t number, Word counted) {
    GateRun result;
    result.count = number;
    result.values = values_.data();
    result.outputs = values_.data() + first;
    result.toggles = toggles_.data() + first;
    result.ones = ones_.data() + first;
    result.counted = counted;
    return result;
  }

  void evaluate_run(const Run& run, Word counted) {
    GateRun gates = outputs(run.first_place, run.count, counted);
    gates.inputs = schedule_.inputs.data() + run.first_input;
    const Function& function = circuit_.functions[at(run.function)];
    if (function.compiled != nullptr) {
      function.compiled->run(gates);
    } else {
      const std::vector<Expression::Term>& terms = function.expression.terms;
      kernels_.interpret(gates, terms.data(), static_cast<int>(terms.size()), stack_.data());
    }
  }

  /// Toggles and low values since the settled state before; the settled ones count as all do.
  void count_moved(Word counted) {
    for (Moved& moved : moved_) {
      moved.toggles +=
          count(moved.changed_at_fall & counted) + count(moved.changed_at_rise & counted);
      moved.low_ones += count(moved.low & counted);
      moved.changed_at_fall = moved.changed_at_rise = 0;
    }
  }

  Word clock_level(const ClockDomain& domain) const {
    const Word value = values_[at(domain.clock)];
    return domain.inverted ? ~value : value;
  }

  /// No clock may rise now but for the first time: it would be an edge that loads nothing.
  void check_clocks_rest() {
    for (std::size_t i = 0; i < cone_.domains.size(); ++i) {
      const Word level = clock_level(cone_.domains[i]);
      const Word rising = level & ~std::exchange(clock_before_[i], level);
      if (rising == 0 || !has_settled_) continue;
      const StateBit& bit = circuit_.states[at(schedule_.states[at(cone_.domains[i].first)])];
      throw UserError(netlist_.top, "gate", netlist_.gate_path(netlist_.gates[at(bit.gate)]),
                      "clocks that rise only at the clock input's edges; a clock gate is an AND "
                      "behind a latch or flip-flop of the low clock, or an OR behind a flip-flop "
                      "of the rising edge");
    }
  }

  void start_edge(Word level) {
    for (Moved& moved : moved_) moved.before = values_[at(moved.place)];
    values_[at(root_)] = level;
    evaluate_cone();
  }

  void evaluate_cone() {
    for (const std::int32_t number : cone_.operations) {
      const Operation& operation = circuit_.operations[at(number)];
      const Function& function = circuit_.functions[at(operation.function)];
      cone_inputs_.clear();
      for (int k = 0; k < function.inputs; ++k) {
        const Wire input = circuit_.inputs_of(operation)[k];
        cone_inputs_.push_back(values_[at(schedule_.place[at(input)])]);
      }
      values_[at(schedule_.place[at(operation.output)])] =
          evaluate(function.expression, cone_inputs_.data(), 0);
    }
  }

  /// Flip-flops whose clock rose load, in the copies where it did: all read before any shows it.
  void load(bool falling_edge) {
    for (const Shown& shown : shown_) next_[at(shown.state)] = values_[at(shown.output)];
    for (std::size_t i = 0; i < cone_.domains.size(); ++i) {
      const ClockDomain& domain = cone_.domains[i];
      const Word level = clock_level(domain);
      const Word rising = level & ~std::exchange(clock_before_[i], level);
      if (rising == 0 || (falling_edge && !domain.at_fall)) continue;
      Word* const states = &next_[at(schedule_.first_state + domain.first)];
      const std::int32_t* const data = &data_[at(domain.first)];
      for (std::int32_t k = 0; k < domain.count; ++k)
        states[k] = (states[k] & ~rising) | (values_[at(data[k])] & rising);
    }
  }

  void show_states(const ClockDomain& domain) {
    const auto first = schedule_.first_state + domain.first;
    std::copy_n(next_.begin() + first, domain.count, values_.begin() + first);
  }

  /// Adds the 32-bit counters to the totals.
  void empty_counters() {
    if (std::exchange(emptied_, true)) return;
    settled_ = 0;
    for (Moved& moved : moved_) moved.settled_ones += ones_[at(moved.place)];
    for (std::size_t net = 2; net < total_toggles_.size(); ++net) {
      const std::size_t place = at(schedule_.place[net]);
      total_toggles_[net] += toggles_[place];
      total_ones_[net] += ones_[place];
    }
    std::fill(toggles_.begin(), toggles_.end(), 0);
    std::fill(ones_.begin(), ones_.end(), 0);
    for (Moved& moved : moved_) add_moved(moved);
    total_ones_[at(net_one)] = clocks_;
  }

  /// The totals of a net that the clock moves.
  void add_moved(Moved& moved) {
    if (moved.wire >= netlist_.nets) return;
    total_toggles_[at(moved.wire)] += std::exchange(moved.toggles, 0);
    total_ones_[at(moved.wire)] = (moved.settled_ones + moved.low_ones) / 2;
  }

  const Netlist& netlist_;
  GateKernels kernels_;
  Circuit circuit_;
  Schedule schedule_;
  ClockCone cone_;
  std::int32_t root_;
  std::vector<Word> values_;  ///< by place
  std::vector<Word> next_;    ///< by place: inputs, and states as loaded; shown by settle()
  std::vector<std::uint32_t> toggles_;
  std::vector<std::uint32_t> ones_;
  std::vector<Word> clock_before_;  ///< of each domain
  std::vector<std::uint64_t> total_toggles_;
  std::vector<std::uint64_t> total_ones_;
  std::vector<std::int32_t> data_;  ///< place of what each state loads
  std::vector<Shown> shown_;
  std::vector<Moved> moved_;
  std::vector<Word> stack_;
  std::vector<Word> cone_inputs_;
  std::uint32_t settled_ = 0;  ///< since the counters were emptied
  bool emptied_ = true;
  bool has_settled_ = false;
  std::uint64_t clocks_ = 0;
};

Simulator::Simulator(const Netlist& netlist, const Library& library, Net clock)
    : state_(std::make_unique<State>(netlist, library, clock)) {}
Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&& other) noexcept = default;
Simulator& Simulator::operator=(Simulator&& other) noexcept = default;

void Simulator::set(Net net, Word value) { state_->set(net, value); }
Word Simulator::get(Net net) const { return state_->get(net); }
void Simulator::settle(Word counted) { state_->settle(counted); }
void Simulator::clock() { state_->clock(); }
const std::vector<std::uint64_t>& Simulator::toggles() const { return state_->toggles(); }
const std::vector<std::uint64_t>& Simulator::ones() const { return state_->ones(); }
std::uint64_t Simulator::clocks() const { return state_->clocks(); }

}  // namespace td::gate
