#!/usr/bin/env python3
"""Times in PyTorch what gpu_check times, on the same GPU, in float32 (without TF32) and bf16: a JSON object a line.
usage: pytorch_figures.py OUTPUT [small]
"""
import json
import sys
import time

import torch
from torch import nn
from torch.nn import functional as F

small = "small" in sys.argv[2:]
gpu = torch.cuda.is_available()
device = "cuda" if gpu else "cpu"
out = open(sys.argv[1], "w")


def wait():
    if gpu:
        torch.cuda.synchronize()


def seconds(call, repeats, rounds):
    """Of one call, the best of some rounds after one that does not count."""
    call()
    best = 1e30
    for _ in range(rounds):
        wait()
        begin = time.perf_counter()
        for _ in range(repeats):
            call()
        wait()
        best = min(best, (time.perf_counter() - begin) / repeats)
    return best


def report(what, make, repeats=1 if small else 10, rounds=1 if small else 5):
    """make(dtype) gives what is timed."""
    line = {"what": what}
    for name, dtype in (("float32", torch.float32), ("bf16", torch.bfloat16)):
        try:
            line[name] = seconds(make(dtype), repeats, rounds)
        except RuntimeError as error:
            print(f"{what}, {name}: {error}", file=sys.stderr)
        if gpu:
            torch.cuda.empty_cache()
    out.write(json.dumps(line) + "\n")
    out.flush()


def random(*shape, dtype, gradient=False):
    return torch.randn(*shape, device=device, dtype=dtype, requires_grad=gradient)


def product(size):
    def make(dtype):
        a, b = random(size, size, dtype=dtype), random(size, size, dtype=dtype)
        return lambda: torch.matmul(a, b)
    report(f"GEMM {size}", make)


def attention():
    shape = (1, 1, 16, 8) if small else (8, 12, 1024, 64)

    def forward(dtype):
        q, k, v = (random(*shape, dtype=dtype) for _ in range(3))
        return lambda: F.scaled_dot_product_attention(q, k, v, is_causal=True)

    def backward(dtype):
        q, k, v = (random(*shape, dtype=dtype, gradient=True) for _ in range(3))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        gradient = torch.randn_like(y)
        return lambda: torch.autograd.grad(y, (q, k, v), gradient, retain_graph=True)
    report("attention forward", forward)
    report("attention backward", backward)


def norms():
    rows, width = (4, 32) if small else (16384, 1600)

    def forward(dtype):
        x, weight, bias = (random(*s, dtype=dtype) for s in ((rows, width), (width,), (width,)))
        return lambda: F.layer_norm(x, (width,), weight, bias)

    def backward(dtype):
        x, weight, bias = (random(*s, dtype=dtype, gradient=True) for s in ((rows, width), (width,), (width,)))
        y = F.layer_norm(x, (width,), weight, bias)
        gradient = torch.randn_like(y)
        return lambda: torch.autograd.grad(y, (x, weight, bias), gradient, retain_graph=True)

    def rms(dtype):
        x, weight = random(rows, width, dtype=dtype), random(width, dtype=dtype)
        return lambda: F.rms_norm(x, (width,), weight)
    report("LayerNorm forward", forward)
    report("LayerNorm backward", backward)
    if hasattr(F, "rms_norm"):
        report("RMSNorm forward", rms)


class Block(nn.Module):
    """A layer of GPT-2, or with `kv` key/value heads and a gated MLP of Llama (without rotary positions)."""

    def __init__(self, width, heads, inner, kv):
        super().__init__()
        self.heads, self.kv, self.size = heads, kv or heads, width // heads
        norm = nn.RMSNorm if kv else nn.LayerNorm
        self.norm1, self.norm2 = norm(width), norm(width)
        self.qkv = nn.Linear(width, (heads + 2 * self.kv) * self.size, bias=not kv)
        self.out = nn.Linear(width, width, bias=not kv)
        self.up = nn.Linear(width, inner * (2 if kv else 1), bias=not kv)
        self.down = nn.Linear(inner, width, bias=not kv)
        self.gated = bool(kv)

    def forward(self, x):
        b, t, c = x.shape
        parts = self.qkv(self.norm1(x)).split([self.heads * self.size, self.kv * self.size, self.kv * self.size], dim=2)
        q, k, v = (p.view(b, t, -1, self.size).transpose(1, 2) for p in parts)
        if self.kv != self.heads:
            k, v = (p.repeat_interleave(self.heads // self.kv, dim=1) for p in (k, v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(b, t, c))
        y = self.up(self.norm2(x))
        if self.gated:
            gate, up = y.chunk(2, dim=2)
            y = F.silu(gate) * up
        else:
            y = F.gelu(y, approximate="tanh")
        return x + self.down(y)


class Model(nn.Module):
    def __init__(self, vocabulary, width, layers, heads, inner, kv):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(vocabulary, width), nn.Embedding(1024, width)
        self.blocks = nn.ModuleList(Block(width, heads, inner, kv) for _ in range(layers))
        self.norm = nn.RMSNorm(width) if kv else nn.LayerNorm(width)

    def forward(self, tokens, targets):
        x = self.tokens(tokens) + self.positions(torch.arange(tokens.shape[1], device=tokens.device))
        for block in self.blocks:
            x = block(x)
        logits = self.norm(x) @ self.tokens.weight.T
        return F.cross_entropy(logits.flatten(0, 1).float(), targets.flatten())


def step(name, batch, *shape):
    def make(dtype):
        model = Model(*shape).to(device)
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=gpu)
        tokens = torch.randint(0, shape[0], (batch, 1025), device=device)

        def once():
            optimizer.zero_grad(set_to_none=True)
            with torch.autocast(device, dtype=torch.bfloat16, enabled=dtype is torch.bfloat16):
                loss = model(tokens[:, :-1], tokens[:, 1:])
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        return once
    report(f"step {name}", make, repeats=1, rounds=4)


torch.manual_seed(1)
for size in (32,) if small else (4096, 8192):
    product(size)
attention()
norms()
if not small:
    step("gpt2", 8, 50257, 768, 12, 12, 3072, 0)
    step("gpt2-xl", 4, 50257, 1600, 48, 25, 6400, 0)
    step("llama-1b", 4, 128256, 2048, 16, 32, 8192, 8)
