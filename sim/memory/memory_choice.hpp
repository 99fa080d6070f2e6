// SPDX-License-Identifier: Apache-2.0
// Reading of which memories of a table a technology has: from its file, or from a command line.
#pragma once

#include <toml++/toml.h>

#include <optional>
#include <string>

#include "sim/memory/memory_table.hpp"

namespace td::sim {

/// Reads `[memories]`: `table`, `node_nm`, `device` and `port_bits`, and nothing else. Whether the
/// table has them is not judged. Throws UserError.
MemoryChoice read_memory_choice(const toml::node& node, const std::string& file);

/// The choice of `file` with what --memories says in its place: NODE/DEVICE/PORT. Throws UserError
/// for another text, and where the file has no choice.
MemoryChoice changed_memories(const std::optional<MemoryChoice>& choice, const std::string& text,
                              const std::string& file);

}  // namespace td::sim
