#!/usr/bin/env python3
"""Predictions for this machine beside real runs on it.

Usage: local_truth.py BIN [FIRST LAST]     run layouts, then the table
       local_truth.py BIN --from HOME      the table of the runs that are stored in HOME
BIN holds triaxis and triaxis-rank; $TRIAXIS_HOME a calibration of this machine (triaxis calibrate).
Each layout is run and predicted from the plan of its run (triaxis run --plan … --predict); what the
runs said is kept in local_truth.jsonl beside them. Step time is the median of the steps after the
third, peak memory that of the fullest rank. Beside them stand the error against the quickest quarter
of the steps (where it is far smaller, the machine was disturbed rather than the model wrong), what
other programs took of the cores meanwhile (a run that they disturbed, or of unsteady steps, is
repeated, and the steadiest one counts) and how far a replay of the measured durations is from what they took (triaxis
simulate --replay). The table ends with the figures that count: median and worst error of the step
time, worst error of the memory and of the replay. A run whose error exceeds 20 % is held against
three times its own spread (half the distance of its 10th and 90th percentile, relative to the
median).
"""
import json
import os
import resource
import statistics
import subprocess
import sys
import time

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
STEP_LIMIT, MEDIAN_LIMIT, MEMORY_LIMIT, REPLAY_LIMIT = 0.2, 0.1, 0.05, 0.02
TRIES, DISTURBED, UNSTEADY = 3, 0.05, 0.1


class Triaxis:
    def __init__(self, folder, home=None):
        self.program = os.path.join(folder, "triaxis")
        self.home = home or os.environ["TRIAXIS_HOME"]
        self.environment = dict(os.environ, TRIAXIS_HOME=self.home)
        self.log = os.path.join(self.home, "local_truth.jsonl")

    def __call__(self, *arguments):
        command = [self.program, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300,
                              env=self.environment)
        if done.returncode:
            raise SystemExit(f"{' '.join(command)}: {done.stderr.strip()}")
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


class Cores:
    """Seconds that the cores were busy, of all programs and of those that this one has run."""

    def __init__(self):
        with open("/proc/stat") as stat:
            user, nice, system, _, _, interrupts, soft, stolen = map(int, stat.readline().split()[1:9])
        self.busy = (user + nice + system + interrupts + soft + stolen) / os.sysconf("SC_CLK_TCK")
        own = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.own = own.ru_utime + own.ru_stime
        self.time = time.monotonic()

    def others_since(self, before):
        """The share of the cores' time that others took."""
        taken = (self.busy - before.busy) - (self.own - before.own)
        return max(0.0, taken / (self.time - before.time) / os.cpu_count())


def run_once(triaxis, options, steps):
    before = Cores()
    said = triaxis("run", *options, "--steps", str(steps), "--json")
    return {"layout": " ".join(options),
            "run": next(line["run"] for line in said if "run" in line),
            "others": Cores().others_since(before),
            "seconds": [line["seconds"] for line in said if "step" in line and "seconds" in line]}


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def steady(entry):
    return entry["seconds"][3:]


def spread_of(entry):
    seconds = steady(entry)
    return (percentile(seconds, 0.9) - percentile(seconds, 0.1)) / 2 / statistics.median(seconds)


def run_layout(triaxis, options):
    predicted = triaxis("run", *options, "--predict", "--json")[0]
    steps = max(8, min(20, int(1.5 / predicted["seconds"])))
    best = None
    for _ in range(TRIES):
        entry = run_once(triaxis, options, steps)
        if best is None or spread_of(entry) < spread_of(best):
            best = entry
        if best["others"] < DISTURBED and spread_of(best) < UNSTEADY:
            break
    with open(triaxis.log, "a") as log:
        log.write(json.dumps(best) + "\n")
    return best


class Row:
    def __init__(self, triaxis, entry):
        shown = triaxis("show", entry["run"], "--json")[0]
        plan = os.path.join(triaxis.home, "runs", entry["run"], "run.json")
        predicted = triaxis("run", "--plan", plan, "--predict", "--json")[0]
        seconds = steady(entry)
        self.name = entry["layout"]
        self.others = entry.get("others", 0.0)
        self.predicted = predicted["seconds"]
        self.measured = statistics.median(seconds)
        self.spread = spread_of(entry)
        self.error = self.predicted / self.measured - 1
        self.quick = self.predicted / percentile(seconds, 0.25) - 1
        self.memory = max(rank["peak_bytes"] for rank in predicted["ranks"]) / shown["peak_bytes"] - 1
        self.replay = triaxis("simulate", "--replay", entry["run"], "--json")[0]["error"]

    def failures(self):
        limit = max(STEP_LIMIT, 3 * self.spread)
        return [f"{self.name}: {what} off by {value:.1%}, limit {allowed:.1%}"
                for what, value, allowed in (("step time", self.error, limit),
                                             ("memory", self.memory, MEMORY_LIMIT),
                                             ("replay", self.replay, REPLAY_LIMIT))
                if abs(value) > allowed]

    def print(self):
        print(f"{self.name:78}{self.predicted * 1e3:9.2f}ms{self.measured * 1e3:9.2f}ms{self.error:8.1%}{self.quick:8.1%}"
              f"{self.spread:8.1%}{self.others:8.1%}{self.memory:8.2%}{self.replay:8.2%}", flush=True)


def report(triaxis, runs):
    print(f"{'layout':78}{'predicted':>11}{'measured':>11}" +
          "".join(f"{name:>8}" for name in ("error", "quick", "spread", "others", "memory", "replay")))
    rows = []
    for entry in runs:
        rows.append(Row(triaxis, entry))
        rows[-1].print()
    errors = [abs(row.error) for row in rows]
    quick = statistics.median(abs(row.quick) for row in rows)
    print(f"step time: median error {statistics.median(errors):.1%}, worst {max(errors):.1%}, "
          f"against the quickest quarter {quick:.1%}; "
          f"memory: worst {max(abs(row.memory) for row in rows):.2%}; "
          f"replay: worst {max(abs(row.replay) for row in rows):.2%}")
    failures = [text for row in rows for text in row.failures()]
    for text in failures:
        print(f"beyond its limit: {text}")
    return 1 if failures or statistics.median(errors) > MEDIAN_LIMIT else 0


def stored_runs(triaxis):
    with open(triaxis.log) as log:
        return [json.loads(line) for line in log]


def main():
    if len(sys.argv) == 4 and sys.argv[2] == "--from":
        triaxis = Triaxis(sys.argv[1], sys.argv[3])
        return report(triaxis, stored_runs(triaxis))
    if len(sys.argv) not in (2, 4):
        raise SystemExit(__doc__)
    triaxis = Triaxis(sys.argv[1])
    first, last = (int(sys.argv[2]), int(sys.argv[3])) if len(sys.argv) == 4 else (0, len(LAYOUTS))
    print(f"load {os.getloadavg()[0]:.2f}", flush=True)
    return report(triaxis, [run_layout(triaxis, options) for options in LAYOUTS[first:last]])


if __name__ == "__main__":
    sys.exit(main())
