# SPDX-License-Identifier: GPL-3.0-or-later
# What a sweep runs: a file here is an experiment.
experimentsdir = $(pkgdatadir)/experiments
dist_experiments_DATA = \
	experiments/ablation.cfg \
	experiments/alignment.cfg \
	experiments/anytime.cfg \
	experiments/batch.cfg \
	experiments/blocking.cfg \
	experiments/bound.cfg \
	experiments/exact.cfg \
	experiments/field.cfg \
	experiments/formulations.cfg \
	experiments/gap.cfg \
	experiments/groups.cfg \
	experiments/inplace.cfg \
	experiments/latency.cfg \
	experiments/layers.cfg \
	experiments/loops.cfg \
	experiments/memories.cfg \
	experiments/million.cfg \
	experiments/networks.cfg \
	experiments/online.cfg \
	experiments/operations.cfg \
	experiments/orders.cfg \
	experiments/path-cover.cfg \
	experiments/regions.cfg \
	experiments/run.cfg \
	experiments/scaling.cfg \
	experiments/streams.cfg \
	experiments/suite.cfg \
	experiments/ties.cfg \
	experiments/training.cfg \
	experiments/workspace.cfg
