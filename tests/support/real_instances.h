/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The real lifetimes (lib/base/real_inputs.h).  */
#ifndef ARENABENCH_TESTS_SUPPORT_REAL_INSTANCES_H
#define ARENABENCH_TESTS_SUPPORT_REAL_INSTANCES_H

struct instance;

/* Calls CHECK with each instance in CSV (minimalloc, idealloc, tight); one skipped
 * assertion where the data is not there.  */
void real_instances(void (*check)(const struct instance *instance, const void *context),
                    const void *context);

#endif
