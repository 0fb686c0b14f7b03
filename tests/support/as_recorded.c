/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/as_recorded.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "tests/support/tap.h"

/* Lines of TEXT and of the file, one by one.  */
static void compare(char *text, FILE *recorded, int least)
{
    char line[512], *next = text;
    int rows = 0, other = 0;

    while (fgets(line, sizeof line, recorded) != NULL) {
        size_t length = strlen(line);

        rows++;
        if (strncmp(next, line, length) != 0 && other++ < 10)
            tap_diag("recorded %.*s, now %.*s", (int)length - 1, line, (int)strcspn(next, "\n"),
                     next);
        next += strcspn(next, "\n");
        next += *next == '\n';
    }
    is_int(other, 0, "%d rows are as recorded", rows);
    is_text(next, "", "and there are no more");
    ok(rows > least, "which are many");
}

int as_recorded(int argc, char **argv, const char *path, int least, as_recorded_tell *tell)
{
    const char *source = getenv("top_srcdir");
    char *text = NULL, *file;
    size_t length = 0;
    FILE *out, *recorded;

    if (argc > 1 && strcmp(argv[1], "--table") == 0) {
        tell(stdout);
        return 0;
    }
    file = memory_printf("%s/%s", source != NULL ? source : ".", path);
    recorded = fopen(file, "r");
    if (ok(recorded != NULL, "%s is there", file)) {
        out = memory_stream(&text, &length);
        tell(out);
        memory_stream_close(out);
        compare(text, recorded, least);
        fclose(recorded);
        free(text);
    }
    free(file);
    return tap_done();
}
