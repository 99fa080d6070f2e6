// SPDX-License-Identifier: Apache-2.0
// Reading and writing vectors in TestFloat's format.
#include "verify/leaf/testfloat.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "verify/unit/base/refusal.hpp"

namespace {

using td::leaf::TestVector;
using td::leaf::TestVectorReader;

std::vector<TestVector> read(const std::string& text) {
  std::istringstream stream(text);
  TestVectorReader reader(stream, "v.txt");
  std::vector<TestVector> vectors;
  while (const auto vector = reader.next()) vectors.push_back(*vector);
  return vectors;
}

std::string refused(const std::string& text) {
  return td::unit::message_of([&] { read(text); });
}

}  // namespace

TEST_CASE("a line has operands, result and flags") {
  const auto vectors = read("3F800000 80000001 ABCDEF01 1F\n00000000 ffffffff 7f800000 05\n");
  REQUIRE(vectors.size() == 2);
  CHECK(vectors[0].operands.a == 0x3f800000);
  CHECK(vectors[0].operands.b == 0x80000001);
  REQUIRE(vectors[0].expected.has_value());
  CHECK(vectors[0].expected->bits == 0xabcdef01);
  CHECK(vectors[0].expected->flags == 0x1f);
  REQUIRE(vectors[1].expected.has_value());
  CHECK(vectors[1].operands.b == 0xffffffff);
  CHECK(vectors[1].expected->flags == 5);
}

TEST_CASE("a list of operands has no results") {
  const auto vectors = read("3F800000 80000001\n00000000 00000002\n");
  REQUIRE(vectors.size() == 2);
  CHECK(vectors[1].operands.b == 2);
  CHECK_FALSE(vectors[0].expected.has_value());
}

TEST_CASE("lines may end in CR LF, the last one without an end") {
  const auto vectors = read("3F800000 3F800000 3F800000 00\r\n3F800000  3F800000 3F800000 01");
  REQUIRE(vectors.size() == 2);
  CHECK(vectors[0].expected->flags == 0);
  CHECK(vectors[1].expected->flags == 1);
}

TEST_CASE("an empty file has no vectors") { CHECK(read("").empty()); }

TEST_CASE("lines that are not vectors are refused") {
  const std::string good = "3F800000 3F800000 3F800000 00\n";
  CHECK(refused(good + "3F800000 3F80000G 3F800000 00\n") ==
        "v.txt: line 2: operand b = 3F80000G is illegal; legal: 8 hexadecimal digits");
  CHECK(refused("3F80000 3F800000 3F800000 00\n") ==
        "v.txt: line 1: operand a = 3F80000 is illegal; legal: 8 hexadecimal digits");
  CHECK(refused("0x3F8000 3F800000\n") ==
        "v.txt: line 1: operand a = 0x3F8000 is illegal; legal: 8 hexadecimal digits");
  CHECK(refused("3F800000 3F800000 -F800000 00\n") ==
        "v.txt: line 1: result = -F800000 is illegal; legal: 8 hexadecimal digits");
  CHECK(refused("3F800000 3F800000 3F800000 20\n") ==
        "v.txt: line 1: flags = 20 is illegal; legal: 2 hexadecimal digits, 00..1F");
  CHECK(refused("3F800000 3F800000 3F800000 1\n") ==
        "v.txt: line 1: flags = 1 is illegal; legal: 2 hexadecimal digits, 00..1F");
}

TEST_CASE("every line has as many fields as the first") {
  const std::string legal = "4 (a, b, result, flags), or 2 (a, b)";
  CHECK(refused("3F800000 3F800000 3F800000\n") ==
        "v.txt: line 1: fields = 3 is illegal; legal: " + legal);
  CHECK(refused("\n") == "v.txt: line 1: fields = 0 is illegal; legal: " + legal);
  CHECK(refused("0 0 0 0 0\n") == "v.txt: line 1: fields = 5 is illegal; legal: " + legal);
  CHECK(refused("3F800000 3F800000\n3F800000 3F800000 3F800000 00\n") ==
        "v.txt: line 2: fields = 4 is illegal; legal: 2, as on line 1");
  CHECK(refused("3F800000 3F800000 3F800000 00\n\n") ==
        "v.txt: line 2: fields = 0 is illegal; legal: 4, as on line 1");
}

TEST_CASE("what a file says cannot reach the terminal unseen") {
  CHECK(refused("\x1b[31m0000 3F800000\n") ==
        "v.txt: line 1: operand a = ?[31m0000 is illegal; legal: 8 hexadecimal digits");
}

TEST_CASE("a written line is read again") {
  const std::string line = td::leaf::test_vector_line({0xabc, 0x80000000}, {0x7fc00000, 0x10});
  CHECK(line == "00000ABC 80000000 7FC00000 10\n");
  const auto vectors = read(line);
  REQUIRE(vectors.size() == 1);
  CHECK(vectors[0].operands.a == 0xabc);
  CHECK(vectors[0].expected->bits == 0x7fc00000);
}
