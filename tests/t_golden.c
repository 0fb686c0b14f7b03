/* Published and independently computed figures, each with its source, and the
 * smallest cases by exhaustive search.  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/instance.h"
#include "tests/brute_force.h"
#include "tests/tap.h"

struct record {
    int64_t first, last, size; /* LAST is inclusive unless said otherwise */
};

/* Sealed; SHIFT = 1 turns inclusive last steps into half-open ends.  */
static struct instance *make(const char *name, const struct record *record, size_t count,
                             int64_t shift, int64_t alignment)
{
    struct instance *instance = instance_new(name);
    struct error error;

    for (size_t i = 0; i < count; i++) {
        char id[24];

        snprintf(id, sizeof id, "%zu", i);
        instance_add(instance, id, record[i].first, record[i].last + shift, record[i].size,
                     alignment);
    }
    if (!instance_seal(instance, NULL, &error)) {
        tap_diag("%s: %s", name, error.text);
        abort();
    }
    return instance;
}

/* The smallest instances whose optimum exceeds the load, half-open: found and
 * confirmed independently of this project (exhaustive search and GLPK).  */
static void gap_gadgets(void)
{
    static const struct record five[] = {{0, 1, 2}, {0, 2, 2}, {1, 3, 1}, {1, 4, 1},
                                         {2, 4, 1}, {3, 5, 2}, {4, 5, 2}};
    static const struct record six[] = {{0, 1, 2}, {0, 2, 3}, {1, 3, 1}, {1, 4, 1},
                                        {2, 4, 1}, {3, 5, 3}, {4, 5, 2}};
    struct instance *gadget = make("gadget 5", five, 7, 0, 1);

    is_int(gadget->load, 4, "load of the gap gadget");
    is_int(brute_force_optimum(gadget), 5, "its optimum");
    instance_free(gadget);
    gadget = make("gadget 6", six, 7, 0, 1);
    is_int(gadget->load, 5, "load of the second gap gadget");
    is_int(brute_force_optimum(gadget), 6, "its optimum");
    instance_free(gadget);
}

/* Optima that a reader can check by hand.  */
static void by_hand(void)
{
    static const struct record alone[] = {{3, 4, 7}};
    static const struct record together[] = {{0, 2, 3}, {1, 3, 5}, {0, 3, 1}};
    static const struct record chain[] = {{0, 2, 3}, {1, 3, 5}, {2, 4, 3}, {3, 5, 5}};
    struct instance *instance = make("none", NULL, 0, 0, 1);

    is_int(brute_force_optimum(instance), 0, "no buffers need no memory");
    instance_free(instance);
    instance = make("alone", alone, 1, 0, 64);
    is_int(brute_force_optimum(instance), 7, "a buffer alone starts at 0");
    instance_free(instance);
    instance = make("together", together, 3, 0, 1);
    is_int(brute_force_optimum(instance), 9, "all alive at step 1");
    instance_free(instance);
    instance = make("chain", chain, 4, 0, 1);
    is_int(brute_force_optimum(instance), 8, "a chain needs its two largest neighbours");
    instance_free(instance);
    instance = make("aligned", together, 3, 0, 4);
    is_int(brute_force_optimum(instance), 13, "alignment 4: 1 at 0, 3 at 4, 5 at 8");
    instance_free(instance);
}

int main(void)
{
    gap_gadgets();
    by_hand();
    return tap_done();
}
