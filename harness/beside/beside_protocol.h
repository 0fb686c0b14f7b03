/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run and the program beside it tell each other.  */
#ifndef ARENABENCH_HARNESS_BESIDE_BESIDE_PROTOCOL_H
#define ARENABENCH_HARNESS_BESIDE_BESIDE_PROTOCOL_H

#include <stddef.h>
#include <stdint.h>

#include "lib/graph/network.h"

/* Messages to the program, which talks over its standard input: the file; for each input a struct
 * beside_input and its elements; each output's name; at last the order.  Then it answers: a
 * library's name, and why it did not go, or the facts, the seconds of each round and the elements
 * of each output.  Texts end with a zero.  */
enum beside_message {
    BESIDE_MODEL,
    BESIDE_INPUT,
    BESIDE_ELEMENTS, /* f32 */
    BESIDE_OUTPUT,
    BESIDE_ORDER,
    BESIDE_LIBRARY,
    BESIDE_REFUSAL,
    BESIDE_FACTS,
    BESIDE_SECONDS, /* double */
};

struct beside_input {
    int rank;
    int dim[NETWORK_MAX_RANK];
    char name[]; /* ends with a zero */
};

struct beside_order {
    int threads;
    size_t rounds;
};

struct beside_facts {
    int64_t resident_bytes; /* the most since the file had been read; 0: unknown */
};

#endif
