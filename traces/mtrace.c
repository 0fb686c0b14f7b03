/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What glibc's mtrace() writes into the file that MALLOC_TRACE names.
 *
 *   = Start
 *   @ ./program:(main+0x1d)[0x5581] + 0x5581a3 0x40     malloc, its address and size
 *   @ ./program:(main+0x2b)[0x558f] < 0x5581a3          realloc: what is given back
 *   @ ./program:(main+0x2b)[0x558f] > 0x5581f0 0x80     and what is handed out
 *   @ ./program:(main+0x33)[0x5597] - 0x5581f0          free
 *   = End
 *
 * Where a call came from stands before the sign or not.  `! ADDRESS SIZE` is a realloc that failed,
 * and nothing happened.
 * Source: glibc, malloc/mtrace-impl.c, and malloc/mtrace.pl, which reads it.  */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "traces/formats.h"

struct line {
    const char *path;
    int64_t number;
    struct recorder *recorder;
};

static bool wrong(const struct line *line, struct error *error, const char *text)
{
    return error_set(error, "%s:%" PRId64 ": %s", line->path, line->number, text);
}

/* The next word of *AT, cut off there; NULL: there is none.  */
static char *next_word(char **at)
{
    char *word = *at + strspn(*at, " \t");

    if (*word == '\0')
        return NULL;
    *at = word + strcspn(word, " \t");
    if (**at != '\0')
        *(*at)++ = '\0';
    return word;
}

/* A number with hexadecimal digits behind 0x; glibc writes 0 and NULL as its printf does.  */
static bool read_number(char **at, uint64_t *number)
{
    const char *word = next_word(at);
    char *end;

    if (word != NULL && strcmp(word, "(nil)") == 0)
        word = "0x0";
    if (word == NULL || word[0] != '0' || (word[1] != 'x' && word[1] != '\0') || word[1] == ' ')
        return false;
    errno = 0;
    *number = strtoull(word, &end, 16);
    return *end == '\0' && errno == 0;
}

/* `@ CALLER` before the sign, whose name may have blanks and ends with `[ADDRESS]`, is left out. */
static char *behind_caller(char *text)
{
    char *behind = text;

    if (text[0] != '@' || text[1] != ' ')
        return text;
    for (char *at = text; (at = strchr(at, ']')) != NULL; at++)
        if (at[1] == ' ')
            behind = at + 2;
    return behind + strspn(behind, " ");
}

static bool add_event(const struct line *line, char sign, uint64_t address, uint64_t size,
                      struct error *error)
{
    struct error inner = {""};
    size_t pool;
    bool good;

    if (size > INT64_MAX)
        return wrong(line, error, "a size above 2^63 - 1; expected less");
    good = recorder_pool(line->recorder, "malloc", &pool, &inner) &&
           (sign == '+' || sign == '>'
                ? recorder_allocate(line->recorder, pool, address, (int64_t)size, &inner)
                : recorder_release(line->recorder, pool, address, RELEASE_UNKNOWN, &inner));
    return good || wrong(line, error, inner.text);
}

static bool read_line(const struct line *line, char *text, struct error *error)
{
    uint64_t address = 0, size = 0;
    const char *sign;
    char *at;

    if (text[0] == '=' || text[strspn(text, " \t")] == '\0')
        return true;
    at = behind_caller(text);
    sign = next_word(&at);
    if (sign == NULL || strlen(sign) != 1 || strchr("+-<>!", sign[0]) == NULL)
        return wrong(line, error,
                     "expected an event: + ADDRESS SIZE, - ADDRESS, < ADDRESS, > ADDRESS SIZE");
    if (!read_number(&at, &address))
        return wrong(line, error, "no address; expected 0x and hexadecimal digits");
    if (strchr("+>!", sign[0]) != NULL && !read_number(&at, &size))
        return wrong(line, error, "no size; expected 0x and hexadecimal digits");
    if (next_word(&at) != NULL)
        return wrong(line, error, "more behind the event; expected the line's end");
    /* malloc(0) may give no address, and free(NULL) is none.  */
    return sign[0] == '!' || address == 0 || add_event(line, sign[0], address, size, error);
}

bool trace_read_mtrace(struct recorder *recorder, FILE *in, const char *path, struct error *error)
{
    struct line line = {path, 0, recorder};
    char *text = NULL;
    size_t room = 0;
    ssize_t length;
    bool good = true;

    errno = 0;
    while (good && (length = getline(&text, &room, in)) >= 0) {
        line.number++;
        if (length > 0 && text[length - 1] == '\n')
            text[--length] = '\0';
        if (length > 0 && text[length - 1] == '\r')
            text[--length] = '\0';
        good = strlen(text) == (size_t)length ? read_line(&line, text, error)
                                              : wrong(&line, error, "a zero byte; expected text");
    }
    if (good && ferror(in))
        good = error_set(error, "%s: cannot read: %s", path, strerror(errno != 0 ? errno : EIO));
    free(text);
    return good;
}
