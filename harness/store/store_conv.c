#include <config.h>

#include "harness/store/store_conv.h"

#include "harness/store/store_binder.h"

/* Turns of the final stand behind those of the first pass.  */
#define FINAL_SEQ 1000000

/* Parameters that a kernel does not have are 0 and NULL.  */
static int64_t or_null(int64_t value)
{
    return value == 0 ? STORE_NULL : value;
}

bool store_insert_conv(struct store *store, const struct store_conv *conv, int64_t id,
                       struct error *error)
{
    const struct conv_choice *c = conv->choice;
    struct binder binder = binder_new(store, STATEMENT_PUT_CONV);

    binder_int(&binder, id);
    binder_text(&binder, conv->isa);
    binder_int(&binder, conv->threads);
    binder_text(&binder, conv->role);
    binder_int(&binder, or_null(conv->rank));
    binder_text(&binder, conv->run_params);
    binder_int(&binder, or_null(c->co));
    binder_int(&binder, or_null(c->wo));
    binder_int(&binder, or_null(c->ci));
    binder_text(&binder, c->wf);
    binder_text(&binder, c->hfil);
    binder_int(&binder, or_null(c->rows));
    binder_int(&binder, or_null(c->cco));
    binder_text(&binder, c->order);
    binder_int(&binder, or_null(c->cci));
    binder_int(&binder, conv->workspace_bytes);
    binder_int(&binder, conv->packed_bytes);
    binder_real(&binder, conv->pack_s);
    binder_real(&binder, conv->max_error);
    binder_int(&binder, conv->compared);
    binder_int(&binder, conv->rounds);
    binder_real(&binder, conv->low_s);
    binder_real(&binder, conv->high_s);
    binder_int(&binder, conv->settled);
    binder_real(&binder, conv->peak_flops);
    binder_real(&binder, conv->reference_s);
    binder_real(&binder, conv->model_m);
    binder_real(&binder, conv->model_exact);
    binder_real(&binder, conv->predicted_s);
    binder_int(&binder, conv->registers);
    binder_int(&binder, conv->spilled);
    binder_int(&binder, conv->chains);
    return binder_run(&binder, NULL, NULL, error);
}

static bool put_turn(struct store *store, int64_t id, int64_t seq, double value,
                     struct error *error)
{
    struct binder binder = binder_new(store, STATEMENT_PUT_EVENT);

    binder_int(&binder, id);
    binder_int(&binder, FINAL_SEQ + seq);
    binder_text(&binder, "final");
    binder_real(&binder, (double)seq);
    binder_real(&binder, value);
    return binder_run(&binder, NULL, NULL, error);
}

bool store_put_final(struct store *store, int64_t id, const double *turn, size_t count,
                     double median, struct interval interval, struct error *error)
{
    struct binder binder;
    int64_t sweep;
    bool done;

    if (!binder_plain(store, STATEMENT_BEGIN, error))
        return false;
    binder = binder_new(store, STATEMENT_DROP_FINALS);
    binder_int(&binder, id);
    done = binder_run(&binder, NULL, NULL, error) && store_sweep(store, &sweep, error);
    for (size_t i = 0; done && i < count; i++)
        done = put_turn(store, id, (int64_t)i, turn[i], error);
    if (done) {
        binder = binder_new(store, STATEMENT_PUT_FINAL);
        binder_int(&binder, id);
        binder_int(&binder, (int64_t)count);
        binder_real(&binder, median);
        binder_real(&binder, interval.low);
        binder_real(&binder, interval.high);
        binder_int(&binder, sweep);
        done = binder_run(&binder, NULL, NULL, error);
    }
    return binder_finish(store, done, error);
}

bool store_put_layer_uses(struct store *store, const char *experiment, const char *size,
                          const struct store_layer_use *use, size_t count, struct error *error)
{
    struct binder binder;
    bool done;

    if (!binder_plain(store, STATEMENT_BEGIN, error))
        return false;
    binder = binder_new(store, STATEMENT_CLEAR_LAYER_USES);
    binder_text(&binder, experiment);
    binder_text(&binder, size);
    done = binder_run(&binder, NULL, NULL, error);
    for (size_t i = 0; done && i < count; i++) {
        binder = binder_new(store, STATEMENT_PUT_LAYER_USE);
        binder_text(&binder, experiment);
        binder_text(&binder, size);
        binder_int(&binder, use[i].workload);
        binder_text(&binder, use[i].network);
        binder_int(&binder, use[i].uses);
        done = binder_run(&binder, NULL, NULL, error);
    }
    return binder_finish(store, done, error);
}

bool store_put_constants(struct store *store, const char *isa,
                         const struct store_constant *constant, size_t count, struct error *error)
{
    int64_t sweep;
    bool done;

    if (!binder_plain(store, STATEMENT_BEGIN, error))
        return false;
    done = store_sweep(store, &sweep, error);
    for (size_t i = 0; done && i < count; i++) {
        struct binder binder = binder_new(store, STATEMENT_PUT_CONSTANT);

        binder_int(&binder, sweep);
        binder_text(&binder, isa);
        binder_text(&binder, constant[i].name);
        binder_real(&binder, constant[i].value);
        done = binder_run(&binder, NULL, NULL, error);
    }
    return binder_finish(store, done, error);
}
