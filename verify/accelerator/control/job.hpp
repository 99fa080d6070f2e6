// SPDX-License-Identifier: Apache-2.0
// Random jobs: descriptors with random waits, and what is wrong with a job.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace td::verify {

using Random = std::mt19937_64;

// A number of low..high.
int pick(Random& random, int low, int high);

struct Descriptor {
  int kind;                          // 0 load, 1 compute, 2 store
  std::array<unsigned, 3> waits;     // by kind
  std::vector<std::uint32_t> words;  // 16, or 64 of a compute
};

enum class Fault { none, kind, wait, bus, window, alignment, empty, engine };
constexpr int kFaults = 8;

struct Job {
  std::uint64_t address = 0;
  std::vector<Descriptor> descriptors;
  Fault fault = Fault::none;
  unsigned code = 0;   // ... its error code
  unsigned index = 0;  // ... the descriptor
  unsigned unit = 0;   // ... the unit of 64 bytes of the job that cannot be read

  // Units of 64 bytes before a descriptor.
  unsigned units_before(std::size_t descriptor) const;
  // All words, behind each other.
  std::vector<std::uint32_t> words() const;
};

// A job of 1..most descriptors with that fault, within 16 KB.
Job random_job(Random& random, int most, Fault fault);

}  // namespace td::verify
