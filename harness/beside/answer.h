/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a program beside a run says on its standard output, a line each: `library NAME`, once;
 * `seconds NUMBER` for each round; `resident BYTES` where it knows; `refused WHY` where it can't
 * run the model.  The program is anybody's, and so nothing of it is believed unseen.  */
#ifndef ARENABENCH_HARNESS_BESIDE_ANSWER_H
#define ARENABENCH_HARNESS_BESIDE_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct beside_answer {
    char library[96]; /* "" as long as none was named: visible characters of ASCII */
    double *round;    /* seconds */
    size_t rounds;
    int64_t resident_bytes; /* 0: it does not say */
    bool refused;           /* for the reason that the message is */
};

/* Reads LENGTH bytes of TEXT, which a zero follows, with ROUNDS rounds.  False with a message that
 * names the line; what was read before it is in ANSWER all the same.  The caller clears ANSWER.  */
bool beside_answer_read(struct beside_answer *answer, char *text, size_t length, size_t rounds,
                        struct error *error);
void beside_answer_clear(struct beside_answer *answer);

#endif
