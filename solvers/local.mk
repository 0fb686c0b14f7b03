# The registry's list: solvers/a-b.c defines solver_a_b, registered as a-b.
solver_files = \
	solvers/naive.c

noinst_LIBRARIES += solvers/libsolvers.a
solvers_libsolvers_a_SOURCES = \
	solvers/find.c solvers/solver.h \
	$(solver_files)
nodist_solvers_libsolvers_a_SOURCES = solvers/registry.c

# The table with each solver's checksum is made anew whenever a source changes.
solver_inputs = $(lib_libbase_a_SOURCES) $(solvers_libsolvers_a_SOURCES)
solvers/registry.c: $(solver_inputs) $(top_srcdir)/solvers/local.mk \
		$(top_srcdir)/build-aux/contestant-sums Makefile
	$(AM_V_GEN)$(MKDIR_P) solvers && $(top_srcdir)/build-aux/contestant-sums $(top_srcdir) \
		"`$(CC) --version | sed 1q` $(STD_CFLAGS) $(SAN_FLAGS) $(CPPFLAGS) $(CFLAGS)" \
		$(solver_files) >$@.new && mv $@.new $@
CLEANFILES += solvers/registry.c
