noinst_LIBRARIES += harness/libharness.a
harness_libharness_a_SOURCES = \
	harness/contestant.c \
	harness/runner.h \
	harness/store.h
nodist_harness_libharness_a_SOURCES = harness/buildinfo.h
