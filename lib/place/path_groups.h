/* SPDX-License-Identifier: Apache-2.0 */
/* The groups of the path-cover article: sequences of buffers whose lifetimes
 * do not overlap, as few as possible.  */
#ifndef ARENABENCH_LIB_PLACE_PATH_GROUPS_H
#define ARENABENCH_LIB_PLACE_PATH_GROUPS_H

#include <stddef.h>

struct instance;
struct plan;

/* Which of the free groups takes a buffer.  The article says "any".  */
enum group_choice {
    GROUP_FIRST, /* the one that was opened first */
    GROUP_LAST,  /* the one that was opened last */
    GROUP_BEST,  /* the one whose largest buffer is nearest in size; see the source */
};

/* Goes through the buffers by begin (ties: index); each joins a group whose
 * last member has ended, or opens a new one.  Fills in GROUP, one number a
 * buffer from 0 in the order of opening, and returns the number of groups,
 * which is the width of the instance.  O(n log n).  */
size_t path_groups(const struct instance *instance, enum group_choice choice, size_t *group);

/* The plan: the groups' members, group after group, on a skyline.  O(n log n).  */
void path_groups_place(const struct instance *instance, enum group_choice choice,
                       struct plan *plan);

#endif
