#!/usr/bin/env python3
"""Predictions for this machine beside real runs on it.

local_truth.py BIN [--home HOME] [--seed N] [--rounds R] [--slice SECONDS]
       local_truth.py BIN [--home HOME] --table

BIN holds triaxis and triaxis-rank; HOME ($TRIAXIS_HOME) a calibration of this machine of three
rounds or more (triaxis calibrate; --more adds a round to one that was cut short: a sample of one
round has met whatever pace its core had at that moment). A call goes on where the one before has
stopped, until every layout has run R times (3) or SECONDS are over; --table runs nothing and prints
the table of all that has run so far. Without a
seed the layouts are a fixed list; with one they are 20 draws from a stated space (drawn_layouts),
the same for the same seed. A round runs every layout once, and each layout's figures are medians
over the rounds, so that one slow minute of the machine weighs on none alone. Each run is predicted
before it starts; before and after it the pace of the cores is measured for a second (triaxis
calibrate --now), and the table predicts the runs from their own plans for all paces of their slice;
"calibrated" is the error of the prediction from the calibration alone, without these. What the runs
said is kept in local_truth.jsonl beside them.

Step time is the median of the steps after the third (of a round; of several rounds their median),
spread half the distance of the 10th and 90th percentile of all these steps over their median, peak
memory that of the fullest rank, replay how far a replay of the measured durations is from what they
took (triaxis simulate --replay), others what other programs took of the cores meanwhile. The table
ends with the figures that count: median and worst error of the step time, worst error of the memory
and of the replay. An error of the step time may reach 20 %, or three times the layout's own spread.
"""
import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
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
MODELS = {"gpt2-1m": [64, 128, 256], "gpt2": [32, 64]}  # and their tokens a sequence
DRAWN = 20
STEP_LIMIT, MEDIAN_LIMIT, MEMORY_LIMIT, REPLAY_LIMIT = 0.2, 0.1, 0.05, 0.02
FIRST_STEADY, SECONDS_OF_RUN = 3, 1.5


class Triaxis:
    def __init__(self, folder, home=None):
        self.program = os.path.join(folder, "triaxis")
        self.home = home or os.environ["TRIAXIS_HOME"]
        self.environment = dict(os.environ, TRIAXIS_HOME=self.home)
        self.log = os.path.join(self.home, "local_truth.jsonl")

    def calibration(self):
        with open(os.path.join(self.home, "calibration.json")) as file:
            return json.load(file)

    def predict_if_valid(self, arguments):
        done = subprocess.run([self.program, "run", *arguments, "--predict", "--json"],
                              capture_output=True, text=True, timeout=60, env=self.environment)
        return json.loads(done.stdout.splitlines()[0]) if done.returncode == 0 else None

    def predict(self, arguments, home=None):
        """What a run is predicted to be, under the calibration of `home`."""
        return self("run", *arguments, "--predict", "--json", home=home)[0]

    def __call__(self, *arguments, home=None):
        command = [self.program, *arguments]
        environment = dict(self.environment, TRIAXIS_HOME=home) if home else self.environment
        done = subprocess.run(command, capture_output=True, text=True, timeout=300,
                              env=environment)
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


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def pace_now(triaxis):
    triaxis("calibrate", "--now", "--json")
    return triaxis.calibration()["now"]


def run_layout(triaxis, options):
    predicted = triaxis.predict(options)
    steps = FIRST_STEADY + max(5, min(24, int(SECONDS_OF_RUN / predicted["seconds"])))
    before = Cores()
    said = triaxis("run", *options, "--steps", str(steps), "--json")
    return {"layout": " ".join(options),
            "predicted": predicted["seconds"],
            "run": next(line["run"] for line in said if "run" in line),
            "others": Cores().others_since(before),
            "seconds": [line["seconds"] for line in said if "step" in line and "seconds" in line]}


def draw(source):
    """One layout of 1 to 8 ranks; not all that is drawn can run."""
    model = source.choice(["gpt2-1m", "gpt2-1m", "gpt2-1m", "gpt2"])
    dp, tp, pp = (source.choice([1, 1, 2, 4]) for _ in range(3))
    microbatch = source.choice([1, 2, 4])
    count = source.choice([2, 4, 8]) if model == "gpt2-1m" else source.choice([1, 2])
    options = ["--model", model, "--sequence", str(source.choice(MODELS[model])),
               "--batch", str(dp * microbatch * count), "--microbatch", str(microbatch),
               "--dp", str(dp), "--tp", str(tp), "--pp", str(pp)]
    schedule = source.choice(["1f1b", "1f1b", "gpipe", "interleaved", "zb-h1", "zb-v", "dualpipe"])
    paced = source.random() < 0.25
    if pp > 1:
        options += ["--schedule", schedule]
        if schedule == "interleaved":
            options += ["--virtual", "2"]
        if paced:
            options += source.choice([PACE, ["--pace", "15ms,10ms,10ms"]])
    return options if dp * tp * pp <= 8 else None


def drawn_layouts(triaxis, seed):
    """The first of the drawn layouts that can run here and whose steps take no more than a second."""
    layouts, source = [], random.Random(seed)
    while len(layouts) < DRAWN:
        options = draw(source)
        if options is None or options in layouts:
            continue
        predicted = triaxis.predict_if_valid(options)
        if predicted and predicted["seconds"] < 1:
            layouts.append(options)
    return layouts


def stored_layouts(triaxis, seed):
    """Drawn once: whether a step is short enough shall not depend on the calibration of the hour."""
    path = os.path.join(triaxis.home, f"local_truth_layouts_{seed}.json")
    if not os.path.exists(path):
        layouts = drawn_layouts(triaxis, seed)
        with open(path, "w") as file:
            json.dump(layouts, file)
    with open(path) as file:
        return json.load(file)


def entries_of(triaxis):
    if not os.path.exists(triaxis.log):
        return []
    with open(triaxis.log) as log:
        return [json.loads(line) for line in log]


def next_layout(layouts, entries, rounds):
    """The first of those that have run least often; none when all have run in every round."""
    runs = {" ".join(options): 0 for options in layouts}
    for entry in entries:
        if entry["layout"] in runs:
            runs[entry["layout"]] += 1
    least = min(runs.values())
    if least >= rounds:
        return None
    return next(options for options in layouts if runs[" ".join(options)] == least)


def run_slice(triaxis, layouts, rounds, seconds):
    """Runs one layout after the other while there is time for another one as long as the longest."""
    begin, longest = time.monotonic(), 0
    entries = entries_of(triaxis)
    number = max((entry.get("slice", 0) for entry in entries), default=0) + 1
    pace = pace_now(triaxis)
    while time.monotonic() + longest - begin < seconds:
        options = next_layout(layouts, entries, rounds)
        if options is None:
            break
        started = time.monotonic()
        entry = run_layout(triaxis, options)
        before, pace = pace, pace_now(triaxis)
        entry["paces"] = before + pace
        entry["slice"] = number
        with open(triaxis.log, "a") as log:
            log.write(json.dumps(entry) + "\n")
        entries.append(entry)
        longest = max(longest, time.monotonic() - started)
        print(f"{entry['layout']}: predicted {entry['predicted'] * 1e3:.1f} ms, measured "
              f"{statistics.median(steady(entry)) * 1e3:.1f} ms", flush=True)
    left = sum(max(0, rounds - sum(entry["layout"] == " ".join(options) for entry in entries))
               for options in layouts)
    print(f"slice {number}: {len(entries)} runs so far, {left} left", flush=True)


def steady(entry):
    return entry["seconds"][FIRST_STEADY:]


class Predictor:
    """Predicts stored runs under the calibration, at given paces of the cores."""

    def __init__(self, triaxis, scratch):
        self.triaxis, self.scratch = triaxis, scratch
        self.calibration = triaxis.calibration()
        self.paces = None

    def predict(self, entry, paces):
        if paces != self.paces:
            with open(os.path.join(self.scratch, "calibration.json"), "w") as file:
                json.dump(dict(self.calibration, now=paces), file)
            self.paces = paces
        plan = os.path.join(self.triaxis.home, "runs", entry["run"], "run.json")
        return self.triaxis.predict(["--plan", plan], home=self.scratch)


def paces_of(entries):
    """Each pace once: it is that after one run and before the next."""
    paces = {pace["date"]: pace for entry in entries for pace in entry["paces"]}
    return [paces[date] for date in sorted(paces)]


def slices_of(entries):
    """The runs that were made one right after the other."""
    slices = {}
    for entry in entries:
        slices.setdefault(entry["slice"], []).append(entry)
    return list(slices.values())


class Row:
    """One layout over its rounds."""

    def __init__(self, triaxis, entries, around, alone):
        """`around`, `alone`: beside the entries, their predictions with and without the paces."""
        self.name = entries[0]["layout"]
        self.others = max(entry["others"] for entry in entries)
        pooled = [seconds for entry in entries for seconds in steady(entry)]
        self.measured = statistics.median(statistics.median(steady(entry)) for entry in entries)
        self.predicted = statistics.median(line["seconds"] for line in around)
        self.expected = statistics.median(line["spread"] for line in around)
        self.spread = ((percentile(pooled, 0.9) - percentile(pooled, 0.1)) / 2 /
                       statistics.median(pooled))
        self.error = self.predicted / self.measured - 1
        self.calibrated = statistics.median(line["seconds"] for line in alone) / self.measured - 1
        peaks = [(max(rank["peak_bytes"] for rank in line["ranks"]) /
                  triaxis("show", entry["run"], "--json")[0]["peak_bytes"] - 1)
                 for line, entry in zip(around, entries)]
        self.memory = max(peaks, key=abs)
        self.replay = max((triaxis("simulate", "--replay", entry["run"], "--json")[0]["error"]
                           for entry in entries), key=abs)

    def failures(self):
        limit = max(STEP_LIMIT, 3 * self.spread)
        return [f"{self.name}: {what} off by {value:.1%}, limit {allowed:.1%}"
                for what, value, allowed in (("step time", self.error, limit),
                                             ("memory", self.memory, MEMORY_LIMIT),
                                             ("replay", self.replay, REPLAY_LIMIT))
                if abs(value) > allowed]

    def print(self):
        print(f"{self.name:87}{self.predicted * 1e3:9.2f}ms{self.measured * 1e3:9.2f}ms"
              f"{self.error:11.1%}{self.calibrated:11.1%}{self.spread:11.1%}{self.expected:11.1%}"
              f"{self.others:9.1%}{self.memory:9.2%}{self.replay:9.2%}", flush=True)


def rows_of(triaxis, entries):
    around, alone = {}, {}
    with tempfile.TemporaryDirectory() as scratch:
        predictor = Predictor(triaxis, scratch)
        for runs in slices_of(entries):
            paces = paces_of(runs)
            for entry in runs:
                around[entry["run"]] = predictor.predict(entry, paces)
        for entry in entries:
            alone[entry["run"]] = predictor.predict(entry, [])
    for name in dict.fromkeys(entry["layout"] for entry in entries):
        same = [entry for entry in entries if entry["layout"] == name]
        yield Row(triaxis, same, [around[entry["run"]] for entry in same],
                  [alone[entry["run"]] for entry in same])


def report(triaxis):
    entries = entries_of(triaxis)
    if not entries:
        raise SystemExit("nothing has run yet in " + triaxis.home)
    print(f"{'layout':87}{'predicted':>11}{'measured':>11}" +
          "".join(f"{name:>11}" for name in ("error", "calibrated", "spread", "expected")) +
          "".join(f"{name:>9}" for name in ("others", "memory", "replay")))
    rows = []
    for row in rows_of(triaxis, entries):
        rows.append(row)
        row.print()
    errors = [abs(row.error) for row in rows]
    calibrated = statistics.median(abs(row.calibrated) for row in rows)
    print(f"{len(rows)} layouts, {len(entries)} runs; "
          f"step time: median error {statistics.median(errors):.1%}, worst {max(errors):.1%} "
          f"(from the calibration alone {calibrated:.1%}); "
          f"memory: worst {max(abs(row.memory) for row in rows):.2%}; "
          f"replay: worst {max(abs(row.replay) for row in rows):.2%}")
    failures = [text for row in rows for text in row.failures()]
    for text in failures:
        print(f"beyond its limit: {text}")
    return 1 if failures or statistics.median(errors) > MEDIAN_LIMIT else 0


def main():
    what, usage, details = __doc__.split("\n\n", 2)
    parser = argparse.ArgumentParser(description=what, epilog=details.replace("%", "%%"),
                                     usage=usage.replace("%", "%%"),
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("--home", default=os.environ.get("TRIAXIS_HOME"))
    parser.add_argument("--seed", type=int)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--slice", type=float, default=3600)
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    if not options.home:
        raise SystemExit("give --home, or set TRIAXIS_HOME")
    triaxis = Triaxis(options.bin, options.home)
    if not options.table:
        layouts = LAYOUTS if options.seed is None else stored_layouts(triaxis, options.seed)
        run_slice(triaxis, layouts, options.rounds, options.slice)
        return 0
    return report(triaxis)


if __name__ == "__main__":
    sys.exit(main())
