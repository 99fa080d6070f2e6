// SPDX-License-Identifier: Apache-2.0
#include "sim/accelerator/plan/placement.hpp"

#include <fmt/format.h>

#include <vector>

#include "base/support/error.hpp"

namespace td::sim {

namespace {

struct Tensor {
  const char* name;
  std::uint64_t address;
  std::uint64_t bytes;
};

[[noreturn]] void refuse(const std::string& field, const Tensor& tensor, const std::string& legal) {
  throw UserError("accelerator", fmt::format("{}/{}", field, tensor.name),
                  fmt::format("{:#x}", tensor.address), legal);
}

}  // namespace

void check_placement(const Operation& operation, const Placement& placement,
                     const MemorySpan& memory, const std::string& field) {
  std::vector<Tensor> tensors;
  for (const Operand operand : {operation.rows_operand(), operation.lanes_operand()}) {
    tensors.push_back({to_string(operand), placement.operands[static_cast<std::size_t>(operand)],
                       static_cast<std::uint64_t>(operation.layout(operand).stored_bytes())});
  }
  tensors.push_back(
      {"result", placement.result, static_cast<std::uint64_t>(operation.result_layout().bytes())});
  const auto row = static_cast<std::uint64_t>(operation.layout(Operand::A).row_bytes());
  for (const Tensor& tensor : tensors) {
    if (tensor.address % row != 0) {
      refuse(field, tensor, fmt::format("a multiple of {} bytes", row));
    }
    const bool inside = memory.begin <= tensor.address && tensor.address <= memory.end &&
                        tensor.bytes <= memory.end - tensor.address;
    if (!inside) {
      refuse(field, tensor,
             fmt::format("{} bytes within {:#x}..{:#x}", tensor.bytes, memory.begin, memory.end));
    }
    for (const Tensor& other : tensors) {
      if (&other == &tensor) break;
      if (tensor.address < other.address + other.bytes &&
          other.address < tensor.address + tensor.bytes) {
        refuse(field, tensor,
               fmt::format("{} bytes that {} at {:#x} has none of", tensor.bytes, other.name,
                           other.address));
      }
    }
  }
}

}  // namespace td::sim
