/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as the answer of a program beside a run: refused with one line, or all of it is there
 * and within its bounds.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/beside/answer.h"
#include "lib/base/memory.h"

enum { ROUNDS = 2 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = memory_alloc(size + 1, 1);
    struct beside_answer answer;
    struct error error = {""};
    bool good;

    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    good = beside_answer_read(&answer, text, size, ROUNDS, &error);
    if (answer.rounds > ROUNDS || answer.resident_bytes < 0 || (answer.refused && good) ||
        good != (error.text[0] == '\0') || strchr(error.text, '\n') != NULL)
        abort();
    if (good && (answer.rounds != ROUNDS || answer.library[0] == '\0'))
        abort();
    for (size_t r = 0; good && r < ROUNDS; r++)
        if (!isfinite(answer.round[r]) || answer.round[r] < 0.0)
            abort();
    beside_answer_clear(&answer);
    free(text);
    return 0;
}
