// SPDX-License-Identifier: Apache-2.0
// Body of the gate kernels, for the instruction set that the including file is compiled for.
#pragma once

#include <utility>

#include "sim/gate/simulation/gate_kernel.hpp"

namespace td::gate {

/// A struct template only so that every instruction set has functions of its own.
template <class Arch>
struct GateKernelsFor {
  // clang-format off
  struct Buf   { static constexpr Word f(Word a) { return a; } };
  struct Inv   { static constexpr Word f(Word a) { return ~a; } };
  struct And2  { static constexpr Word f(Word a, Word b) { return a & b; } };
  struct Or2   { static constexpr Word f(Word a, Word b) { return a | b; } };
  struct Nand2 { static constexpr Word f(Word a, Word b) { return ~(a & b); } };
  struct Nor2  { static constexpr Word f(Word a, Word b) { return ~(a | b); } };
  struct Xor2  { static constexpr Word f(Word a, Word b) { return a ^ b; } };
  struct Xnor2 { static constexpr Word f(Word a, Word b) { return ~(a ^ b); } };
  struct Andn2 { static constexpr Word f(Word a, Word b) { return a & ~b; } };
  struct Orn2  { static constexpr Word f(Word a, Word b) { return a | ~b; } };
  struct And3  { static constexpr Word f(Word a, Word b, Word c) { return a & b & c; } };
  struct Or3   { static constexpr Word f(Word a, Word b, Word c) { return a | b | c; } };
  struct Nand3 { static constexpr Word f(Word a, Word b, Word c) { return ~(a & b & c); } };
  struct Nor3  { static constexpr Word f(Word a, Word b, Word c) { return ~(a | b | c); } };
  struct Xor3  { static constexpr Word f(Word a, Word b, Word c) { return a ^ b ^ c; } };
  struct Maj3  { static constexpr Word f(Word a, Word b, Word c) { return (a & b) | (c & (a | b)); } };
  struct Ao21  { static constexpr Word f(Word a, Word b, Word c) { return (a & b) | c; } };
  struct Oa21  { static constexpr Word f(Word a, Word b, Word c) { return (a | b) & c; } };
  struct Aoi21 { static constexpr Word f(Word a, Word b, Word c) { return ~((a & b) | c); } };
  struct Oai21 { static constexpr Word f(Word a, Word b, Word c) { return ~((a | b) & c); } };
  struct Mux2  { static constexpr Word f(Word a, Word b, Word s) { return (s & a) | (~s & b); } };
  struct Muxi2 { static constexpr Word f(Word a, Word b, Word s) { return ~((s & a) | (~s & b)); } };
  struct And4  { static constexpr Word f(Word a, Word b, Word c, Word d) { return a & b & c & d; } };
  struct Or4   { static constexpr Word f(Word a, Word b, Word c, Word d) { return a | b | c | d; } };
  struct Nand4 { static constexpr Word f(Word a, Word b, Word c, Word d) { return ~(a & b & c & d); } };
  struct Nor4  { static constexpr Word f(Word a, Word b, Word c, Word d) { return ~(a | b | c | d); } };
  struct Ao22  { static constexpr Word f(Word a, Word b, Word c, Word d) { return (a & b) | (c & d); } };
  struct Aoi22 { static constexpr Word f(Word a, Word b, Word c, Word d) { return ~((a & b) | (c & d)); } };
  struct Oai22 { static constexpr Word f(Word a, Word b, Word c, Word d) { return ~((a | b) & (c | d)); } };
  // clang-format on

  static void store(const GateRun& run, int i, Word value) {
    run.toggles[i] +=
        static_cast<std::uint32_t>(__builtin_popcountll((value ^ run.outputs[i]) & run.counted));
    run.ones[i] += static_cast<std::uint32_t>(__builtin_popcountll(value & run.counted));
    run.outputs[i] = value;
  }

  template <class Function, class... Inputs>
  static constexpr std::uint64_t table(Word (*)(Inputs...)) {
    constexpr Word columns[] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                                0xff00ff00ff00ff00};
    return apply<Function>(columns, std::make_index_sequence<sizeof...(Inputs)>());
  }

  template <class Function, std::size_t... I>
  static constexpr Word apply(const Word* values, std::index_sequence<I...>) {
    return Function::f(values[I]...);
  }

  template <class Function, std::size_t... I>
  static void run_all(const GateRun& run, std::index_sequence<I...>) {
    // Copies tell the compiler that nothing here points to them.
    const Word* const values = run.values;
    const std::int32_t* const inputs = run.inputs;
    const int count = run.count;
    const Word counted = run.counted;
    Word* const outputs = run.outputs;
    std::uint32_t* const toggles = run.toggles;
    std::uint32_t* const ones = run.ones;
#ifndef __clang__  // which needs no telling
#pragma GCC ivdep
#endif
    for (int i = 0; i < count; ++i) {
      const Word value = Function::f(values[inputs[static_cast<int>(I) * count + i]]...);
      const Word changed = (value ^ outputs[i]) & counted;
      toggles[i] += static_cast<std::uint32_t>(__builtin_popcountll(changed));
      ones[i] += static_cast<std::uint32_t>(__builtin_popcountll(value & counted));
      outputs[i] = value;
    }
  }

  template <class Function, class... Inputs>
  static constexpr CompiledFunction compile(Word (*f)(Inputs...)) {
    return {static_cast<int>(sizeof...(Inputs)), table<Function>(f), [](const GateRun& run) {
              run_all<Function>(run, std::make_index_sequence<sizeof...(Inputs)>());
            }};
  }

  template <class... Functions>
  struct List {
    static constexpr CompiledFunction functions[] = {compile<Functions>(&Functions::f)...};
    static constexpr int count = sizeof...(Functions);
  };

  using All =
      List<Buf, Inv, And2, Or2, Nand2, Nor2, Xor2, Xnor2, Andn2, Orn2, And3, Or3, Nand3, Nor3, Xor3,
           Maj3, Ao21, Oa21, Aoi21, Oai21, Mux2, Muxi2, And4, Or4, Nand4, Nor4, Ao22, Aoi22, Oai22>;

  static void interpret(const GateRun& run, const Expression::Term* terms, int term_count,
                        Word* stack) {
    for (int first = 0; first < run.count; first += interpreted_gates) {
      const int count =
          run.count - first < interpreted_gates ? run.count - first : interpreted_gates;
      interpret_some(run, terms, term_count, stack, first, count);
      for (int i = 0; i < count; ++i) store(run, first + i, stack[i]);
    }
  }

  static void interpret_some(const GateRun& run, const Expression::Term* terms, int term_count,
                             Word* stack, int first, int count) {
    using Op = Expression::Op;
    Word* top = stack - interpreted_gates;
    for (int t = 0; t < term_count; ++t) {
      const Op op = terms[t].op;
      if (op == Op::pin) {
        top += interpreted_gates;
        const std::int32_t* const inputs = run.inputs + terms[t].pin * run.count + first;
        for (int i = 0; i < count; ++i) top[i] = run.values[inputs[i]];
      } else if (op == Op::zero || op == Op::one) {
        top += interpreted_gates;
        for (int i = 0; i < count; ++i) top[i] = op == Op::one ? ~Word{0} : 0;
      } else if (op == Op::not_) {
        for (int i = 0; i < count; ++i) top[i] = ~top[i];
      } else {
        const Word* const other = top;
        top -= interpreted_gates;
        if (op == Op::and_) {
          for (int i = 0; i < count; ++i) top[i] &= other[i];
        } else if (op == Op::or_) {
          for (int i = 0; i < count; ++i) top[i] |= other[i];
        } else {
          for (int i = 0; i < count; ++i) top[i] ^= other[i];
        }
      }
    }
  }

  static void assign(const GateRun& run, const Word* new_values) {
    for (int i = 0; i < run.count; ++i) store(run, i, new_values[i]);
  }
};

template <class Arch>
GateKernels gate_kernels_for() {
  using Kernels = GateKernelsFor<Arch>;
  return {Kernels::All::functions, Kernels::All::count, Kernels::interpret, Kernels::assign};
}

}  // namespace td::gate
