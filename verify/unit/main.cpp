// SPDX-License-Identifier: Apache-2.0
// The unit tests' program: doctest's own main, once for all test files.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
