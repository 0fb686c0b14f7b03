#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# trace: recordings in each format, what is said of them, what is written, what is refused.
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
corpus=$(cd "$top_srcdir" && pwd)/tests/fuzz/corpus/trace
examples=$(cd "$top_srcdir" && pwd)/examples
tap_command=trace
. "$top_srcdir/tests/support/command.sh"

# 64 and 32 are alive, 64 goes, and 64 more finds no room below: 160 of the addresses for 96.
printf 'time,event,address,size\n0,alloc,0x1000,64\n1,alloc,0x1040,32\n2,free,0x1000,64\n3,alloc,0x1060,64\n' >one.csv
few='--solvers section-first,bfc'
# shellcheck disable=SC2086
{
    tap_check "the answer, as a sentence" prints \
        "It needed 96 bytes at once, its addresses span 160 bytes; a static plan needs 96 bytes, proven." one.csv $few
    tap_check "what was read" prints "one.csv: 4 events, 3 blocks, 2 there after the last." one.csv $few
    tap_check "what was recorded is a row" prints "all,span of the addresses,recorded,160,96,0.6667,,,3,0,2" one.csv $few --format csv
    tap_check "a static planner" prints "all,section-first,static,96,96,0.0000,optimal," one.csv $few --format csv
    tap_check "an allocator" prints "all,bfc,online,96,96,0.0000,optimal," one.csv $few --format csv
    tap_check "sentences are messages then" says "a static plan needs 96 bytes, proven" one.csv $few --format csv
    tap_check "JSON" prints '"plan": "bfc", "kind": "online", "peak_bytes": 96, "lower_bound_bytes": 96' one.csv $few --format json
    tap_check "the instance is saved" exits 0 one.csv $few --save saved.csv
    tap_check "as lifetimes" tap_same "$(cat saved.csv)" "id,lower,upper,size
event1,1,3,64
event2,2,5,32
event4,4,5,64"
    tap_check "standard input" sh -c "\"$arenabench\" trace - $few <one.csv | grep -q 'proven'"
    tap_check "all who know nothing of the future" prints ",pytorch-caching,online," one.csv --format csv
    tap_check "without a static planner" prints "no static plan was made" one.csv --solvers bfc

    # Two devices, one event of before.
    printf 'time,event,address,size,device\n0,alloc,0x10,8,a\n1,free,0x10,4,b\n' >two.csv
    tap_check "each device is planned" prints "b,section-first,static,4,4,0.0000,optimal," two.csv $few --format csv
    tap_check "and what was there before said" prints "two.csv b: 2 events, 1 blocks, 1 there before the first event." two.csv $few
    tap_check "or one of them" prints "two.csv a:" two.csv $few --pool a
    tap_check "which has to be there" refuses "no pool 'c'; expected one of 'a', 'b'" two.csv $few --pool c
    tap_check "one alone is saved" refuses "2 pools; expected --pool with the one to save, of 'a', 'b'" two.csv $few --save two-saved.csv
    tap_check "and nothing written otherwise" test ! -e two-saved.csv
    tap_check "with --pool" exits 0 two.csv $few --save two-saved.csv --pool b
    tap_check "it is" grep -q '^before1,0,2,4$' two-saved.csv
}
tap_check "an mtrace" prints "malloc,in use at once,recorded," "$corpus/mtrace" --solvers bfc --format csv
if "$arenabench" trace "$corpus/chrome" --solvers bfc 2>&1 | grep -q 'built without libjansson'; then
    tap_check "JSON is refused" refuses "built without libjansson: JSON files can't be read" "$corpus/chrome"
else
    tap_check "a Chrome trace" prints "cuda:0,addresses ever in use,recorded,868," "$corpus/chrome" --solvers bfc --format csv
    tap_check "a release that is missing is said" prints "1 whose release is missing" "$corpus/chrome" --solvers bfc
    tap_check "a snapshot" prints "the allocator reserved 2052 KiB and used 1900 bytes of it" "$corpus/snapshot" --solvers bfc
fi
# The script that makes JSON of a pickle leaves out what is of no use here.
if command -v python3 >/dev/null; then
    python3 - "$corpus/snapshot" <<'END'
import json, pickle, sys
with open(sys.argv[1]) as file:
    snapshot = json.load(file)
snapshot["device_traces"][0][0]["frames"] = [object]
snapshot["allocator_settings"] = {"odd": b"\0"}
with open("snapshot.pickle", "wb") as file:
    pickle.dump(snapshot, file)
END
    tap_check "a pickle becomes JSON" sh -c "python3 '$examples/snapshot_json.py' snapshot.pickle >snapshot.json"
    tap_check "which is the same" tap_same \
        "$("$arenabench" trace snapshot.json --solvers linear --format csv 2>/dev/null | cut -d, -f1-4)" \
        "$("$arenabench" trace "$corpus/snapshot" --solvers linear --format csv 2>/dev/null | cut -d, -f1-4)"
else
    tap_skip "python3 is not installed"
fi
tap_check "the example" prints "a static plan needs" "$examples/recorded.csv" --solvers section-first

tap_check "an allocation inside of another is refused" refuses "inside:3:9: an allocation at 0x17 inside of 8 bytes at 0x10" \
    "$corpus/inside"
: >empty.csv
tap_check "an empty file" refuses "empty.csv:1:1: no header" empty.csv
printf 'time,event,address,size\n' >none.csv
tap_check "no events" refuses "none.csv: no events" none.csv
tap_check "no such file" refuses "absent.csv: cannot open: No such file" absent.csv
tap_check "no such solver" refuses "unknown solver 'best'" one.csv --solvers best
tap_check "no such picture" refuses "the name must end in .svg, .png or .pdf" one.csv --output picture.gif
if command -v gnuplot >/dev/null; then
    tap_check "a picture" exits 0 one.csv --solvers section-first --output picture.svg
    tap_check "of what was in use, and of the plan" grep -q 'static plan (section-first)' picture.svg
    tap_check "of allocators alone" exits 0 one.csv --solvers bfc --output picture.png
fi
tap_done
