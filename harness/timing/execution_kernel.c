/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/timing/execution_kernel.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernel.h"
#include "lib/base/memory.h"

/* The kernel with that name, else the first of the family; NULL: there is none.  */
static const struct conv_kernel_entry *find_entry(const char *name)
{
    const struct conv_kernel_entry *family = NULL;
    const size_t length = strlen(name);

    for (const struct conv_kernel_entry *e = conv_kernel_registry; e->kernel != NULL; e++) {
        const char *other = e->kernel->name;

        if (strcmp(other, name) == 0)
            return e;
        if (family == NULL && strncmp(other, name, length) == 0 && other[length] == '-')
            family = e;
    }
    return family;
}

static bool refuse(const char *name, struct error *error)
{
    const char **names;
    size_t count = 1;

    while (conv_kernel_registry[count - 1].kernel != NULL)
        count++;
    names = memory_alloc(count, sizeof *names);
    names[0] = "none";
    for (size_t i = 1; i < count; i++)
        names[i] = conv_kernel_registry[i - 1].kernel->name;
    error_unknown(error, "kernel", name, names, count, "");
    free(names);
    return false;
}

bool execution_kernel_find(const char *name, struct execution_kernel *kernel, struct error *error)
{
    *kernel = (struct execution_kernel){NULL, NULL};
    if (strcmp(name, "none") == 0)
        return true;
    kernel->entry = find_entry(name);
    for (const struct conv_peer *peer = conv_peers; kernel->entry == NULL && peer->name != NULL;
         peer++)
        if (strcmp(peer->name, name) == 0)
            kernel->absent = peer->absent;
    return kernel->entry != NULL || kernel->absent != NULL || refuse(name, error);
}
