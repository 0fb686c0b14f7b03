/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as the answer of a program beside a run: refused with one line, or all of it is there
 * and within its bounds.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include <math.h>

#include "harness/beside/answer.h"
#include "tests/fuzz/bytes.h"

enum { ROUNDS = 2 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = bytes_text(data, size);
    struct beside_answer answer;
    struct error error = {""};
    bool good = beside_answer_read(&answer, text, size, ROUNDS, &error);

    must(answer.rounds <= ROUNDS && answer.resident_bytes >= 0 && !(answer.refused && good));
    must(good == (error.text[0] == '\0') && strchr(error.text, '\n') == NULL);
    must(!good || (answer.rounds == ROUNDS && answer.library[0] != '\0'));
    for (size_t r = 0; good && r < ROUNDS; r++)
        must(isfinite(answer.round[r]) && answer.round[r] >= 0.0);
    beside_answer_clear(&answer);
    free(text);
    return 0;
}
