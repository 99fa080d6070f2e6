// SPDX-License-Identifier: Apache-2.0
// The text format of Berkeley TestFloat's vectors, for functions of two binary32 operands.
//
// One vector a line, fields apart by spaces, all hexadecimal: operand a, operand b, and unless the
// list is one of operands only, the result and its exception flags.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>

#include "verify/leaf/exact.hpp"
#include "verify/leaf/stimulus.hpp"

namespace td::leaf {

/// A line of the format.
struct TestVector {
  Operands operands;
  std::optional<exact::Rounded> expected;
};

/// Reads vectors one by one; lines may end in CR LF.
class TestVectorReader {
 public:
  /// name: what errors call the stream.
  TestVectorReader(std::istream& stream, std::string name);

  /// The next vector, or nothing at the end; throws UserError for a line that is not one.
  std::optional<TestVector> next();

  /// Whether the first line had an expected result; every line is as the first.
  [[nodiscard]] bool has_results() const { return fields_ != 2; }

 private:
  std::istream& stream_;
  std::string name_;
  std::uint64_t line_ = 0;
  std::size_t fields_ = 0;  // of the first line
};

/// A line of the format, its end included.
std::string test_vector_line(Operands operands, exact::Rounded expected);

}  // namespace td::leaf
