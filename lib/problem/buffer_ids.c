/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/problem/buffer_ids.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/problem/instance.h"

struct buffer_id {
    const char *id;
    size_t index;
};

void buffer_ids_init(struct buffer_ids *ids, const struct instance *instance)
{
    *ids = (struct buffer_ids){.instance = instance, .count = instance->n + instance->n_empty};
    ids->line = memory_zalloc(ids->count, sizeof *ids->line);
}

void buffer_ids_clear(struct buffer_ids *ids)
{
    memory_free(ids->by_id);
    memory_free(ids->line);
}

static const char *id_at(const struct buffer_ids *ids, size_t index)
{
    const struct instance *instance = ids->instance;

    return index < instance->n ? instance->buffer[index].id
                               : instance->empty[index - instance->n].id;
}

static int compare_ids(const void *a, const void *b)
{
    const struct buffer_id *x = a, *y = b;

    return strcmp(x->id, y->id); /* ids are unique */
}

/* SIZE_MAX: none.  Most files list the buffers in the instance's order, so the next one is tried
 * first.  */
static size_t find(struct buffer_ids *ids, const char *id)
{
    const struct buffer_id key = {id, 0}, *found;

    if (ids->next < ids->count && strcmp(id_at(ids, ids->next), id) == 0)
        return ids->next;
    if (ids->by_id == NULL) {
        ids->by_id = memory_alloc(ids->count, sizeof *ids->by_id);
        for (size_t i = 0; i < ids->count; i++)
            ids->by_id[i] = (struct buffer_id){id_at(ids, i), i};
        qsort(ids->by_id, ids->count, sizeof *ids->by_id, compare_ids);
    }
    found = bsearch(&key, ids->by_id, ids->count, sizeof key, compare_ids);
    return found != NULL ? found->index : SIZE_MAX;
}

bool buffer_ids_read(struct buffer_ids *ids, struct csv *csv, size_t id, const char *what,
                     size_t *index, struct error *error)
{
    const struct csv_cell *cell = &csv->cell[id];

    *index = find(ids, csv_text(csv, id));
    if (*index == SIZE_MAX)
        return csv_error(csv, cell->column, error,
                         "not a %s of this instance: it has no buffer '%s'", what,
                         csv_shown(cell->text, cell->length).text);
    if (ids->line[*index] != 0)
        return csv_error(csv, cell->column, error,
                         "the buffer '%s' is already in line %zu; expected each once",
                         csv_shown(cell->text, cell->length).text, ids->line[*index]);
    ids->line[*index] = csv->line;
    ids->next = *index + 1;
    return true;
}

bool buffer_ids_complete(const struct buffer_ids *ids, const struct csv *csv, const char *what,
                         struct error *error)
{
    size_t missing = 0, first = 0;

    for (size_t b = ids->instance->n; b-- > 0;)
        if (ids->line[b] == 0) {
            missing++;
            first = b;
        }
    return missing == 0 ||
           csv_error(csv, 1, error,
                     "the %s ends without the buffer '%s' (missing: %zu); expected every buffer "
                     "of the instance",
                     what, csv_shown(id_at(ids, first), strlen(id_at(ids, first))).text, missing);
}
