// SPDX-License-Identifier: Apache-2.0
// Nothing: CMake compiles prelude.hpp, ahead of it, only for a target with a source.
