/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the kernel says of a process: behind its name, whatever that is.  */
#include <config.h>

#include "harness/run/process_stat.h"

#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "tests/support/tap.h"

static void is_told(const char *name)
{
    char text[PROCESS_STAT];
    const char *stat;
    int parent = 0;

    ok(prctl(PR_SET_NAME, name) == 0, "this process is named '%s'", name);
    stat = process_stat(getpid(), text);
    ok(stat != NULL && sscanf(stat, ") R %d", &parent) == 1, "it runs: %s",
       stat == NULL ? "none" : stat);
    is_int(parent, getppid(), "its parent");
}

int main(void)
{
    char text[PROCESS_STAT];

    is_told("plain");
    is_told("a) S 1 (b");
    is_told("");
    ok(process_stat(-1, text) == NULL, "there is no such process");
    return tap_done();
}
