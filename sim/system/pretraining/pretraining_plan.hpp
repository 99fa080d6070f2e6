// SPDX-License-Identifier: Apache-2.0
// Pre-training as a plan.
#pragma once

#include <string>

#include "sim/system/pretraining/encoder.hpp"
#include "sim/system/scenario/kinds.hpp"

namespace td::job {

/// [plan] kind = "pretraining": the network's layers, hidden, heads, vocabulary, positions; the
/// machine's half_tflop_per_s, single_tflop_per_s (else the same), memory_gb_per_s, launch_s,
/// of_node and inner_gbit_per_s; instead of the first a profile of profile_sequences, and hardware;
/// sequence, microbatch, sequences in all; switches mixed_precision, fused_kernels, overlap and
/// accumulation. Number and links of the accelerators are the cluster's.
Plan plan_pretraining(const TomlTable& table, const Cluster& cluster);

/// The keys of a network, and those of the machine; `hardware` is of its profile.
EncoderNetwork read_encoder_network(const TomlTable& table);
EncoderMachine read_encoder_machine(const TomlTable& table, const Cluster& cluster, double sequence,
                                    const std::string& hardware);

}  // namespace td::job
