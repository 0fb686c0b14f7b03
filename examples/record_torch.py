# SPDX-License-Identifier: Apache-2.0
"""Records the allocations of a training step by torch.profiler, as CSV for `arenabench trace`.

    python3 record_torch.py >step.csv && arenabench trace step.csv

In a program of your own: `from record_torch import write_csv`, and around a step

    with torch.autograd.profiler.profile(profile_memory=True) as recording:
        step()
    write_csv(recording, open("step.csv", "w"))

What is released in the step but was allocated before is not recorded on CPUs, where PyTorch does not
know its size.  Builds of PyTorch without Kineto (Debian's) can do this, too.
"""
import sys

import torch


def allocations(nodes):
    """The allocations and releases in trees of events."""
    nodes = list(nodes)
    while nodes:
        node = nodes.pop()
        nodes.extend(node.children)
        fields = node.extra_fields
        if hasattr(fields, "alloc_size"):
            yield node.start_time_ns, fields


def write_csv(recording, out):
    """Writes what was allocated and released while RECORDING was on, in the order of time."""
    events = allocations(recording.kineto_results.experimental_event_tree())
    out.write("time,event,address,size,device\n")
    for time, fields in sorted(events, key=lambda event: event[0]):
        kind = "alloc" if fields.alloc_size > 0 else "free"
        out.write(f"{time},{kind},{fields.ptr},{abs(fields.alloc_size)},{fields.device}\n")


def small_network():
    """Two convolutions, a pool and a classifier."""
    return torch.nn.Sequential(
        torch.nn.Conv2d(3, 16, 3, padding=1), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
        torch.nn.Conv2d(16, 32, 3, padding=1), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
        torch.nn.Flatten(), torch.nn.Linear(32 * 8 * 8, 10))


def main():
    torch.manual_seed(1)
    network = small_network()
    optimiser = torch.optim.SGD(network.parameters(), lr=0.1)
    images, labels = torch.randn(8, 3, 32, 32), torch.randint(0, 10, (8,))

    def step():
        optimiser.zero_grad(set_to_none=True)
        torch.nn.functional.cross_entropy(network(images), labels).backward()
        optimiser.step()

    step()  # the gradients' memory is there from now on, as in all later steps
    with torch.autograd.profiler.profile(profile_memory=True) as recording:
        step()
    write_csv(recording, sys.stdout)


if __name__ == "__main__":
    main()
