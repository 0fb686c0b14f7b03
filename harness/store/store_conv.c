/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/store/store_conv.h"

#include "harness/store/store_table.h"

static bool put_part(struct store *store, const struct store_final *final, struct error *error)
{
    struct conv_row row = {.task = final->task,
                           .final_rounds = (int64_t) final->turns,
                           .final_s = final->median,
                           .final = final->interval,
                           .final_turn_s = {final->turn, final->turns}};

    return store_sweep(store, &row.final_sweep, error) &&
           store_complete(store, TABLE_CONV, &row, error);
}

bool store_put_final(struct store *store, const struct store_final *final, size_t count,
                     struct error *error)
{
    bool done = true;

    if (!store_begin(store, error))
        return false;
    for (size_t i = 0; done && i < count; i++)
        done = put_part(store, &final[i], error);
    return store_end(store, done, error);
}

bool store_put_layer_uses(struct store *store, const char *experiment, const char *size,
                          const struct store_layer_use *use, size_t count, struct error *error)
{
    bool done;

    if (!store_begin(store, error))
        return false;
    done = store_run(store, "DELETE FROM layer_use WHERE experiment = ?1 AND size = ?2",
                     (const char *[]){experiment, size}, NULL, NULL, error);
    for (size_t i = 0; done && i < count; i++) {
        const struct layer_use_row row = {experiment, size, use[i]};

        done = store_insert(store, TABLE_LAYER_USE, &row, NULL, error);
    }
    return store_end(store, done, error);
}

bool store_put_constants(struct store *store, const char *isa,
                         const struct store_constant *constant, size_t count, struct error *error)
{
    struct constant_row row = {.isa = isa};
    bool done;

    if (!store_begin(store, error))
        return false;
    done = store_sweep(store, &row.sweep, error);
    for (size_t i = 0; done && i < count; i++) {
        row.constant = constant[i];
        done = store_insert(store, TABLE_CONSTANT, &row, NULL, error);
    }
    return store_end(store, done, error);
}
