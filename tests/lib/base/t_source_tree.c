/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program that was moved with its tree finds it, also from a room of the tests; one that only
 * lies below some tree does not take that for its own.  */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/memory.h"
#include "lib/base/source_tree.h"
#include "tests/support/scratch.h"
#include "tests/support/tap.h"

/* Copies this program to BASE/WHERE and has it say which tree is its own, below BASE.  */
static void finds(const char *base, const char *where, const char *want, const char *what)
{
    char self[4096] = "", said[4096] = "", *command;
    const char *at = said;
    FILE *out;

    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        exit(99);
    command = memory_printf("mkdir -p \"$(dirname '%s/%s')\" && cp '%s' '%s/%s' && '%s/%s' tell",
                            base, where, self, base, where, base, where);
    out = popen(command, "r");
    if (out == NULL || fgets(said, sizeof said, out) == NULL || pclose(out) != 0)
        tap_diag("%s: no answer", command);
    said[strcspn(said, "\n")] = '\0';
    if (strncmp(said, base, strlen(base)) == 0)
        at += strlen(base);
    is_text(at, want, "%s", what);
    free(command);
}

int main(int argc, char **argv)
{
    char *base, *command, *tree;

    if (argc == 2 && strcmp(argv[1], "tell") == 0) {
        tree = source_tree();
        puts(tree == NULL ? "none" : tree);
        free(tree);
        return 0;
    }
    base = scratch_new();
    command = memory_printf("mkdir '%s/tree' && printf '#!/bin/sh\\n' >'%s/tree/run_sweep' &&"
                            " chmod +x '%s/tree/run_sweep'",
                            base, base, base);
    ok(system(command) == 0, "a tree");
    free(command);
    finds(base, "tree/program", "/tree", "a program in a moved tree");
    finds(base, "tree/tests/lib/base/t.t", "/tree", "a test program in one");
    finds(base, "tree/tests/tests/t.t", "/tree", "in a room of any name");
    finds(base, "tree/installed/bin/program", "none", "one that was installed below it has none");
    finds(base, "tests/room/t.t", "none", "nor has one in a folder that is called tests");
    scratch_remove(base);
    return tap_done();
}
