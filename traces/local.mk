# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += traces/libtraces.a
traces_libtraces_a_SOURCES = \
	traces/formats.h \
	traces/mtrace.c \
	traces/ranges.c traces/ranges.h \
	traces/recorder.c traces/recorder.h \
	traces/trace.c traces/trace.h \
	traces/trace_csv.c
trace_json = traces/json_chrome.c traces/json_private.h traces/json_read.c traces/json_snapshot.c
EXTRA_DIST += traces/json_absent.c $(trace_json)
EXTRA_DIST += examples/recorded.csv examples/record_torch.py examples/snapshot_json.py
if HAVE_JANSSON
traces_libtraces_a_SOURCES += $(trace_json)
else
traces_libtraces_a_SOURCES += traces/json_absent.c
endif
