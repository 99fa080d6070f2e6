/* SPDX-License-Identifier: Apache-2.0
 * The operator for other languages: libtdoperator.so. Tensors are binary32, row-major, without
 * gaps. A function that can fail returns 0, 2 for a mistake of the caller's, or 1 for anything
 * else; then `error` (of error_bytes bytes) has one line, which names field, value and legal range.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A layer's geometry. A linear layer has shapes of two dimensions, and no more fields. */
typedef struct td_layer {
  int64_t linear;      /* 0: a convolution */
  int64_t a[4];        /* [N, C, H, W] unpadded, or [N, C] */
  int64_t w[4];        /* [K, C/groups, R, S], or [K, C] */
  int64_t go[4];       /* [N, K, P, Q], or [N, K] */
  int64_t stride[2];   /* y, x; 1 or more */
  int64_t padding[2];  /* 0 or more */
  int64_t dilation[2]; /* 1 or more */
  int64_t groups;      /* a divisor of C and of K */
} td_layer;

typedef struct td_operator td_operator;

/* A TOML file or a preset, not one that schedules two-sidedly; threads: 1..1024. */
int td_operator_open(const char* config, int threads, td_operator** opened, char* error,
                     size_t error_bytes);

void td_operator_close(td_operator* opened);

/* "NAME HASH SUM": of the configuration, and tree or fused. Valid until it is closed. */
const char* td_operator_text(const td_operator* opened);

/* operation 0: first = A, second = W, result = O as go. 1: first = GO, second = W, result = GA as
 * a. 2: first = A, second = GO, result = GW as w. Operands are rounded to the configuration's
 * format, to nearest even; results are of its output format. Threads may call at once. */
int td_operator_run(td_operator* opened, int operation, const td_layer* layer, const float* first,
                    const float* second, float* result, char* error, size_t error_bytes);

#ifdef __cplusplus
}
#endif
