// SPDX-License-Identifier: Apache-2.0
// What a cache of samples hits when every epoch reads all of them once, in a new random order
// (CoorDL; Mohan et al., VLDB 2021).
#pragma once

#include <cstdint>

namespace td::job {

enum class CachePolicy {
  least_recently_used,  ///< as an operating system caches pages: the oldest goes
  fill_once             ///< what is in stays: as many hits in each epoch as there is room (MinIO)
};

/// How servers or jobs that read the same samples share what they cache and read.
enum class CacheSharing {
  none,         ///< each server has its own cache; jobs of one server read each for itself
  partitioned,  ///< servers ask each other: a sample is cached by the server that read it first
  coordinated   ///< one job fetches and prepares a batch for all jobs of a server
};

struct CacheStudy {
  std::uint32_t samples = 1;  ///< of the data set
  std::uint32_t room = 0;     ///< samples that a server's cache holds
  CachePolicy policy = CachePolicy::fill_once;
  CacheSharing sharing = CacheSharing::none;
  std::uint32_t servers = 1;  ///< of one job: in each epoch every server reads its part, drawn anew
  std::uint32_t jobs = 1;     ///< on one server: each reads all samples in an order of its own
  std::uint32_t epochs = 2;   ///< 2 or more; the first fills caches
  std::uint64_t seed = 0;
};

/// Samples per epoch, on average over all but the first, of all servers and jobs together.
struct CacheReads {
  double local = 0;   ///< from the reader's own cache
  double remote = 0;  ///< from another server's
  double disk = 0;
};

CacheReads simulate_cache(const CacheStudy& study);

/// Expected share of hits under least_recently_used, of a large data set with room for this share
/// of it: c + (1 - c) ln(1 - c). For with 1-a of an epoch behind a read of a sample and b of the
/// next one before it is read again, 1 - (1 - a)(1 - b) of all samples were read between.
double expected_lru_hits(double room_share);

}  // namespace td::job
