/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of the reader share.  */
#ifndef ARENABENCH_HAZARDS_JSON_PRIVATE_H
#define ARENABENCH_HAZARDS_JSON_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hazards/json_value.h"
#include "hazards/problem.h"

struct json_numbered {
    int64_t number;
    size_t buffer;
};

struct json_reading {
    struct json_place place;
    struct hazard_problem *problem;
    struct json_numbered *by_number; /* buffers */
    size_t *root; /* of each buffer: another that it is together with, or itself at the end */
    size_t pairs_room, costs_room;
};

/* Sorts the buffers by what files call them; false where two have one number.  */
bool json_number_buffers(struct json_reading *reading);

/* The buffer that the member KEY of VALUE numbers.  */
bool json_reference(const struct json_reading *reading, json_t *value, const char *key,
                    size_t *buffer);

/* The index of the pool ID; n_pools: there is none.  */
size_t json_find_pool(const struct hazard_problem *problem, int64_t id);

/* Pairs, pins and costs: members of "problem", whose buffers are there.  */
bool json_read_constraints(struct json_reading *reading, json_t *body);
bool json_read_costs(struct json_reading *reading, json_t *body);

#endif
