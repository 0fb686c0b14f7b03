noinst_LIBRARIES += harness/libharness.a
harness_libharness_a_SOURCES = \
	harness/child.c harness/child.h \
	harness/children.c harness/children.h \
	harness/comparison.c harness/comparison.h \
	harness/contestant.c \
	harness/contestants.c harness/contestants.h \
	harness/conv_bench.c harness/conv_bench.h \
	harness/conv_child.c harness/conv_child.h \
	harness/conv_input.c harness/conv_input.h \
	harness/conv_params.c harness/conv_params.h \
	harness/conv_record.c harness/conv_record.h \
	harness/conv_session.c harness/conv_session.h \
	harness/conv_status.c harness/conv_status.h \
	harness/conv_tune.c harness/conv_tune.h \
	harness/expand.c harness/expand.h \
	harness/experiment.c harness/experiment.h harness/experiment_read.c \
	harness/experiment_layers.c harness/experiment_sets.c harness/experiment_sets.h \
	harness/facts.c harness/facts.h \
	harness/format.c harness/format.h \
	harness/identity.c \
	harness/input.c harness/input.h \
	harness/interrupt.c harness/interrupt.h \
	harness/left_out.c harness/left_out.h \
	harness/limits.c \
	harness/optima.c harness/optima.h \
	harness/options.c harness/options.h \
	harness/parent.c harness/parent.h \
	harness/progress.c harness/progress.h \
	harness/provenance.c harness/provenance.h \
	harness/reaper.c harness/reaper.h \
	harness/runner.c harness/runner.h \
	harness/stream.c harness/stream.h \
	harness/share.c \
	harness/shell_words.c harness/shell_words.h \
	harness/status_line.c harness/status_line.h \
	harness/store.c harness/store.h harness/store_private.h harness/store_write.c \
	harness/store_binder.c harness/store_binder.h harness/store_conv.c harness/store_conv.h \
	harness/store_migrate.c harness/store_provenance.c \
	harness/sweep.h harness/sweep_plan.c harness/sweep_result.c harness/sweep_run.c \
	harness/sweep_conv.c harness/sweep_force.c harness/sweep_final.c harness/sweep_final.h harness/sweep_layers.c \
	harness/sweep_private.h \
	harness/table.c harness/table.h \
	harness/transfer.c harness/transfer.h \
	harness/watch.h \
	harness/worker.c harness/worker.h
harness_libharness_a_CPPFLAGS = $(AM_CPPFLAGS) -DARENABENCH_PKGDATADIR='"$(pkgdatadir)"'

bin_PROGRAMS += arenabench
arenabench_SOURCES = \
	harness/commands.h \
	harness/command_bounds.c \
	harness/command_compare.c \
	harness/command_conv.c \
	harness/command_lifetimes.c \
	harness/command_list.c \
	harness/command_loops.c \
	harness/command_schedule.c \
	harness/command_solve.c \
	harness/command_sweep.c \
	harness/command_verify.c \
	harness/main.c
nodist_arenabench_SOURCES = harness/buildinfo.h

# Checked at every make, rewritten only if something changed.
harness/buildinfo.h: force-buildinfo
	$(AM_V_at)$(MKDIR_P) harness && $(top_srcdir)/build-aux/buildinfo $(top_srcdir) $@ \
		"$(CC)" "$(STD_CFLAGS) $(SAN_FLAGS) $(CPPFLAGS) $(CFLAGS)" "$(CONFIGURE_ARGUMENTS)"
.PHONY: force-buildinfo
BUILT_SOURCES += harness/buildinfo.h
CLEANFILES += harness/buildinfo.h

# What the report is made of.
arenabench_SOURCES += harness/command_draw.c harness/draw_data.c harness/draw_data.h harness/command_report.c
harness_libharness_a_SOURCES += \
	harness/cover.c harness/cover.h \
	harness/figure.c harness/figure.h \
	harness/gnuplot.c harness/gnuplot.h \
	harness/grid.c harness/grid.h \
	harness/output.c harness/output.h \
	harness/report.c harness/report.h \
	harness/report_figures.c harness/report_page.c harness/report_provenance.c \
	harness/report_tables.c \
	harness/rows.c harness/rows.h \
	harness/store_report.c harness/store_report.h \
	harness/statistics.c harness/statistics.h

# It says what made the program.
harness/libharness_a-provenance.$(OBJEXT): harness/buildinfo.h
