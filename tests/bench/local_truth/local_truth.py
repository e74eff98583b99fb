#!/usr/bin/env python3
"""Predictions for this machine beside real runs on it.

Usage: local_truth.py BIN [FIRST LAST]
BIN holds triaxis and triaxis-rank; $TRIAXIS_HOME a calibration of this machine (triaxis calibrate).
Each layout is predicted (triaxis run --predict) and then run; step time is the median of the steps
after the third, peak memory that of the fullest rank. The table ends with the figures
that count: median and worst error of the step time, worst error of the memory. A run whose error
exceeds 20 % is held against three times its own spread (half the distance of its 10th and 90th
percentile, relative to the median).
"""
import json
import os
import statistics
import subprocess
import sys

PACE = ["--pace", "8ms,8ms,8ms"]
SMALL = ["--model", "gpt2-1m", "--sequence", "128", "--batch", "16", "--microbatch", "2"]
WIDE = ["--model", "gpt2", "--sequence", "64", "--batch", "2", "--microbatch", "1"]
LAYOUTS = [
    SMALL + ["--dp", "1"],
    SMALL + ["--dp", "1", "--threads", "1"],
    SMALL + ["--dp", "2"],
    SMALL + ["--tp", "2"],
    SMALL + ["--pp", "2"],
    SMALL + ["--pp", "2", "--schedule", "gpipe"],
    SMALL + ["--pp", "2", "--schedule", "zb-h1"],
    SMALL + ["--dp", "4"],
    SMALL + ["--tp", "2", "--pp", "2"],
    SMALL + ["--dp", "2", "--pp", "2"],
    SMALL + ["--dp", "2", "--tp", "2"],
    SMALL + ["--pp", "4"],
    SMALL + ["--dp", "2", "--tp", "2", "--pp", "2"],
    WIDE + ["--dp", "1"],
    WIDE + ["--dp", "2"],
    WIDE + ["--pp", "2"],
    WIDE + ["--tp", "2"],
    SMALL + ["--pp", "2"] + PACE,
    SMALL + ["--pp", "4"] + PACE,
    SMALL + ["--dp", "2", "--pp", "2"] + PACE,
]


def lines(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stderr.strip()}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def measure(triaxis, options, predicted):
    steps = max(8, min(60, int(2 / predicted)))
    said = lines([triaxis, "run", *options, "--steps", str(steps), "--json"])
    seconds = [line["seconds"] for line in said if "step" in line and "seconds" in line][3:]
    run = next(line["run"] for line in said if "run" in line)
    shown = lines([triaxis, "show", run, "--json"])
    return seconds, shown[0]["peak_bytes"]


def main():
    triaxis = os.path.join(sys.argv[1], "triaxis")
    first, last = (int(sys.argv[2]), int(sys.argv[3])) if len(sys.argv) > 3 else (0, len(LAYOUTS))
    errors, memory_errors, failed = [], [], []
    print(f"load {os.getloadavg()[0]:.2f}")
    print(f"{'layout':78}{'predicted':>11}{'measured':>11}{'error':>8}{'spread':>8}{'memory':>8}")
    for options in LAYOUTS[first:last]:
        name = " ".join(options)
        predicted = lines([triaxis, "run", *options, "--predict", "--json"])[0]
        seconds, peak = measure(triaxis, options, predicted["seconds"])
        median = statistics.median(seconds)
        spread = (percentile(seconds, 0.9) - percentile(seconds, 0.1)) / 2 / median
        error = predicted["seconds"] / median - 1
        off = max(rank["peak_bytes"] for rank in predicted["ranks"]) / peak - 1
        errors.append(abs(error))
        memory_errors.append(abs(off))
        if abs(error) > max(0.2, 3 * spread):
            failed.append(name)
        print(f"{name:78}{predicted['seconds'] * 1e3:9.2f}ms{median * 1e3:9.2f}ms{error:8.1%}{spread:8.1%}"
              f"{off:8.2%}", flush=True)
    print(f"step time: median error {statistics.median(errors):.1%}, worst {max(errors):.1%}; "
          f"memory: worst {max(memory_errors):.2%}")
    for name in failed:
        print(f"beyond its limit: {name}")
    return 1 if failed or statistics.median(errors) > 0.1 or max(memory_errors) > 0.05 else 0


if __name__ == "__main__":
    sys.exit(main())
