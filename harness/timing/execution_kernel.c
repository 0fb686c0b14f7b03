#include <config.h>

#include "harness/timing/execution_kernel.h"

#include <stddef.h>
#include <string.h>

#include "kernels/kernel.h"

enum { MOST_NAMES = 64 };

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
    const char *names[MOST_NAMES] = {"none"};
    size_t count = 1;

    for (const struct conv_kernel_entry *e = conv_kernel_registry;
         e->kernel != NULL && count < MOST_NAMES; e++)
        names[count++] = e->kernel->name;
    return error_unknown(error, "kernel", name, names, count, "");
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
