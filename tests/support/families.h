/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The families of instances that searches for packings are chosen by and judged on: a fixed
 * list, named by generators' parameters and seeds.  It falls into two halves, by the parity
 * of a hash of the name: settings are chosen on the one (`tuning`) and never on the other.  */
#ifndef ARENABENCH_TESTS_SUPPORT_FAMILIES_H
#define ARENABENCH_TESTS_SUPPORT_FAMILIES_H

#include <stdbool.h>
#include <stddef.h>

enum { FAMILIES = 12 };

/* "guillotine" and so on; I below FAMILIES.  */
const char *family_name(size_t i);

/* The workload of member MEMBER of family I, NULL behind the last one.  The caller frees it.  */
char *family_member(size_t i, int member);

/* Whether the workload SPEC is in the half that settings may be chosen on.  */
bool family_is_tuning(const char *spec);

/* Whether it is made of real inputs (lib/base/real_inputs.h) that are not here.  */
bool family_is_missing(const char *spec);

#endif
