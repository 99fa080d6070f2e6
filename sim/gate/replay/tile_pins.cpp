// SPDX-License-Identifier: Apache-2.0
#include "sim/gate/replay/tile_pins.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/support/error.hpp"
#include "gen/design/ports.hpp"

namespace td::gate_replay {
namespace {

constexpr std::size_t kWordBits = 64;

std::uint64_t low_bits(std::size_t count) { return ~std::uint64_t{0} >> (kWordBits - count); }

std::string describe(gate::PinDirection direction, std::size_t bits) {
  const char* name = direction == gate::PinDirection::input ? "input" : "output";
  return fmt::format("{} of {} bit{}", name, bits, bits == 1 ? "" : "s");
}

std::string describe(const Port& port, const Config& config) {
  const bool input = port.direction == Direction::input;
  return describe(input ? gate::PinDirection::input : gate::PinDirection::output,
                  static_cast<std::size_t>(port.bits(config)));
}

const gate::Port* find_port(const gate::Netlist& netlist, const std::string& name) {
  for (const gate::Port& port : netlist.ports) {
    if (port.name == name) return &port;
  }
  return nullptr;
}

void check_ports(const gate::Netlist& netlist, const Config& config, const std::string& file) {
  const std::vector<Port> wanted = tile_ports(config);
  for (const Port& port : wanted) {
    const gate::Port* found = find_port(netlist, port.name);
    const std::string actual =
        found == nullptr ? "missing" : describe(found->direction, found->bits.size());
    if (actual == describe(port, config)) continue;
    throw UserError(file, fmt::format("port {} of {}", port.name, netlist.top), actual,
                    fmt::format("{}, as in configuration {}", describe(port, config),
                                config_hash_text(config)));
  }
  for (const gate::Port& port : netlist.ports) {
    const auto is_it = [&](const Port& one) { return one.name == port.name; };
    if (std::any_of(wanted.begin(), wanted.end(), is_it)) continue;
    throw UserError(file, fmt::format("port {} of {}", port.name, netlist.top),
                    describe(port.direction, port.bits.size()),
                    fmt::format("the ports of configuration {}", config_hash_text(config)));
  }
}

}  // namespace

Pin::Pin(std::vector<gate::Net> nets)
    : nets_(std::move(nets)), chunks_((nets_.size() + kWordBits - 1) / kWordBits) {
  for (BitMatrix& chunk : chunks_) chunk.fill(0);
}

std::size_t Pin::chunk_bits(std::size_t chunk) const {
  return std::min(kWordBits, nets_.size() - chunk * kWordBits);
}

void Pin::put(int copy, const std::vector<std::uint32_t>& words, std::size_t count) {
  for (std::size_t chunk = 0; chunk * kWordBits < count; ++chunk) {
    std::uint64_t bits = words[2 * chunk];
    if (2 * chunk + 1 < words.size()) bits |= std::uint64_t{words[2 * chunk + 1]} << 32;
    const std::uint64_t mask = low_bits(std::min(kWordBits, count - chunk * kWordBits));
    std::uint64_t& value = chunks_[chunk][static_cast<std::size_t>(copy)];
    value = (value & ~mask) | (bits & mask);
  }
}

void Pin::put(int copy, std::uint32_t value, std::size_t count) {
  if (count == 0) return;
  std::uint64_t& old = chunks_.front()[static_cast<std::size_t>(copy)];
  const std::uint64_t mask = low_bits(count);
  old = (old & ~mask) | (value & mask);
}

void Pin::put_all(std::uint32_t value) {
  for (int copy = 0; copy < kCopies; ++copy) put(copy, value, nets_.size());
}

std::uint64_t Pin::field(int copy, std::size_t low, std::size_t count) const {
  const auto index = static_cast<std::size_t>(copy);
  const std::size_t shift = low % kWordBits;
  std::uint64_t bits = chunks_[low / kWordBits][index] >> shift;
  if (shift + count > kWordBits) bits |= chunks_[low / kWordBits + 1][index] << (kWordBits - shift);
  return bits & low_bits(count);
}

bool Pin::any() const {
  const auto is_set = [](std::uint64_t word) { return word != 0; };
  return std::any_of(chunks_.begin(), chunks_.end(), [&](const BitMatrix& chunk) {
    return std::any_of(chunk.begin(), chunk.end(), is_set);
  });
}

void Pin::drive(gate::Simulator& simulator) const {
  for (std::size_t chunk = 0; chunk < chunks_.size(); ++chunk) {
    BitMatrix matrix = chunks_[chunk];
    transpose(matrix);
    for (std::size_t bit = 0; bit < chunk_bits(chunk); ++bit) {
      simulator.set(nets_[chunk * kWordBits + bit], matrix[bit]);
    }
  }
}

void Pin::sample(const gate::Simulator& simulator) {
  for (std::size_t chunk = 0; chunk < chunks_.size(); ++chunk) {
    BitMatrix& matrix = chunks_[chunk];
    matrix.fill(0);
    for (std::size_t bit = 0; bit < chunk_bits(chunk); ++bit) {
      matrix[bit] = simulator.get(nets_[chunk * kWordBits + bit]);
    }
    transpose(matrix);
  }
}

void TilePins::drive(gate::Simulator& simulator) const {
  for (const Pin* pin :
       {&reset_n, &dense, &a_valid, &a_rows, &b_valid, &b_rows, &b_last, &b_last_of_output,
        &out_ready, &a_e5m2, &b_e5m2, &out_e5m2, &out_saturate, &out_scale}) {
    pin->drive(simulator);
  }
}

TilePins tile_pins(const gate::Netlist& netlist, const Config& config, const std::string& file) {
  check_ports(netlist, config, file);
  const auto pin = [&](const char* name) { return Pin(netlist.port(name).bits); };
  const auto of_fp8 = [&](Format format, const char* name) {
    return format == Format::fp8 ? pin(name) : Pin({});
  };
  return {netlist.port("clk_i").bits.front(),
          pin("rst_ni"),
          pin("dense_i"),
          pin("a_valid_i"),
          pin("a_ready_o"),
          pin("a_rows_i"),
          pin("b_valid_i"),
          pin("b_ready_o"),
          pin("b_rows_i"),
          pin("b_last_i"),
          pin("b_last_of_output_i"),
          pin("out_valid_o"),
          pin("out_ready_i"),
          pin("out_data_o"),
          pin("out_nonfinite_o"),
          pin("cycles_o"),
          pin("stalls_o"),
          pin("skipped_o"),
          of_fp8(config.format, "a_e5m2_i"),
          of_fp8(config.format, "b_e5m2_i"),
          of_fp8(config.output, "out_e5m2_i"),
          of_fp8(config.output, "out_saturate_i"),
          of_fp8(config.output, "out_scale_i"),
          of_fp8(config.output, "out_overflow_o"),
          of_fp8(config.output, "out_underflow_o")};
}

}  // namespace td::gate_replay
