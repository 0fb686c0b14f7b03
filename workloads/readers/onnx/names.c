/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "workloads/readers/onnx/names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"

struct name_slot {
    const char *name;
    void *thing; /* NULL: free */
};

void names_clear(struct names *names)
{
    free(names->slot);
    *names = (struct names){0};
}

/* FNV-1a.  Names that are made to collide cost time, as quadratic as their
 * number, but nothing else.  */
static size_t hash(const char *name)
{
    uint64_t sum = UINT64_C(14695981039346656037);

    for (; *name != '\0'; name++)
        sum = (sum ^ (unsigned char)*name) * UINT64_C(1099511628211);
    return (size_t)(sum ^ sum >> 32);
}

/* Where NAME is, or would go.  */
static struct name_slot *place(const struct names *names, const char *name)
{
    size_t at = hash(name) & (names->slots - 1);

    while (names->slot[at].thing != NULL && strcmp(names->slot[at].name, name) != 0)
        at = (at + 1) & (names->slots - 1);
    return &names->slot[at];
}

void *names_find(const struct names *names, const char *name)
{
    return names->count == 0 ? NULL : place(names, name)->thing;
}

static void grow(struct names *names)
{
    struct names old = *names;

    names->slots = old.slots == 0 ? 16 : 2 * old.slots;
    names->slot = memory_zalloc(names->slots, sizeof *names->slot);
    for (size_t i = 0; i < old.slots; i++)
        if (old.slot[i].thing != NULL)
            *place(names, old.slot[i].name) = old.slot[i];
    free(old.slot);
}

bool names_add(struct names *names, const char *name, void *thing)
{
    struct name_slot *slot;

    if (2 * (names->count + 1) > names->slots)
        grow(names);
    slot = place(names, name);
    if (slot->thing != NULL)
        return false;
    *slot = (struct name_slot){name, thing};
    names->count++;
    return true;
}
