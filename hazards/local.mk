# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += hazards/libhazards.a
hazards_libhazards_a_SOURCES = \
	hazards/cores.c hazards/cores.h \
	hazards/exact.c hazards/exact.h \
	hazards/greedy.c hazards/greedy.h \
	hazards/json.h \
	hazards/known.c hazards/known.h \
	hazards/oracle.c hazards/oracle.h \
	hazards/part.c hazards/part.h \
	hazards/planners.c hazards/planners.h \
	hazards/problem.c hazards/problem.h \
	hazards/search.c hazards/search.h \
	hazards/spots.c hazards/spots.h
hazard_json = hazards/json_pairs.c hazards/json_plan.c hazards/json_private.h \
	hazards/json_read.c hazards/json_value.c hazards/json_value.h hazards/json_write.c
EXTRA_DIST += hazards/json_absent.c $(hazard_json)
if HAVE_JANSSON
hazards_libhazards_a_SOURCES += $(hazard_json)
else
hazards_libhazards_a_SOURCES += hazards/json_absent.c
endif
EXTRA_DIST += examples/streams.csv examples/streams-pairs.csv
