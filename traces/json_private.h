/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two kinds of JSON.  False with a message that names the place.  */
#ifndef ARENABENCH_TRACES_JSON_PRIVATE_H
#define ARENABENCH_TRACES_JSON_PRIVATE_H

#include "hazards/json_value.h"
#include "traces/recorder.h"

/* EVENTS is the array `traceEvents`.  */
bool trace_json_chrome(struct recorder *recorder, json_t *events, struct json_place *place);

/* ROOT has `device_traces`, and `segments`.  */
bool trace_json_snapshot(struct recorder *recorder, json_t *root, struct json_place *place);

#endif
