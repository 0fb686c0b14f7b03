/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocators that run beside a program, written down as they were published: lists, and scans of
 * everything, in bytes.  */
#ifndef ARENABENCH_TESTS_ORACLES_PLAIN_ALLOCATORS_H
#define ARENABENCH_TESTS_ORACLES_PLAIN_ALLOCATORS_H

#include <stddef.h>

struct instance;
struct plan;

/* Calls END for each buffer that ends at a time, then BEGIN for each that begins there, time by
 * time; either in the order of their indices.  */
void plain_trace(const struct instance *instance, void (*end)(void *context, size_t b),
                 void (*begin)(void *context, size_t b), void *context);

/* Each fills in offsets and peak.  */
void plain_bfc(const struct instance *instance, struct plan *plan);
void plain_bfc_upstream(const struct instance *instance,
                        struct plan *plan); /* unit=256,region=2MiB */
void plain_bfc_regions(const struct instance *instance,
                       struct plan *plan); /* region=100,split=50 */

void plain_pytorch(const struct instance *instance, struct plan *plan);
void plain_pytorch_upstream(const struct instance *instance, struct plan *plan); /* unit=512 */
void plain_pytorch_small(const struct instance *instance, struct plan *plan);    /* small=30 */
void plain_pytorch_expandable(const struct instance *instance,
                              struct plan *plan); /* the same, expandable=on */

#endif
