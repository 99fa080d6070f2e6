// SPDX-License-Identifier: Apache-2.0
// Where the operands of a network come from: a trace, or a generator of synthetic ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/mapping/layer.hpp"
#include "sim/trace/slab_buffer.hpp"
#include "sim/trace/trace.hpp"

namespace td::sim {

/// Layers and their operands, read slab by slab so that no tensor need ever be in memory as a
/// whole. A slab is what belongs to one outermost index: an image of A or GO, a filter of W.
class OperandSource {
 public:
  virtual ~OperandSource() = default;

  /// The file that messages name.
  virtual const std::string& path() const = 0;

  /// 16 hexadecimal digits that tell these operands from others.
  virtual std::string identity() const = 0;

  /// In forward order, snapshot after snapshot.
  virtual const std::vector<LayerInfo>& layers() const = 0;

  /// What share of their steps the layers are, for each snapshot; empty where nobody has said.
  virtual std::vector<Coverage> coverage() const { return {}; }

  /// Whether all slabs of an operand are the same, so that one image stands for all.
  virtual bool has_equal_slabs() const { return false; }

  /// Type of the numbers in a slab.
  virtual Dtype dtype(const LayerInfo& layer, Operand operand) const = 0;

  /// What becomes of the numbers in the format, see conversion_text() of a type.
  virtual std::string conversion_text(const LayerInfo& layer, Operand operand,
                                      Format format) const {
    return sim::conversion_text(dtype(layer, operand), format);
  }

  /// Slab `index` (0…first dimension-1) of one of layers(): little-endian, at any alignment. It
  /// may lie in `buffer`, and is valid until the buffer is used again. Threads may call at once,
  /// each with its own buffer.
  virtual const unsigned char* slab(const LayerInfo& layer, Operand operand, std::int64_t index,
                                    SlabBuffer& buffer) const = 0;
};

/// The operands of a trace, where they lie in the mapped file.
class TraceOperands : public OperandSource {
 public:
  /// The trace must outlive this.
  explicit TraceOperands(const Trace& trace) : trace_(trace) {}

  const std::string& path() const override { return trace_.path(); }
  std::string identity() const override { return trace_.identity(); }
  const std::vector<LayerInfo>& layers() const override { return trace_.layers(); }
  std::vector<Coverage> coverage() const override { return trace_.coverage(); }
  Dtype dtype(const LayerInfo& layer, Operand operand) const override {
    return trace_.tensor(layer, operand).dtype;
  }
  const unsigned char* slab(const LayerInfo& layer, Operand operand, std::int64_t index,
                            SlabBuffer& buffer) const override;

 protected:
  const Trace& trace() const { return trace_; }

 private:
  const Trace& trace_;
};

/// All elements of an operand as operands of the format, see load_bits() of a tensor.
std::vector<std::uint32_t> load_bits(const OperandSource& source, const LayerInfo& layer,
                                     Operand operand, Format format);

}  // namespace td::sim
