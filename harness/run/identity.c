/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a contestant's results depend on beside its name and parameters: the sources that
 * make its solver, and where that runs a command the files that the command names.  */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/io/process.h"
#include "harness/io/shell_words.h"
#include "harness/run/runner.h"
#include "lib/base/checksum.h"
#include "lib/base/memory.h"
#include "solvers/solver.h"

static bool is_file(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* No more than the size that the file has: one that grows has an end too, and what
 * the kernel makes up as it is read (/proc) counts as empty.  */
static bool add_content(int file, const char *path, uint64_t *checksum, struct error *error)
{
    struct stat status;
    char block[65536];
    int64_t left;

    if (fstat(file, &status) != 0)
        return error_set(error, "%s: %s", path, strerror(errno));
    left = status.st_size;
    while (left > 0) {
        ssize_t count =
            read(file, block, left < (int64_t)sizeof block ? (size_t)left : sizeof block);

        if (count < 0 && errno != EINTR)
            return error_set(error, "%s: cannot read: %s", path, strerror(errno));
        if (count == 0)
            break;
        if (count < 0)
            continue;
        *checksum = checksum_bytes(*checksum, block, (size_t)count);
        left -= count;
    }
    return true;
}

/* Adds the file at PATH, if it is one that can be read, as what word number INDEX
 * names.  */
static bool add_file(const char *path, size_t index, uint64_t *checksum, struct error *error)
{
    int file = is_file(path) ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    bool done;

    if (file < 0)
        return true;
    *checksum = checksum_int(*checksum, (int64_t)index);
    done = add_content(file, path, checksum, error);
    close(file);
    return done;
}

/* A word may be a file, a program, or an option or a variable with a file.  */
static bool add_word(const char *word, size_t index, uint64_t *checksum, struct error *error)
{
    const char *value = strchr(word, '=');
    char *program = NULL;
    bool done = add_file(word, index, checksum, error) &&
                (value == NULL || add_file(value + 1, index, checksum, error));

    if (done && word[0] != '\0' && strchr(word, '/') == NULL)
        program = process_program(word);
    if (program != NULL)
        done = add_file(program, index, checksum, error);
    free(program);
    return done;
}

static bool add_command(const char *command, uint64_t *checksum, struct error *error)
{
    struct text_list words = {0};
    bool done = true;

    shell_words(command, &words);
    for (size_t i = 0; done && i < words.n; i++)
        done = add_word(words.text[i], i, checksum, error);
    text_list_clear(&words);
    return done;
}

bool contestant_identify(struct contestant *contestant, struct error *error)
{
    const struct solver_entry *entry = contestant->entry;
    uint64_t checksum = CHECKSUM_START;

    free(contestant->build);
    contestant->build = NULL;
    if ((entry->solver->capabilities & SOLVER_RAW_PARAMETER) == 0) {
        contestant->build = memory_strdup(entry->checksum);
        return true;
    }
    if (!add_command(params_raw_value(&contestant->params), &checksum, error))
        return error_prefix(error, "%s", contestant->label);
    contestant->build = memory_printf("%s-%016" PRIx64, entry->checksum, checksum);
    return true;
}
