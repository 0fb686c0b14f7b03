/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/scratch.h"

#include <stdlib.h>
#include <unistd.h>

#include "lib/base/memory.h"

/* What automake takes for a test that could not be made.  */
enum { HARD_ERROR = 99 };

char *scratch_new(void)
{
    const char *parent = getenv("TMPDIR");
    char *folder = memory_printf("%s/arenabench-test.XXXXXX", parent != NULL ? parent : "/tmp");

    if (mkdtemp(folder) != NULL)
        return folder;
    perror(folder);
    exit(HARD_ERROR);
}

void scratch_remove(char *folder)
{
    char *command = memory_printf("rm -rf '%s'", folder);

    if (system(command) != 0)
        exit(HARD_ERROR);
    free(command);
    free(folder);
}

static char *entered;

void scratch_enter(void)
{
    entered = scratch_new();
    if (chdir(entered) == 0)
        return;
    perror(entered);
    exit(HARD_ERROR);
}

void scratch_leave(void)
{
    if (chdir("/") != 0)
        exit(HARD_ERROR);
    scratch_remove(entered);
}

FILE *scratch_text(const char *text)
{
    FILE *in = tmpfile();

    if (in == NULL || fputs(text, in) < 0) {
        perror("a temporary file");
        exit(HARD_ERROR);
    }
    rewind(in);
    return in;
}
