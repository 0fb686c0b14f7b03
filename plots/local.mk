# SPDX-License-Identifier: GPL-3.0-or-later
# One line a figure: plots/NAME.gp.
figure_files = \
	plots/gap.gp \
	plots/memory.gp \
	plots/time.gp \
	plots/networks.gp \
	plots/bound.gp \
	plots/path-cover.gp \
	plots/formulations.gp \
	plots/exact.gp \
	plots/exact-bounds.gp \
	plots/ablation.gp \
	plots/loops.gp \
	plots/groups.gp \
	plots/inplace.gp \
	plots/batch.gp \
	plots/workspace.gp \
	plots/orders.gp \
	plots/training.gp \
	plots/field.gp \
	plots/field-profile.gp \
	plots/runtimes.gp \
	plots/online.gp \
	plots/ties.gp \
	plots/alignment.gp \
	plots/anytime.gp \
	plots/scaling.gp \
	plots/streams.gp \
	plots/blocking-heat.gp \
	plots/blocking-width.gp \
	plots/blocking-roofline.gp \
	plots/blocking-model.gp \
	plots/blocking-regret.gp \
	plots/blocking-variants.gp \
	plots/blocking-threads.gp \
	plots/blocking-peers.gp \
	plots/blocking-workspace.gp \
	plots/blocking-cover.gp \
	plots/operations.gp \
	plots/latency.gp \
	plots/layers.gp \
	plots/latency-network.gp \
	plots/regions.gp \
	plots/run.gp \
	plots/memories.gp \
	plots/memories-gap.gp \
	plots/suite.gp

# What is known of optima; reports read it.
optimadir = $(pkgdatadir)/results/reference
dist_optima_DATA = results/reference/optima.csv

# One line a table: plots/tables/NAME.sql.
table_files = \
	plots/tables/answer.sql \
	plots/tables/answer-kernels.sql \
	plots/tables/answer-memories.sql \
	plots/tables/summary.sql \
	plots/tables/pairs.sql \
	plots/tables/contribution.sql \
	plots/tables/wins.sql \
	plots/tables/par2.sql \
	plots/tables/suite.sql \
	plots/tables/instances.sql \
	plots/tables/layers.sql \
	plots/tables/matrix.sql \
	plots/tables/experiments.sql \
	plots/tables/builds.sql \
	plots/tables/gap.sql \
	plots/tables/networks.sql \
	plots/tables/training.sql \
	plots/tables/scaling.sql \
	plots/tables/layouts.sql \
	plots/tables/loops.sql \
	plots/tables/bound.sql \
	plots/tables/formulations.sql \
	plots/tables/searches.sql \
	plots/tables/groups.sql \
	plots/tables/groups-time.sql \
	plots/tables/groups-choice.sql \
	plots/tables/blocking.sql \
	plots/tables/blocking-model.sql \
	plots/tables/blocking-peers.sql \
	plots/tables/blocking-winograd.sql \
	plots/tables/blocking-networks.sql \
	plots/tables/blocking-cover.sql \
	plots/tables/operations-neon.sql \
	plots/tables/batch.sql \
	plots/tables/numbers.sql \
	plots/tables/regions.sql \
	plots/tables/run.sql \
	plots/tables/memories.sql \
	plots/tables/memories-moves.sql \
	plots/tables/memories-orders.sql

plot_files = $(figure_files) $(table_files) plots/page.css plots/page.js plots/page_task.js plots/capacity.gp plots/plan.gp plots/trace.gp \
	plots/steps.html \
	plots/kinds.gp plots/style.gp plots/views.sql \
	plots/views_fits.sql \
	plots/views_kernels.sql \
	plots/views_runs.sql
nobase_dist_pkgdata_DATA = $(plot_files)

nodist_harness_libharness_a_SOURCES = plots/registry.c
plots/registry.c: $(figure_files) $(table_files) $(top_srcdir)/plots/local.mk \
		$(top_srcdir)/build-aux/figures
	$(AM_V_GEN)$(MKDIR_P) plots && $(top_srcdir)/build-aux/figures $(top_srcdir) \
		'$(figure_files)' '$(table_files)' >$@.new && mv $@.new $@
CLEANFILES += plots/registry.c
