/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Problems of the library that are the same on every machine, and digests of answers: for programs
 * that have nothing but arenaplan.h, which stands before this file.  */
#ifndef ARENABENCH_TESTS_SUPPORT_DRAWN_PROBLEM_H
#define ARENABENCH_TESTS_SUPPORT_DRAWN_PROBLEM_H

#include <stddef.h>
#include <stdint.h>

#define DIGEST_START UINT64_C(0xcbf29ce484222325)

static uint64_t drawn_state = 1;

static int64_t draw(int64_t below)
{
    drawn_state = drawn_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)((drawn_state >> 33) % (uint64_t)below);
}

/* N buffers in SPAN steps, of up to SIZES bytes or KiB.  TURN says which kind: with a unit, with
 * alignments, with buffers of two pieces (2 N PIECES are room for them), with fixed ones, with
 * shorter lifetimes, and some of these together.  */
static void draw_buffers(int turn, size_t n, int64_t span, int64_t sizes,
                         struct arenaplan_buffer *buffer, struct arenaplan_piece *piece)
{
    int64_t unit = turn % 3 == 0 ? 1024 : 1, top = 0;

    for (size_t i = 0; i < n; i++) {
        int64_t begin = draw(span), length = 1 + draw(1 + span / (turn % 2 == 0 ? 3 : 8));
        struct arenaplan_buffer made = {.begin = begin, .end = begin + length};

        made.size = unit * (1 + draw(sizes));
        made.alignment = turn % 4 == 1 ? INT64_C(1) << draw(5) : 0;
        if (turn % 5 == 2 && length > 1) {
            int64_t middle = begin + 1 + draw(length - 1), half = (made.size + 1) / 2;

            piece[2 * i] = (struct arenaplan_piece){begin, middle, 0, made.size};
            piece[2 * i + 1] = (struct arenaplan_piece){middle, begin + length, 0, half};
            made.piece = piece + 2 * i;
            made.pieces = 2;
        }
        if (turn % 5 == 4 && i % 7 == 3) {
            made.flags = ARENAPLAN_FIXED;
            made.offset = top;
            top += made.size;
        }
        buffer[i] = made;
    }
}

/* FNV-1a of the bytes of a number.  */
static inline void digest_add(uint64_t *digest, int64_t number)
{
    for (int byte = 0; byte < 8; byte++)
        *digest = (*digest ^ ((uint64_t)number >> 8 * byte & 0xff)) * UINT64_C(0x100000001b3);
}

#endif
