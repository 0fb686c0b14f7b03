#include <config.h>

#include "tests/instances.h"

#include <stdlib.h>

#include "lib/error.h"
#include "lib/instance.h"
#include "tests/tap.h"

struct instance *sealed(struct instance *instance)
{
    struct error error;

    if (!instance_seal(instance, NULL, &error)) {
        tap_diag("instance %s: %s", instance->name, error.text);
        abort();
    }
    return instance;
}

struct instance *three(int64_t alignment)
{
    struct instance *instance = instance_new("three");

    instance_add(instance, "a", 0, 2, 10, 1);
    instance_add(instance, "b", 2, 4, 7, alignment);
    instance_add(instance, "c", 1, 3, 5, 1);
    return sealed(instance);
}
