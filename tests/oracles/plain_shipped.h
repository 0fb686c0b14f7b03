/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planners of runtimes and compilers, written down as they were published: scans of
 * everything, again and again.  */
#ifndef ARENABENCH_TESTS_ORACLES_PLAIN_SHIPPED_H
#define ARENABENCH_TESTS_ORACLES_PLAIN_SHIPPED_H

struct instance;
struct plan;

/* Each fills in offsets and peak.  */
void plain_openvino(const struct instance *instance, struct plan *plan);
void plain_triton(const struct instance *instance, struct plan *plan); /* O(n^3) */

void plain_glow(const struct instance *instance, struct plan *plan); /* O(n^3) */

void plain_nntrainer(const struct instance *instance, struct plan *plan);

/* O(n^3); at most some thousand buffers.  */
void plain_onednn(const struct instance *instance, struct plan *plan);
void plain_onednn_hot(const struct instance *instance, struct plan *plan);

#endif
