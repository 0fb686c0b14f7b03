/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The formats of recordings.  Each reads all of IN, which messages call PATH; false with a message
 * that has a place.  */
#ifndef ARENABENCH_TRACES_FORMATS_H
#define ARENABENCH_TRACES_FORMATS_H

#include <stdio.h>

#include "traces/recorder.h"

/* `time,event,address,size`, beside them `pool` or `device`, and `stream`: a row an event, `alloc`
 * or `free`.  Times are whole numbers that don't descend; addresses have hexadecimal digits behind
 * 0x, else decimal ones; the size of a release may be left out.  */
bool trace_read_csv(struct recorder *recorder, FILE *in, const char *path, struct error *error);

/* What glibc's mtrace() writes.  */
bool trace_read_mtrace(struct recorder *recorder, FILE *in, const char *path, struct error *error);

/* A Chrome trace of torch.profiler (profile_memory=True), or a memory snapshot of
 * torch.cuda.memory.  */
bool trace_read_json(struct recorder *recorder, FILE *in, const char *path, struct error *error);

/* NULL, or why libjansson is not built in: trace_read_json fails then.  */
const char *trace_json_absent(void);

#endif
