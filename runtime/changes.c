/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "runtime/changes.h"

#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/graph/train_compute.h"

static enum change change_by(const struct network_op *op, size_t value)
{
    for (size_t i = 0; i < op->inputs; i++)
        if (op->input[i] == value && train_updates(op, i))
            return train_is_state(op, i) ? CHANGE_STATE : CHANGE_WEIGHT;
    return CHANGE_NONE;
}

enum change change_of(const struct network *network, size_t v)
{
    const struct value *value = &network->value[v];
    enum change change = CHANGE_NONE;

    for (size_t i = 0; i < value->readers && change == CHANGE_NONE; i++)
        change = change_by(&network->op[value->reader[i]], v);
    return change;
}

bool changes_come_last(const struct network *network, const struct schedule *schedule,
                       struct error *error)
{
    for (size_t o = 0; o < network->n_ops; o++) {
        const struct network_op *op = &network->op[o];

        for (size_t i = 0; i < op->inputs; i++) {
            const struct value *value = &network->value[op->input[i]];

            for (size_t r = 0; train_updates(op, i) && r < value->readers; r++) {
                size_t reader = value->reader[r];

                if (reader != o && schedule->step[reader] >= schedule->step[o])
                    return error_set(error,
                                     "'%s' would be updated before operator '%s' reads it: "
                                     "order=file has updates last",
                                     value->name, network->op[reader].name);
            }
        }
    }
    return true;
}
