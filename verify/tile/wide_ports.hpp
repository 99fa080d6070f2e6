// SPDX-License-Identifier: Apache-2.0
// Reads wide SystemC ports with one virtual call instead of one for each 32-bit word, which is what
// Verilator's own macro does; stands in front of the C++ that Verilator writes.
#pragma once

#include <verilated.h>

#undef VL_ASSIGN_WSW
#define VL_ASSIGN_WSW(obits, owp, svar)                           \
  {                                                               \
    const auto& value = (svar).read();                            \
    const int words = VL_WORDS_I(obits);                          \
    for (int i = 0; i < words; ++i) (owp)[i] = value.get_word(i); \
    (owp)[words - 1] &= VL_MASK_E(obits);                         \
  }
