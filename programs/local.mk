# SPDX-License-Identifier: GPL-3.0-or-later
# Planners as programs, to begin with; other people's, as programs; sweeps on a cluster.
programsdir = $(pkgdatadir)/programs
dist_programs_DATA = \
	programs/beside-onnxruntime.py \
	programs/beside-opencv.py \
	programs/beside-pytorch.py \
	programs/beside.py \
	programs/first-fit.cpp \
	programs/first-fit.py \
	programs/first-fit.rs \
	programs/layers-beside.py \
	programs/minimalloc.sh \
	programs/slurm-sweep.sh
