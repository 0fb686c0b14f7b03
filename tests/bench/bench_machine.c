/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/bench/bench_machine.h"

#include <stdio.h>
#include <string.h>

#include "harness/store/store.h"
#include "harness/sweep/provenance.h"

void bench_print_machine(int argc, char **argv)
{
    static const char *const wanted[] = {"version",   "commit", "compiler", "cflags",      "date",
                                         "processor", "caches", "cores",    "load_average"};
    struct provenance provenance;

    provenance_collect(&provenance, argc, argv);
    for (size_t i = 0; i < provenance.n; i++)
        for (size_t j = 0; j < sizeof wanted / sizeof wanted[0]; j++)
            if (strcmp(provenance.pair[i].name, wanted[j]) == 0)
                printf("%-14s%s\n", wanted[j], provenance.pair[i].value);
    provenance_clear(&provenance);
}
