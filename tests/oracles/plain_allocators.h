/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocators that run beside a program, written down as they were published: lists, and scans of
 * everything, in bytes.  */
#ifndef ARENABENCH_TESTS_ORACLES_PLAIN_ALLOCATORS_H
#define ARENABENCH_TESTS_ORACLES_PLAIN_ALLOCATORS_H

struct instance;
struct plan;

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
