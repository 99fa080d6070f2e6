// SPDX-License-Identifier: Apache-2.0
// The three verilated leaf cells behind one face: drive operands, say what comes out and when.
//
// Compile definitions describe the copies that were verilated: TD_EXP and TD_FRAC, the operands'
// field widths; TD_MULTIPLIER_REGISTERS and TD_ADDER_REGISTERS, the pipeline depths.
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

#include "Vadder.h"
#include "Vmultiplier.h"
#include "Vto_bf16.h"
#include "verify/leaf/exact.hpp"
#include "verify/leaf/reference.hpp"
#include "verify/leaf/stimulus.hpp"

namespace td::leaf {

/// A verilated module with a context of its own: each thread may have one.
template <class Model>
class VerilatedModel {
 public:
  /// Evaluated once: the first evaluation takes the clock's level for its past and sees no edge.
  VerilatedModel() { model_->eval(); }

  Model* operator->() const { return model_.get(); }

 private:
  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<Model> model_ = std::make_unique<Model>(context_.get());
};

/// A verilated cell with operands a_i and b_i. The result of operands that one enabled clock took
/// in stands at the output from the `registers`-th enabled clock on, counting that one.
template <class Model>
class TwoOperandCell {
 public:
  /// Applies the operands, and a clock where the cell has registers; returns the output after it.
  std::uint32_t step(Operands operands, bool enable, int registers) {
    using Port = std::remove_reference_t<decltype(model_->a_i)>;  // as wide as the format
    model_->a_i = static_cast<Port>(operands.a);
    model_->b_i = static_cast<Port>(operands.b);
    model_->en_i = static_cast<std::uint8_t>(enable ? (1 << registers) - 1 : 0);  // a bit of each
    if (registers > 0) {
      model_->clk_i = 1;
      model_->eval();
      model_->clk_i = 0;
    }
    model_->eval();
    return model_->y_o;
  }

 private:
  VerilatedModel<Model> model_;
};

/// The multiplier and what it must do.
struct Multiplier {
  static constexpr const char* name = "multiplier";
  static constexpr int registers = TD_MULTIPLIER_REGISTERS;
  static constexpr Layout layout{TD_EXP, TD_FRAC};
  static std::uint32_t by_cpu(Operands pair) { return product(layout, pair.a, pair.b); }
  static std::uint32_t by_mpfr(Operands pair) {
    return exact::product(layout, pair.a, pair.b).bits;
  }

  TwoOperandCell<Vmultiplier> cell;
  std::uint32_t step(Operands pair, bool enable) { return cell.step(pair, enable, registers); }
};

/// The adder and what it must do.
struct Adder {
  static constexpr const char* name = "adder";
  static constexpr int registers = TD_ADDER_REGISTERS;
  static constexpr Layout layout = binary32;
  static std::uint32_t by_cpu(Operands pair) { return sum(pair.a, pair.b); }
  static std::uint32_t by_mpfr(Operands pair) { return exact::sum(pair.a, pair.b).bits; }

  TwoOperandCell<Vadder> cell;
  std::uint32_t step(Operands pair, bool enable) { return cell.step(pair, enable, registers); }
};

/// The conversion to bfloat16 and what it must do.
struct ToBf16 {
  static constexpr const char* name = "to_bf16";
  static constexpr int registers = 0;
  static constexpr Layout layout = binary32;
  static std::uint32_t by_cpu(Operands pair) { return nearest_bf16(pair.a); }
  static std::uint32_t by_mpfr(Operands pair) { return exact::converted(bfloat16, pair.a).bits; }

  VerilatedModel<Vto_bf16> model;
  std::uint32_t step(Operands pair, bool) {
    model->x_i = pair.a;
    model->eval();
    return model->y_o;
  }
};

}  // namespace td::leaf
