// SPDX-License-Identifier: Apache-2.0
// Reader of traces: a memory-mapped safetensors file with the operands of real training steps.
#pragma once

#include <string>
#include <vector>

#include "base/configuration/format.hpp"
#include "sim/mapping/layer.hpp"
#include "sim/trace/trace_file.hpp"
#include "sim/trace/trace_header.hpp"
#include "sim/trace/trace_tensor.hpp"

namespace td::sim {

/// A checked trace. Tensors stay in the mapped file and are never copied.
class Trace {
 public:
  /// Maps the file and checks its whole header: nothing of the tensors is read. Throws UserError,
  /// one line naming file, field, value and what would be legal.
  explicit Trace(const std::string& path);

  const std::string& path() const { return path_; }
  const std::string& model() const { return header_.model; }
  const std::string& dataset() const { return header_.dataset; }
  const std::string& framework() const { return header_.framework; }

  /// 16 hexadecimal digits: FNV-1a of the header's text and of the file's size. Tensors are not
  /// read for it: traces that differ in nothing but their numbers have the same one.
  std::string identity() const;

  /// In the order in which the layers first name them.
  const std::vector<Snapshot>& snapshots() const { return header_.snapshots; }

  /// What shares of their steps the snapshots are, in the same order; empty in files that do not
  /// say.
  const std::vector<Coverage>& coverage() const { return header_.coverage; }

  /// In forward order, snapshot after snapshot, as the file lists them.
  const std::vector<LayerInfo>& layers() const { return header_.layers; }

  /// A tensor of one of layers(). Throws UserError when the trace has no such layer.
  const TensorView& tensor(const LayerInfo& layer, Operand operand) const;

  /// What the operation gave where the trace was captured; null if that was not stored.
  const TensorView* result(const LayerInfo& layer, Op op) const;

  /// What loading in the format does to the numbers, each kind once: "F32 rounded to bf16", joined
  /// by "; ", or empty where all stay as they are.
  std::string conversion_text(Format format) const;

 private:
  std::string path_;
  TraceFile file_;
  TraceHeader header_;
};

}  // namespace td::sim
