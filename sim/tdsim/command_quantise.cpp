// SPDX-License-Identifier: Apache-2.0
// tdsim quantise: the zeros of a trace before and after its numbers become those of OFP8.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/support/error.hpp"
#include "base/support/text_table.hpp"
#include "sim/tdsim/commands.hpp"
#include "sim/trace/quantised_operands.hpp"
#include "sim/trace/trace.hpp"

namespace td::sim {

namespace {

using Align = TextTable::Align;

/// Shares of a tensor's numbers, or their mean over layers.
struct Shares {
  double zeros = 0.0;
  double underflows = 0.0;           ///< that become zero, scaled
  double underflows_unscaled = 0.0;  ///< ... with a factor of 1
  double underflows_blocks = 0.0;    ///< ... with one for each block
  double weight = 0.0;
};

Shares shares_of(const Quantised& tensor) {
  const auto elements = static_cast<double>(tensor.elements);
  return {static_cast<double>(tensor.zeros) / elements,
          static_cast<double>(tensor.underflows) / elements,
          static_cast<double>(tensor.underflows_unscaled) / elements,
          static_cast<double>(tensor.underflows_blocks) / elements, 1.0};
}

/// Multiply-accumulates of the forward pass, by which layers weigh.
double macs(const LayerInfo& layer) {
  return static_cast<double>(count(layer.go) * (count(layer.w) / layer.w[0]));
}

void add(Shares& sum, const Shares& one, double weight) {
  sum.zeros += weight * one.zeros;
  sum.underflows += weight * one.underflows;
  sum.underflows_unscaled += weight * one.underflows_unscaled;
  sum.underflows_blocks += weight * one.underflows_blocks;
  sum.weight += weight;
}

void add_row(TextTable& table, const std::string& snapshot, const std::string& layer,
             Operand operand, const std::string& scale, const Shares& sum) {
  const auto percent = [&](double value) {
    return fmt::format("{:.2f}", 100.0 * value / sum.weight);
  };
  table.add_row({snapshot, layer, to_string(operand), to_string(fp8_kind(operand)), scale,
                 percent(sum.zeros), percent(sum.underflows), percent(sum.zeros + sum.underflows),
                 percent(sum.underflows_unscaled), percent(sum.underflows_blocks)});
}

std::string table_text(const Trace& trace) {
  const QuantisedOperands operands(trace);
  TextTable table;
  for (const char* heading : {"snapshot", "layer", "tensor", "format"}) {
    table.add_column(heading, Align::left);
  }
  for (const char* heading : {"scale", "zeros %", "underflow %", "zeros then %",
                              "unscaled: underflow %", "MX: underflow %"}) {
    table.add_column(heading, Align::right);
  }
  std::map<std::string, std::array<Shares, 3>> sums;
  for (const LayerInfo& layer : trace.layers()) {
    for (const Operand operand : {Operand::A, Operand::W, Operand::GO}) {
      const Quantised tensor = operands.quantised(layer, operand);
      const Shares shares = shares_of(tensor);
      add_row(table, layer.snapshot, layer.name, operand, fmt::format("2^{}", tensor.scale),
              shares);
      add(sums[layer.snapshot][static_cast<std::size_t>(operand)], shares, macs(layer));
    }
  }
  for (const Snapshot& snapshot : trace.snapshots()) {
    for (const Operand operand : {Operand::A, Operand::W, Operand::GO}) {
      add_row(table, snapshot.name, "all, by MACs", operand, "",
              sums[snapshot.name][static_cast<std::size_t>(operand)]);
    }
  }
  return table.text();
}

}  // namespace

Command quantise_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand(
      "quantise", "print the zeros of a trace before and after its numbers become those of OFP8");
  const auto path = std::make_shared<std::string>();
  app->add_option("trace", *path, "trace (safetensors)")->required();
  return {app, [path] {
            std::fputs(table_text(Trace(*path)).c_str(), stdout);
            return kExitPass;
          }};
}

}  // namespace td::sim
