/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Textbook allocators, and jemalloc's classes, written down as they were published: lists, and
 * scans of everything that is alive.  */
#ifndef ARENABENCH_TESTS_ORACLES_PLAIN_ONLINE_H
#define ARENABENCH_TESTS_ORACLES_PLAIN_ONLINE_H

struct instance;
struct plan;

/* Each fills in offsets and peak.  */
void plain_best_fit(const struct instance *instance, struct plan *plan);
void plain_first_fit(const struct instance *instance, struct plan *plan);
void plain_buddy(const struct instance *instance, struct plan *plan);
void plain_buddy_24(const struct instance *instance, struct plan *plan); /* unit=24 */
void plain_size_classes(const struct instance *instance, struct plan *plan);
void plain_size_classes_64(const struct instance *instance, struct plan *plan); /* page=64 */

#endif
