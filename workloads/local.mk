# The registries' lists: a file here is a network family, a generator or a file
# format; the build writes workloads/registry.c from these lists.
network_families =

generators =

readers = \
	workloads/readers/csv.c

noinst_LIBRARIES += workloads/libworkloads.a
workloads_libworkloads_a_SOURCES = \
	workloads/workload.c workloads/workload.h \
	$(network_families) $(generators) $(readers)
nodist_workloads_libworkloads_a_SOURCES = workloads/registry.c

workloads/registry.c: $(top_srcdir)/workloads/local.mk $(top_srcdir)/build-aux/registry
	$(AM_V_GEN)$(MKDIR_P) workloads && $(top_srcdir)/build-aux/registry workloads/workload.h \
		'network_family $(network_families)' 'generator $(generators)' 'reader $(readers)' \
		>$@.new && mv $@.new $@
CLEANFILES += workloads/registry.c
