// SPDX-License-Identifier: Apache-2.0
#include "sim/results/result_fields.hpp"

#include <fmt/format.h>

#include <string_view>

#include "base/configuration/parameters.hpp"
#include "sim/results/columns.hpp"

namespace td::sim {

namespace {

struct Field {
  const char* name;
  const char* unit;
  const char* meaning;
};

/// What stands beside the operations, in the order of result_json().
constexpr Field kHead[] = {
    {"format", "", "kind and version of this document; another one where a reader must know"},
    {"program", "", "what wrote it, with its version"},
    {"configuration.name", "", "of the design"},
    {"configuration.hash", "", "of all that decides the tile, as in manifest and Verilog"},
    {"configuration.lanes", "multipliers", "of each PE"},
    {"configuration.rows", "PEs", "tile rows"},
    {"configuration.columns", "PEs", "tile columns"},
    {"configuration.scheduling", "",
     "which pairs are dropped: one_sided, two_sided, dense or zero_gated"},
    {"configuration.depth_rows", "rows", "of the staging buffers; 1 of dense tiles"},
    {"configuration.pattern", "", "name of the pattern, or own; none of dense tiles"},
    {"configuration.options", "[rows, lanes]",
     "the pattern's options in order of priority: lookahead and lookaside of each"},
    {"configuration.format", "", "of the operands"},
    {"configuration.output", "", "format of the results"},
    {"accelerator.hash", "", "of the sizes around the tiles"},
};

constexpr Field kRun[] = {
    {"split", "", "how the passes of an operation are shared among the tiles"},
    {"schedule", "", "how the tensor on side B is chosen: auto, first, second or best"},
    {"gate", "", "whether operations with few zeros run as on dense tiles"},
    {"latency_clocks", "clocks",
     "of the memory behind the accelerator, from address to data; null of compute alone, where "
     "every field from memory to memory is null"},
    {"bandwidth_bytes_in_1000_clocks", "bytes",
     "that this memory moves in so many clocks, read and written together; null: as many as the "
     "bus"},
    {"packed", "",
     "whether operands lie packed in this memory, without their zeros, where plans cost less with "
     "it"},
    {"objective", "", "what plans are chosen for: time, energy or product; null of compute alone"},
    {"technology.name", "", "of the clock and energies"},
    {"technology.hash", "", "of the technology's file"},
    {"technology.clock_MHz", "MHz", "clock of tiles and memories"},
    {"technology.memories", "",
     "table, node, device type and port width of the memories; empty: the technology's own "
     "figures"},
    {"technology.compute_energy", "", "where the energy of tiles comes from"},
    {"technology.dense_step_pJ", "pJ", "energy of a dense tile in a cycle without zeros"},
    {"technology.gating_zero_share", "", "share of zeros below which an operation is gated"},
    {"source.path", "", "trace, or file of the network"},
    {"source.identity", "", "16 hexadecimal digits that tell these operands from others"},
    {"source.model", "", "network"},
    {"source.dataset", "", "data that it was trained with, or how zeros were drawn"},
    {"source.conversion", "", "what loading did to the numbers; empty: nothing"},
    {"source.coverage", "",
     "of each snapshot: multiply-accumulates of its whole training step, those of the layers in "
     "the "
     "source and their share, and what the source does not hold, with the reason; empty where it "
     "does not say"},
    {"notes", "", "sentences on what was left out, and on how rows are to be read"},
};

constexpr Field kSums[] = {
    {"totals.by_op", "", "sums over each kind of operation, named in `op`"},
    {"totals.by_layer", "", "sums over each layer of a snapshot, named in `snapshot`, `layer`"},
    {"totals.by_snapshot", "", "sums over each snapshot, named in `snapshot`"},
    {"totals.by_snapshot_op", "", "sums over each kind of operation of a snapshot"},
    {"totals.all", "", "the sum of all operations"},
};

constexpr std::string_view kText = R"(# Fields of results

`tdsim fields` prints this page; a test compares it with what `--json` writes. Names end in their
units, ratios are plain numbers, and `null` (in CSV: nothing) stands where a field has no meaning.
A *dense* field is of tiles that drop nothing, a *zero-gated* one of such whose lanes clock-gate at
zeros of side B, a *zero-free* one of the same TensorDash tiles had the tensors not a single zero.
*Cycles* are those of tiles that are always served; *memory cycles* those of the accelerator that
`tdgen --accelerator` writes, from memory to memory. `first` and `second` are the operands of an
operation: activations and weights (`fwd`), output
gradients and weights (`dgrad`), activations and gradients (`wgrad`).
)";

std::string row(const std::string& name, std::string_view unit, std::string_view meaning) {
  return fmt::format("| `{}` | {} | {} |\n", name, unit, meaning);
}

template <std::size_t Count>
std::string rows(const Field (&fields)[Count]) {
  std::string text;
  for (const Field& field : fields) text += row(field.name, field.unit, field.meaning);
  return text;
}

std::string accelerator_rows() {
  std::string text;
  for (const Parameter& parameter : parameters()) {
    if (parameter.is_of_tile()) continue;
    text += row(parameter.path(), parameter.unit, parameter.text);
  }
  return text;
}

/// The last word of a name is its unit, but of facts.
std::string unit(const Column& column) {
  if (column.style == Style::text || column.style == Style::mark) return "";
  const std::string last = column.name.substr(column.name.rfind('_') + 1);
  return last == "ratio" ? "" : last;
}

constexpr std::string_view kHeading = "\n| field | unit | meaning |\n|---|---|---|\n";

}  // namespace

std::string fields_text() {
  std::string text(kText);
  text += "\n## The run\n";
  text += kHeading;
  text += rows(kHead) + accelerator_rows() + rows(kRun);
  text +=
      "\n## An operation\n\n`operations` in JSON. In CSV each has a line, which begins with "
      "`configuration_hash`,\n`accelerator_hash` and `source_identity`.\n";
  text += kHeading;
  for (const Column& column : columns()) text += row(column.name, unit(column), column.meaning);
  text +=
      "\n## Totals\n\nThe fields above that have a meaning for sums: all but the facts from "
      "`snapshot` to `gated`.\n";
  text += kHeading;
  text += rows(kSums);
  return text +
         "\n`scripts/tdsim sweep` writes `table.csv` and `table.jsonl`, a line for each point: its "
         "network,\nsparsity, configuration and seed, six of these fields of `totals.all`, and "
         "`key`, the name of the\npoint's result in `points/`.\n";
}

}  // namespace td::sim
