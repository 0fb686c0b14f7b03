/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared objects that are in use, by the step at which they become free.  */
#ifndef ARENABENCH_SOLVERS_FIT_BUSY_OBJECTS_H
#define ARENABENCH_SOLVERS_FIT_BUSY_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct busy_object {
    int64_t end;
    size_t object;
};

/* All zero: empty.  A heap.  */
struct busy_objects {
    struct busy_object *entry;
    size_t count, capacity;
};

void busy_objects_clear(struct busy_objects *busy);

/* OBJECT is in use until END.  O(log count).  */
void busy_objects_add(struct busy_objects *busy, int64_t end, size_t object);

/* Takes out the object that is free first, of equal ones the least, if it is free at
 * NOW; false when none is.  O(log count).  */
bool busy_objects_take(struct busy_objects *busy, int64_t now, size_t *object);

#endif
