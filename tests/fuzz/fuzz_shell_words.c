/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as a shell command whose words are looked at: it is not run, and variables of the
 * environment stay as they are.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include <unistd.h>

#include "harness/io/shell_words.h"
#include "tests/fuzz/bytes.h"

extern char **environ;

/* All variables, one behind the other; the caller frees it.  */
static char *variables(void)
{
    char *all = memory_strdup("");

    for (char **variable = environ; *variable != NULL; variable++)
        all = memory_append(all, "%s\n", *variable);
    return all;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text_list words = {0};
    char *text = bytes_text(data, size), *before, *after;

    setenv("EMPTY", "", 1);
    before = variables();
    /* Patterns over the whole file system take as long as they take.  */
    if (strchr(text, '/') == NULL || strpbrk(text, "*?[") == NULL)
        shell_words(text, &words);
    after = variables();
    must(strcmp(before, after) == 0);
    text_list_clear(&words);
    free(before);
    free(after);
    free(text);
    return 0;
}
