#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A training step that PyTorch records, where it is installed: what trace says of it is what PyTorch's own
# counter of allocated bytes had.
set -u
. "${top_srcdir:?}/tests/support/tap.sh"
examples=$(cd "$top_srcdir" && pwd)/examples
for python in python3 /usr/bin/python3 ''; do
    [ -z "$python" ] && tap_skip_all "no PyTorch: apt-get install python3-torch"
    "$python" -c 'import torch' 2>/dev/null && break
done
tap_command=trace
. "$top_srcdir/tests/support/command.sh"

# The recording as the example writes it, and what the counter rose to since the first event.
cat >count.py <<'END'
import record_torch, sys
counts = []
def counted(nodes, allocations=record_torch.allocations):
    for time, fields in allocations(nodes):
        counts.append((time, fields.alloc_size, fields.total_allocated))
        yield time, fields
record_torch.allocations = counted
record_torch.main()
counts.sort()
start = counts[0][2] - counts[0][1]
print(max(total for _, _, total in counts) - start, len(counts), file=open("counted", "w"))
END
PYTHONPATH=$examples PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE
tap_check "PyTorch records a training step" sh -c "'$python' count.py >step.csv"
read -r peak events <counted
tap_check "all events are read" prints "step.csv: $events events" step.csv --solvers section-first
tap_check "what was in use at once is PyTorch's own count" prints "cpu,in use at once,recorded,$peak,$peak," step.csv \
    --solvers section-first --format csv
tap_check "nothing is odd about it" sh -c "! '$arenabench' trace step.csv --solvers bfc | grep -E 'missing|left out'"
tap_check "a static plan needs no more, proven" prints "cpu,section-first,static,$peak,$peak,0.0000,optimal," step.csv \
    --solvers section-first --format csv
tap_done
