# SPDX-License-Identifier: Apache-2.0
"""PyTorch's memory snapshot (torch.cuda.memory._dump_snapshot) as JSON for `arenabench trace`.

    python3 snapshot_json.py snapshot.pickle >snapshot.json

A pickle can run any program: open your own alone.  Frames, which are most of it, are left out."""
import json
import pickle
import sys

with open(sys.argv[1], "rb") as file:
    snapshot = pickle.load(file)
lists = snapshot["device_traces"] + [snapshot["segments"]] + [s["blocks"] for s in snapshot["segments"]]
for entry in [entry for entries in lists for entry in entries]:
    for key in ("frames", "history"):
        entry.pop(key, None)
json.dump({key: snapshot[key] for key in ("device_traces", "segments")}, sys.stdout, default=str)
