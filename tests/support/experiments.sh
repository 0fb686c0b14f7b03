# SPDX-License-Identifier: GPL-3.0-or-later
# Small experiments and the tables that sweeps make of them, for test scripts, to be sourced:
#
#   . "${top_srcdir:?}/tests/support/experiments.sh"
#
# shellcheck shell=sh

# kernel_experiment NAME ISA LAYERS KERNELS [SETTINGS]: NAME.cfg, as short as kernels can be timed.
# LAYERS and KERNELS are lists as such a file has them, SETTINGS further lines of it.
kernel_experiment()
{
    cat >"$1.cfg" <<END_OF_EXPERIMENT
name = "$1";
title = "Of a test";
kind = "conv";
${5-}
time_limit_s = 60;
budget_s = 5;
quick: {
    layers = ($3);
    kernels = ($4);
    isas = ("$2");
    rounds_most = 6;
    final_rounds = 6;
};
full: {
    layers = ($3);
    kernels = ("mgemm");
};
END_OF_EXPERIMENT
}

# run_experiment NAME WORKLOADS SOLVERS KERNELS [SETTINGS]: the same for networks that are run.
run_experiment()
{
    cat >"$1.cfg" <<END_OF_EXPERIMENT
name = "$1";
title = "Of a test";
kind = "run";
${5-}
rounds = 6;
time_limit_s = 60;
budget_s = 5;
quick: {
    workloads = ($2);
    solvers = ($3);
    kernels = ($4);
};
END_OF_EXPERIMENT
}

# csv_rows FILE RULES: awk's RULES for the rows of a CSV file (-: of standard input), whose fields are
# $at["NAME"]; commas within quotes are semicolons there.
csv_rows()
{
    awk -F'"' '{ for (i = 2; i <= NF; i += 2) gsub(",", ";", $i); print }' OFS= "$1" | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        '"$2"
}
