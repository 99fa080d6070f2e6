// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes as TestFloat vectors, and what must hold for those that are accepted.
#include <sstream>
#include <string>

#include "base/support/error.hpp"
#include "verify/fuzz/target.hpp"
#include "verify/leaf/testfloat.hpp"

namespace td::verify {

namespace {

using leaf::TestVector;
using leaf::TestVectorReader;

void check_written_again(const TestVector& vector) {
  const std::string line = leaf::test_vector_line(vector.operands, *vector.expected);
  std::istringstream stream(line);
  const auto again = TestVectorReader(stream, kInputName).next();
  must(again.has_value() && again->expected.has_value(), "a written line is a vector");
  must(again->operands.a == vector.operands.a && again->operands.b == vector.operands.b &&
           again->expected->bits == vector.expected->bits &&
           again->expected->flags == vector.expected->flags,
       "a written line is the same vector");
}

void check(const std::string& text) {
  std::istringstream stream(text);
  TestVectorReader reader(stream, kInputName);
  while (const auto vector = reader.next()) {
    must(vector->expected.has_value() == reader.has_results(), "every line is as the first");
    if (vector->expected) check_written_again(*vector);
  }
}

}  // namespace

}  // namespace td::verify

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    td::verify::check({reinterpret_cast<const char*>(data), size});
  } catch (const td::UserError& error) {
    td::verify::check_message(error.what());
  }
  return 0;
}
