#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The README's commands on a machine where nothing is installed: a minimal Debian root
# with a clone in it, made with the package sources of this machine.
#
#   make check-pristine                 the first block, a line after the other, as it stands there (with one
#                                       experiment, and the test scripts), one job at a time
#   make check-pristine PRISTINE=all    run_sweep and make check whole, and each variant
#   make check-pristine PRISTINE=alone  the library from a release, with a C compiler and make alone
#   make check-pristine PRISTINE=pinned what build-aux/Containerfile does, with the packages of the
#                                       day PINNED_DATE (else with those of this machine's sources)
#
# It needs root (chroot, mounts of its own), mmdebstrap or debootstrap, and the sources
# of Debian or of something like it; where that is not so it is skipped with the reason.
# It is not a part of `make check`: it fetches some 300 MB of packages.
# shellcheck disable=SC2317 # functions are called through tap_check
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
which=${PRISTINE:-part}
source=$(cd "$top_srcdir" && pwd) || exit 99
base=$tap_scratch/base
root=$tap_scratch/root
debs=$tap_scratch/debs
clone="/srv/a clone"
log=$tap_scratch/log
mkdir "$debs"

# What the machine's apt is told of its sources, as options of apt.
apt_options()
{
    apt-config dump | sed -n '/^Acquire::\(Check\|http\|https\|Retries\)/p'
}

# Makes the minimal root in `base` from the sources of this machine.
make_base()
{
    suite=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
    [ -n "$suite" ] || {
        echo "/etc/os-release names no suite"
        return 1
    }
    set --
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list \
        /etc/apt/sources.list.d/*.sources; do
        [ ! -s "$list" ] || set -- "$@" "$list"
    done
    apt_options >"$tap_scratch/apt.conf"
    if command -v mmdebstrap >/dev/null; then
        mmdebstrap --quiet --mode=root --variant=minbase --format=directory \
            --aptopt="$tap_scratch/apt.conf" "$suite" "$base" "$@"
    else
        mirror=$(cat "$@" | sed -n 's/^URIs: *\([^ ]*\).*/\1/p; s/^deb \(\[.*\] \)*\([^ ]*\).*/\2/p' |
            sed 1q)
        debootstrap --variant=minbase "$suite" "$base" "$mirror" &&
            cp "$tap_scratch/apt.conf" "$base/etc/apt/apt.conf.d/99host"
    fi
}

# A fresh copy of the root, with a clone in it.  Packages that were fetched before are
# there, as a mirror that is near.
fresh_root()
{
    rm -rf "$root"
    cp -a --reflink=auto "$base" "$root" && mkdir -p "$root/srv" &&
        git -c safe.directory='*' clone -q "$source" "$root$clone" || exit 99
    mkdir -p "$root/var/cache/apt/archives"
    find "$debs" -name '*.deb' -exec cp -a -t "$root/var/cache/apt/archives" {} +
    # Keep them, whatever an image's clean-up says.
    rm -f "$root/etc/apt/apt.conf.d/docker-clean"
}

keep_packages()
{
    find "$root/var/cache/apt/archives" -name '*.deb' -exec mv -t "$debs" {} +
}

# inside COMMAND...: in the clone, with the environment of a new login; mounts and
# processes end with it.  NAME=VALUE before the command are its environment.
inside()
{
    unshare --mount --pid --fork --kill-child sh -c '
        root=$1 clone=$2
        shift 2
        mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" &&
            mount --rbind /sys "$root/sys" || exit 99
        exec chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
            HOME=/root LANG=C.UTF-8 ${http_proxy+"http_proxy=$http_proxy"} \
            ${https_proxy+"https_proxy=$https_proxy"} /bin/sh -c '\''
                cd "$1" && shift && exec /usr/bin/env "$@"'\'' sh "$clone" "$@"
    ' sh "$root" "$clone" "$@"
}

# The end of the log, and before it what failed in it and in the logs of the tests, which may stand
# far from its end.
show_failure()
{
    set -- "$log"
    [ ! -f "$root$clone/test-suite.log" ] || set -- "$@" "$root$clone/test-suite.log"
    awk -f "$top_srcdir/tests/support/failures.awk" "$@"
    tail -n 40 "$log"
    [ ! -f "$root$clone/setup.log" ] || tail -n 20 "$root$clone/setup.log"
}

# runs STATUS COMMAND...: inside, output in `log`; what failed and its end are shown when the
# status is another.
runs()
{
    wanted=$1
    shift
    # Else a stage would show what failed in the one before.
    rm -f "$root$clone/test-suite.log"
    inside "$@" >"$log" 2>&1 </dev/null
    status=$?
    [ "$status" -eq "$wanted" ] || {
        echo "exit status $status, expected $wanted: $*"
        show_failure
        return 1
    }
}

# timed STATUS COMMAND...: the same, and notes how long it took.
exec 3>&1
timed()
{
    began=$(date +%s)
    runs "$@"
    ended=$?
    echo "# $(($(date +%s) - began)) s, packages and build included:" >&3
    return "$ended"
}

says()
{
    grep -q -e "$1" "$log" || {
        tail -n 20 "$log"
        return 1
    }
}

# Everything that is optional is out of reach.
without_optional()
{
    {
        # shellcheck disable=SC2046
        echo Package: $("$source/build-aux/packages" debian \
            $("$source/build-aux/packages" list optional))
        echo 'Pin: release *'
        echo 'Pin-Priority: -1'
    } >"$root/etc/apt/preferences.d/none"
}

# The tests that use the system most: compilers, git, databases, browsers, gnuplot.  Our program is
# the same everywhere once compiled: nothing here runs kernels (typed), nor for a minute the documents'
# commands, as docs.sh does.
some_tests()
{
    sed -n '/^[a-z]*_scripts = /,/[^\\]$/p' "$source/tests/local.mk" | grep -o 'tests/[^ ]*\.sh' |
        grep -v -e ^tests/kernels -e ^tests/harness/cli -e ^tests/harness/sweep \
            -e /docs.sh -e /kernels.sh -e /answers.sh | tr '\n' ' '
}

# The commands of the README's first block.
first_screen()
{
    sed -n '/^```sh$/,/^```$/p' "$source/README.md" | sed '1d; /^```$/,$d; s/ *#.*//'
}

# The program's data with one experiment, in /srv/share.
share_with_one()
{
    mkdir -p "$root/srv/share/experiments"
    for file in "$source"/*; do
        [ "${file##*/}" = experiments ] || ln -s "$clone/${file##*/}" "$root/srv/share/"
    done
    cp "$source/experiments/gap.cfg" "$root/srv/share/experiments/"
}

# typed COMMAND: as it stands, but that the program finds one experiment and make is told of some
# tests.  -O1 and the short list of tiles, which no test here looks at, compile fastest; `all` has what
# users get.
typed()
{
    command=$1
    set -- CFLAGS=-O1 \
        CPPFLAGS='-DARENABENCH_KERNELS_MGEMM_MGEMM_LIST_H -include /srv/lowered_list.h' \
        "MAKEFLAGS=TESTS=$(some_tests | sed 's/ /\\ /g')" sh -c "$command"
    [ "$command" = "${command#./run_sweep}" ] || set -- ARENABENCH_SHARE=/srv/share "$@"
    timed 0 "$@"
}

# What `make dist` packs, in place of the clone.
fresh_release()
{
    fresh_root
    rm -rf "${root:?}$clone" && env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s -C "${top_builddir:?}" distdir \
        distdir="$tap_scratch/release" >"$log" 2>&1 && mv "$tap_scratch/release" "$root$clone" || {
        show_failure
        exit 99
    }
}

# Packages that libarenaplan does without, and the tools that made the release.
unwanted_packages()
{
    chroot "$root" dpkg-query -f '${Package}\n' -W | grep -e autoconf -e automake -e pkg-config -e pkgconf \
        -e '^g++' -e glpk -e gsl -e sqlite -e libconfig -e python
}

library_alone()
{
    fresh_release
    tap_check "a C compiler and make are installed" runs 0 sh -c \
        'apt-get -q update && apt-get -qy install --no-install-recommends gcc libc6-dev make'
    tap_check "and nothing else that could be missed" tap_nothing unwanted_packages
    tap_check "arenabench can't be configured" runs 1 ./configure
    tap_check "the library can" runs 0 ./configure --enable-only=arenaplan
    tap_check "without a look for what it does not need" tap_nothing grep -i -e glpk -e gsl -e sqlite \
        -e libconfig -e pkg-config -e g++ -e protoc "$log"
    tap_check "make" timed 0 make
    tap_check "make check" timed 0 make check
    tap_check "with a program's tests and examples" says '^# PASS: *[1-9][0-9][0-9]'
    tap_check "make install-arenaplan" runs 0 make install-arenaplan prefix=/srv/library
    tap_check "installs it" test -f "$root/srv/library/lib/libarenaplan.so.1"
    tap_check "and nothing but it" tap_nothing find "$root/srv/library" -type f ! -name '*arenaplan*'
    keep_packages
}

# What a test of the tree needs is a clone with its history.
git -c safe.directory='*' -C "$source" rev-parse -q --verify HEAD >/dev/null 2>&1 ||
    tap_skip_all "not a clone"
[ "$(id -u)" -eq 0 ] || tap_skip_all "needs root"
command -v mmdebstrap >/dev/null || command -v debootstrap >/dev/null ||
    tap_skip_all "neither mmdebstrap nor debootstrap is here"
unshare --mount --pid --fork true 2>/dev/null || tap_skip_all "mounts of its own are not allowed here"
make_base >"$log" 2>&1 || {
    sed 's/^/# /' "$log" | tail -n 5
    tap_skip_all "a minimal root can't be made here"
}

if [ "$which" = alone ]; then
    library_alone
    tap_done
    exit
fi

# What the Containerfile runs, line by line; then a sweep that gives the same twice.
if [ "$which" = pinned ]; then
    fresh_root
    [ -n "${PINNED_DATE-}" ] || echo "# no PINNED_DATE: with the packages of this machine's sources"
    tap_check "build-aux/pinned" timed 0 build-aux/pinned "${PINNED_DATE:-here}"
    tap_check "lists packages with versions" says '^libgsl-dev.*[0-9]\.[0-9]'
    tap_check "the build" timed 0 \
        sh -c "$(sed -n 's/^RUN \(ARENABENCH_NO_INSTALL=.*\)/\1/p' "$source/build-aux/Containerfile")"
    tap_check "nothing is left out" tap_same "$(cat "$root$clone/.left-out")" ""
    tap_check "a sweep" timed 0 ./arenabench sweep 'uniform:n=40,seed={1..20}' resnet50 \
        --solvers @heuristics --output results/pinned
    tap_check "gives the same again" timed 0 ./arenabench rerun results/pinned --sample 1
    tap_check "and its plans are right" timed 0 ./arenabench verify results/pinned
    tap_done
    exit
fi

# A user who may install nothing is told what to do.
fresh_root
chroot "$root" useradd --create-home guest
chroot "$root" chown -R guest "$clone"
tap_check "a user without root and sudo: status 2" \
    runs 2 setpriv --reuid=guest --regid=guest --clear-groups ./run_sweep gap
tap_check "the command is printed" says '^bootstrap: sudo apt-get update && sudo .* gcc libc6-dev make '
tap_check "nothing was installed" test ! -e "$root/usr/bin/gcc"
if [ "$which" = all ]; then
    sed -n 's/^bootstrap: \(sudo apt-get.*\)/\1/p' "$log" | sed 's/sudo //g' >"$root/srv/command"
    tap_check "which works when root runs it" runs 0 sh /srv/command
    tap_check "and then all is there for the user" \
        timed 0 setpriv --reuid=guest --regid=guest --clear-groups ./run_sweep gap
    keep_packages
fi

# Root, in a folder whose name has a space.
fresh_root
if [ "$which" = all ]; then
    tap_check "./run_sweep" timed 0 ./run_sweep
    tap_check "make check" timed 0 make check
else
    share_with_one
    cp "$source/tests/kernels/lowered_list.h" "$root/srv/"
    first_screen >"$tap_scratch/commands"
    while read -r command <&4; do
        tap_check "$command" typed "$command"
    done 4<"$tap_scratch/commands"
    tap_check "these were three" tap_same "$(wc -l <"$tap_scratch/commands")" 3
    tap_check "a test has one line" says '^PASS: tests/house/layout\.sh: [0-9]* \['
fi
tap_check "nothing is left out" tap_same "$(cat "$root$clone/.left-out")" ""
tap_check "the figures are there" test -s "$root$clone/results/quick/figures/gap.pdf"
keep_packages

if [ "$which" = all ]; then
    # A header that another package has, too.
    fresh_root
    tap_check "libblas-dev is installed" runs 0 sh -c \
        'apt-get -q update && apt-get -qy install --no-install-recommends libblas-dev gcc libc6-dev'
    tap_check "./run_sweep gap with libblas-dev" timed 0 ./run_sweep gap
    tap_check "finds OpenBLAS" runs 0 ./arenabench conv c=3,h=8,w=8,k=4,r=3,s=3 --rounds 1 \
        --kernel im2col-openblas
fi

# No optional package is to be had.
if [ "$which" = all ]; then
    fresh_root
    without_optional
    tap_check "./run_sweep gap without optional packages" timed 0 ./run_sweep gap
    tap_check "says what is left out" says '^bootstrap: without gnuplot-nox: .* left out$'
    tap_check "and again at the end" says '^Left out: im2col-openblas (libopenblas-dev was not'
    tap_check "the page says it, too" grep -q 'Left out: im2col-openblas' \
        "$root$clone/results/quick/report.html"
    tap_check "the kernel is known" runs 2 ./arenabench conv c=3,h=8,w=8,k=4,r=3,s=3 \
        --kernel im2col-openblas
    tap_check "and the reason" says \
        'im2col-openblas is not built in: libopenblas-dev was not there when configure ran'
    tap_check "it is listed" runs 0 ./arenabench list kernels
    tap_check "with the reason" says '^im2col-openblas .*not built in: libopenblas-dev was not there'
    tap_check "make check without optional packages" timed 0 make check
fi
library_alone
tap_done
