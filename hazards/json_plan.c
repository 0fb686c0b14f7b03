/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "hazards/json.h"

#include <inttypes.h>

#include "hazards/json_private.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"

static bool read_placement(const struct json_reading *reading, json_t *value, bool *found,
                           int64_t *offset)
{
    const struct hazard_problem *problem = reading->problem;
    const struct json_place *place = &reading->place;
    int64_t pool;
    size_t b;

    if (!json_known(place, value, "buffer pool offset") ||
        !json_reference(reading, value, "buffer", &b) ||
        !json_whole(place, value, "pool", 0, &pool) ||
        !json_whole(place, value, "offset", 0, &offset[b]))
        return false;
    if (found[b])
        return json_wrong(place, "buffer '%s' stands once more", problem->plain->buffer[b].id);
    found[b] = true;
    return json_find_pool(problem, pool) == problem->pool[b] ||
           json_wrong(place, "buffer '%s' may not lie in pool %" PRId64,
                      problem->plain->buffer[b].id, pool);
}

static bool read_placements(struct json_reading *reading, json_t *root, int64_t *offset)
{
    const size_t n = reading->problem->plain->n;
    bool *found = memory_zalloc(n, sizeof *found), good;
    int64_t version;
    json_t *list;

    json_at(&reading->place, "the file");
    good = json_whole(&reading->place, root, "schema_version", 1, &version) &&
           (version == 1 ||
            json_wrong(&reading->place, "'schema_version' is %" PRId64 "; expected 1", version));
    list = good ? json_list(&reading->place, root, "placements") : NULL;
    good = list != NULL;
    for (size_t i = 0; i < json_array_size(list) && good; i++) {
        json_at(&reading->place, "placements[%zu]", i);
        good = read_placement(reading, json_array_get(list, i), found, offset);
    }
    json_at(&reading->place, "placements");
    for (size_t b = 0; b < n && good; b++)
        good = found[b] || json_wrong(&reading->place, "buffer '%s' has no offset",
                                      reading->problem->plain->buffer[b].id);
    memory_free(found);
    return good;
}

bool hazard_json_read_plan(FILE *in, const char *path, const struct hazard_problem *problem,
                           int64_t *offset, struct error *error)
{
    struct json_reading reading = {.place = {.path = path, .error = error},
                                   .problem = (struct hazard_problem *)problem};
    json_t *root = json_read_object(in, path, error);
    bool good;

    if (root == NULL)
        return false;
    good = json_number_buffers(&reading) && read_placements(&reading, root, offset);
    memory_free(reading.by_number);
    json_decref(root);
    return good;
}
