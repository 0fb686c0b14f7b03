/* Statements of the store with their parameters, in order.  */
#ifndef ARENABENCH_HARNESS_STORE_STORE_BINDER_H
#define ARENABENCH_HARNESS_STORE_STORE_BINDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/store/store.h"
#include "harness/store/store_private.h"

/* Binds the parameters of one statement in their order and keeps the first
 * failure for binder_run.  Texts are not copied: they outlive the statement's run.  */
struct binder {
    struct store *store;
    struct sqlite3_stmt *statement;
    int at, result;
};

struct binder binder_new(struct store *store, enum statement which);
void binder_text(struct binder *binder, const char *text);
void binder_real(struct binder *binder, double value);
void binder_int(struct binder *binder, int64_t value);
void binder_blob(struct binder *binder, const void *data, size_t size);
/* Runs a statement whose rows, if any, do not matter beyond the first, which
 * gives *ID (0: no row) and OUTCOME where they are wanted.  */
bool binder_run(struct binder *binder, int64_t *id, char *outcome, struct error *error);
bool binder_plain(struct store *store, enum statement which, struct error *error);
/* Ends a transaction: keeps it when DONE, else undoes it.  */
bool binder_finish(struct store *store, bool done, struct error *error);

#endif
