// SPDX-License-Identifier: Apache-2.0
// Pre-training of an encoder network (BERT) on a small cluster over a slow network, with the
// optimisations of Lin et al. (arXiv:2008.00177) as switches.
#pragma once

#include <cstdint>
#include <string>

#include "sim/system/graph/graph.hpp"

namespace td::job {

struct EncoderNetwork {
  double layers = 24, hidden = 1024, heads = 16, vocabulary = 30522, positions = 512;
};

/// 12h² + 13h in each layer; embeddings of words and positions.
double parameters_of(const EncoderNetwork& network);

struct EncoderMachine {
  double half_flop_per_s = 1;    ///< of matrix products, in 16 bits
  double single_flop_per_s = 1;  ///< in 32
  double memory_bytes_per_s = 1;
  double launch_s = 0;  ///< of a kernel
  std::int64_t accelerators = 1;
  std::int64_t of_node = 1;      ///< accelerators that share a node's link
  double inner_bytes_per_s = 1;  ///< of each accelerator's link within its node
  double link_bytes_per_s = 1;   ///< of a node's link, each way
};

struct EncoderSwitches {
  bool mixed_precision = false;  ///< products, activations and gradients in 16 bits
  bool fused_kernels = false;    ///< neighbouring elementwise operations, and the optimiser, in one
  bool overlap = false;          ///< gradients of a layer leave when its backward pass ends
  std::int64_t accumulation = 1;  ///< microbatches whose gradients are summed before they leave
};

struct EncoderJob {
  EncoderNetwork network;
  EncoderMachine machine;
  EncoderSwitches switches;
  double sequence = 128;  ///< tokens
  double microbatch = 1;  ///< sequences on an accelerator at once
};

/// A step on one accelerator of equals: its microbatches forward and backward, layer by layer, the
/// exchange of the last one's gradients, the update. An exchange is a ring among the accelerators
/// of a node, and one among the nodes: 2(n-1)/n of the bytes through each link.
Graph encoder_step(const EncoderJob& job, const std::string& source);

/// Floating-point operations of matrix products, forward, of one layer and microbatch:
/// 24·b·s·h² + 4·b·s²·h.
double layer_flop(const EncoderJob& job);

/// Seconds of a layer's products and of its elementwise operations.
struct LayerTime {
  double products_s, elementwise_s;
};

/// What the elementwise operations of a layer move: times that they read or write an activation of
/// tokens by hidden between its two halves, one inside of them, one of tokens by four times hidden,
/// and one of tokens by tokens for each head; and their kernels.
struct Passes {
  double between, hidden, inner, scores, kernels;
};

/// Forward, on one of the accelerators that split a layer as Megatron does: each has its share of
/// all but what stands between the halves.
LayerTime layer_time(const EncoderJob& job, const Passes& passes, double shards = 1);

/// Of the layer's backward pass.
double backward_seconds(const LayerTime& forward);

/// Of a sum over all members of a ring.
double ring_seconds(double bytes, double members, double bytes_per_s);

/// Sequences per second of all accelerators.
double sequences_per_s(const EncoderJob& job, const std::string& source);

}  // namespace td::job
