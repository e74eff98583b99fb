#!/usr/bin/env python3
"""Prints the figures of tests/gpu/run as a table. usage: table.py FOLDER with float32.json, bfloat16.json, pytorch.json"""
import json
import os
import sys


def read(name):
    path = os.path.join(sys.argv[1], name)
    if not os.path.exists(path):
        return []
    with open(path) as lines:
        return [json.loads(line) for line in lines if line.startswith("{")]


def by_name(lines):
    return {line["what"]: line for line in lines if "what" in line}


def own(figures, what):
    if what not in figures:
        return "not run"
    figure = figures[what]
    cell = f"{figure['seconds'] * 1e3:.3f} ms, {figure['rate']:.1f} {figure['unit']}"
    products = [f["rate"] for name, f in figures.items() if name.startswith("GEMM")]
    if what.startswith("step") and products:
        cell += f" ({figure['rate'] / max(products):.0%} of its products)"
    return cell


float32, bfloat16, pytorch = read("float32.json"), by_name(read("bfloat16.json")), by_name(read("pytorch.json"))
for line in float32:
    if "device" in line:
        print(f"{line['device']}, {line['library']}. Triaxis rounds the factors of matrix products in bf16 and computes the rest in")
        print("float32; PyTorch computes in float32 without TF32, in bf16, and its steps with autocast to bf16.\n")
float32 = by_name(float32)
print("| what | Triaxis float32 | Triaxis bf16 | PyTorch float32 | PyTorch bf16 |\n|---|---|---|---|---|")
for what in {**float32, **bfloat16}:
    cells = [own(float32, what), own(bfloat16, what)]
    cells += [f"{pytorch[what][k] * 1e3:.3f} ms" if k in pytorch.get(what, {}) else "not run" for k in ("float32", "bf16")]
    print(f"| {what} | " + " | ".join(cells) + " |")
