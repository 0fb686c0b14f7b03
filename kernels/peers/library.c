/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "kernels/peers/library.h"

#include <dlfcn.h>

bool library_open(const char *file, const char *const *name, size_t count, void **symbol,
                  struct error *error)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);

    if (library == NULL)
        return error_set(error, "%s can't be opened", file);
    for (size_t i = 0; i < count; i++) {
        symbol[i] = dlsym(library, name[i]);
        if (symbol[i] == NULL)
            return error_set(error, "%s lacks %s", file, name[i]);
    }
    return true;
}
