#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# t_same_instances and t_portable_math on other processors: what they try is cross-compiled for
# AArch64 (whose compilers join products and sums) and 32-bit ARM (`make check-machines`), with random
# numbers of its own in place of GSL's, and run by an emulator.
# shellcheck disable=SC2010,SC2154,SC2317 # names have no blanks; tap.sh sets tap_scratch; functions are
# called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
source=$(cd "$top_srcdir" && pwd)

if ! tap_whole || [ -n "$(tap_setting SAN_FLAGS)" ]; then
    tap_skip_all "compiling takes a while: make check-all, without sanitizers"
fi

# A folder that stands in for a build directory, with a registry without the readers of model files,
# some of which need libraries.
cd "$tap_scratch" || exit 99
{
    echo '#define _GNU_SOURCE 1'
    echo '#define ARENABENCH_SRCDIR ""'
    echo '#define ARENABENCH_BUILDDIR ""'
} >config.h
listed()
{
    for file in "$source/workloads/$1"/*.c; do
        printf ' %s' "${file#"$source"/}"
    done
}
"$source/build-aux/registry" workloads/workload.h "network_family$(listed networks)" \
    "generator$(listed generators)" 'reader workloads/readers/csv.c' >registry.c || exit 99

# What makes instances, and the test.  Where numbers are rounded, it is compiled as the build does,
# optimised.
rounding()
{
    ls "$source"/lib/base/portable_math.c "$source"/workloads/generators/heavy.c \
        "$source"/workloads/draw.c "$source"/lib/lifetimes/time_model.c "$source"/lib/lifetimes/order*.c
}
sources()
{
    ls "$source"/lib/base/*.c "$source"/lib/problem/*.c "$source"/lib/graph/*.c \
        "$source"/lib/lifetimes/*.c "$source"/workloads/*.c "$source"/workloads/builder/*.c \
        "$source"/workloads/networks/*.c "$source"/workloads/generators/*.c \
        "$source"/workloads/readers/csv.c "$source"/workloads/readers/shapes.c \
        "$source"/tests/support/tap.c "$source"/tests/support/rng_twister.c \
        "$source"/tests/workloads/t_same_instances.c "$source"/tests/lib/base/t_portable_math.c \
        "$tap_scratch/registry.c" |
        grep -v -e /glpk_ -e /gsl_ -e /base/rng.c -e /base/statistics.c -e /workloads/registry.c
}
rounding >rounding
sources | grep -v -x -F -f rounding >others

# objects CROSS FLAG: of the files that standard input names, in the folder CROSS.
objects()
{
    while read -r file; do
        name=$(echo "${file#"$source"/}" | tr / _)
        case $file in
            */t_*) name=../$1.${file##*/} ;;
        esac
        "$1-gcc" "$2" -std=gnu11 -ffp-contract=off -I. -I"$source" -c -o "$1/$name.o" "$file" || return
    done
}

# programs CROSS
programs()
{
    mkdir "$1" && objects "$1" -O2 <rounding && objects "$1" -O0 <others || return
    for test in t_same_instances t_portable_math; do
        "$1-gcc" -o "$1.$test" "$1.$test.c.o" "$1"/*.o -lm || return
    done
}

# passes EMULATOR CROSS TEST
passes()
{
    ARENABENCH_TEST_TIER=small "$1" -L "/usr/$2" "./$2.$3" >tap || {
        grep -v '^ok' tap
        return 1
    }
}

# on EMULATOR CROSS PACKAGE
on()
{
    command -v "$1" >/dev/null && echo 'int main(void) { return 0; }' >try.c &&
        "$2-gcc" -o try try.c 2>/dev/null || {
        tap_skip "$1 or a compiler for $2 is not here (qemu-user, gcc-$2, $3)"
        return
    }
    tap_check "$2: compiles" programs "$2"
    tap_check "$2: the same instances" passes "$1" "$2" t_same_instances
    tap_check "$2: the same logarithms" passes "$1" "$2" t_portable_math
}

on qemu-aarch64 aarch64-linux-gnu libc6-dev-arm64-cross
if [ "${MACHINES-}" = all ]; then
    on qemu-arm arm-linux-gnueabihf libc6-dev-armhf-cross
else
    tap_skip "32-bit ARM: make check-machines"
fi
tap_done
