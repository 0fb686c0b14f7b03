/* SPDX-License-Identifier: GPL-3.0-or-later */
/* make_results KIND DIR: a results folder for test scripts.  */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "tests/support/sample_results.h"

int main(int argc, char **argv)
{
    static const char *const kinds[] = {"usual", "skipped", "wrong", "builds", "machines"};
    struct error error = {""};

    for (size_t i = 0; argc == 3 && i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(argv[1], kinds[i]) == 0) {
            if (sample_results(argv[2], (enum sample)i, &error))
                return 0;
            fprintf(stderr, "make_results: %s\n", error.text);
            return 1;
        }
    return 2;
}
