// SPDX-License-Identifier: Apache-2.0
// Tables of memories: what one of a size takes, by node, device type and width of its port.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace td::sim {

/// What one memory takes, a bank or a buffer; 0 is what its source does not say.
struct MemoryFigures {
  double read_pJ_per_byte = 0;
  double write_pJ_per_byte = 0;
  double leakage_mW = 0;
  double access_ns = 0;  ///< from address to data
  double cycle_ns = 0;   ///< from one access to the next
  double area_mm2 = 0;
};

/// A line of a table. Energies per byte are those of an access, over the bytes of the port.
struct MemoryLine {
  std::int64_t node_nm = 0;
  std::string device;
  std::int64_t port_bits = 0;
  std::int64_t bytes = 0;
  MemoryFigures figures;
};

/// Which lines of a table a chip's memories are: they differ in size only.
struct MemoryChoice {
  std::string table;
  std::int64_t node_nm = 0;
  std::string device;
  std::int64_t port_bits = 0;

  /// For people: `cacti_sram, 45 nm, itrs-lop, ports of 256 bits`.
  std::string text() const;
};

/// Reads a table; `file` names it in messages. The text is CSV: lines that begin with # say where
/// it comes from, then come the names of the columns, then a line for each memory. Throws UserError
/// when a line has not all columns, a figure is not above 0, or a memory stands there twice.
std::vector<MemoryLine> parse_memory_table(std::string_view text, const std::string& file);

/// The line of a memory of that size; null if the table has none.
const MemoryLine* find_memory(const std::vector<MemoryLine>& table, const MemoryChoice& choice,
                              std::int64_t bytes);

/// The table of constraints/memories/ of that name. Throws UserError if there is none; `file` is
/// what names the table.
const std::vector<MemoryLine>& memory_table(const std::string& name, const std::string& file);

}  // namespace td::sim
