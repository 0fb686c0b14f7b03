/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "traces/formats.h"
#include "traces/json_private.h"

const char *trace_json_absent(void)
{
    return NULL;
}

/* Members that a profiler writes twice are its own; so json_read_object, which refuses them, is
 * not asked.  */
static json_t *load(FILE *in, const char *path, struct error *error)
{
    json_error_t fault;
    json_t *root = json_loadf(in, 0, &fault);

    if (root == NULL)
        error_set(error, "%s:%d:%d: no JSON: %s", path, fault.line, fault.column, fault.text);
    return root;
}

bool trace_read_json(struct recorder *recorder, FILE *in, const char *path, struct error *error)
{
    struct json_place place = {.path = path, .error = error};
    json_t *root = load(in, path, error), *events;
    bool good;

    if (root == NULL)
        return false;
    json_at(&place, "the file");
    events = json_object_get(root, "traceEvents");
    if (json_object_get(root, "device_traces") != NULL)
        good = trace_json_snapshot(recorder, root, &place);
    else if (json_is_array(events))
        good = trace_json_chrome(recorder, events, &place);
    else
        good =
            json_wrong(&place, "expected an object with the array 'traceEvents' (torch.profiler) "
                               "or with 'device_traces' (torch.cuda.memory)");
    json_decref(root);
    return good;
}
