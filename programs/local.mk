# SPDX-License-Identifier: GPL-3.0-or-later
# Planners as programs, to begin with; and other people's, as programs.
programsdir = $(pkgdatadir)/programs
dist_programs_DATA = \
	programs/first-fit.cpp \
	programs/first-fit.py \
	programs/first-fit.rs \
	programs/minimalloc.sh
