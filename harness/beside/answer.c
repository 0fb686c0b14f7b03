/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/beside/answer.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/params.h"

static bool take_library(struct beside_answer *answer, const char *name, struct error *error)
{
    const size_t length = strlen(name);
    bool visible = length > 0;

    for (size_t i = 0; i < length; i++)
        visible = visible && name[i] >= ' ' && name[i] <= '~';
    if (!visible || length >= sizeof answer->library || answer->library[0] != '\0')
        return error_set(error, "expected one name of a library, of 1 to 95 characters of ASCII");
    memcpy(answer->library, name, length + 1);
    return true;
}

static bool take_line(struct beside_answer *answer, char *line, size_t rounds, struct error *error)
{
    static const char *const words[] = {"library", "seconds", "resident", "refused"};
    char *rest = strchr(line, ' ');

    if (rest != NULL)
        *rest++ = '\0';
    if (rest == NULL || *rest == '\0')
        return error_set(error, "'%.80s' has nothing behind it", line);
    if (strcmp(line, "library") == 0)
        return take_library(answer, rest, error);
    if (strcmp(line, "seconds") == 0) {
        if (answer->rounds == rounds)
            return error_set(error, "there are only %zu rounds", rounds);
        return parse_real(rest, 0.0, 1e9, &answer->round[answer->rounds++]) ||
               error_set(error, "expected seconds, not '%.80s'", rest);
    }
    if (strcmp(line, "resident") == 0)
        return parse_int(rest, 1, INT64_MAX, &answer->resident_bytes) ||
               error_set(error, "expected bytes, not '%.80s'", rest);
    if (strcmp(line, "refused") == 0) {
        answer->refused = true;
        return error_set(error, "%.900s", rest);
    }
    return error_unknown(error, "word", line, words, sizeof words / sizeof words[0],
                         ": expected library, seconds, resident or refused");
}

bool beside_answer_read(struct beside_answer *answer, char *text, size_t length, size_t rounds,
                        struct error *error)
{
    size_t number = 0;

    *answer = (struct beside_answer){.round = memory_zalloc(rounds + 1, sizeof(double))};
    for (char *line = text; line < text + length;) {
        char *end = line + strcspn(line, "\n");

        number++;
        if (*end == '\0' && end != text + length)
            return error_set(error, "line %zu of its answer has a zero byte", number);
        *end = '\0';
        if (!take_line(answer, line, rounds, error))
            return answer->refused ? false : error_prefix(error, "line %zu of its answer", number);
        line = end + 1;
    }
    if (answer->library[0] == '\0')
        return error_set(error, "its answer names no library");
    return answer->rounds == rounds ||
           error_set(error, "its answer has %zu of %zu rounds", answer->rounds, rounds);
}

void beside_answer_clear(struct beside_answer *answer)
{
    free(answer->round);
    *answer = (struct beside_answer){.rounds = 0};
}
