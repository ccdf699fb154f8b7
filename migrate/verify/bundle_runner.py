"""Runs a bundle on a machine with an NVIDIA GPU: ``python run_bundle.py [--jobs N] [--only original|port]``.

Stands alone: needs numpy, torch with CUDA, the real tilelang (for ports) and libcuda. Every kernel runs in a child
process of its own, because one illegal access makes a whole CUDA context unusable. Prints one JSON line a kernel and
writes ``results.json`` beside itself (or where --out says).
"""

from __future__ import annotations

import argparse
import ctypes
import json
import subprocess
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


# --- comparing ------------------------------------------------------------------------------------------------------


def ordered_bits(values: Any, width: int) -> Any:
    """Float bits as integers in numeric order, so that a difference counts units in the last place."""
    import numpy as np

    signed = values.view(f"i{width}").astype(np.int64)
    low = np.int64(-(2 ** (8 * width - 1))) if width < 8 else np.int64(-(2**63))
    return np.where(signed < 0, low - signed, signed)


def compare(case: dict[str, Any], left: Any, right: Any) -> dict[str, Any]:
    """Differences between two result files: elements, worst ulp, worst absolute and scaled error, NaN positions."""
    import numpy as np

    summary: dict[str, Any] = {"equal": True, "differing": 0, "max_ulp": 0, "max_abs": 0.0, "max_scaled": 0.0, "nan": 0}
    for root in case["roots"]:
        span = slice(root["start"], root["start"] + root["bytes"])
        a, b = left[span], right[span]
        if np.array_equal(a, b):
            continue
        x, y = as_values(a, root["dtype"]), as_values(b, root["dtype"])
        different = x[0] != y[0]
        if x[1] is not None:
            both_nan = np.isnan(x[1]) & np.isnan(y[1])
            different &= ~both_nan
            summary["nan"] += int((np.isnan(x[1]) != np.isnan(y[1])).sum())
        count = int(different.sum())
        if not count:
            continue
        summary["equal"] = False
        summary["differing"] += count
        if x[1] is None:
            summary["max_ulp"] = max(summary["max_ulp"], 1 << 62)
            continue
        finite = different & np.isfinite(x[1]) & np.isfinite(y[1])
        if finite.any():
            error = np.abs(x[1][finite] - y[1][finite])
            scale = np.abs(x[1][np.isfinite(x[1])]).max()
            width = x[0].dtype.itemsize
            ulp = np.abs(ordered_bits(x[0][finite], width) - ordered_bits(y[0][finite], width))
            summary["max_ulp"] = max(summary["max_ulp"], int(ulp.max()))
            summary["max_abs"] = max(summary["max_abs"], float(error.max()))
            summary["max_scaled"] = max(summary["max_scaled"], float(error.max() / scale) if scale else 0.0)
    for low, high in guards(case):
        if not np.array_equal(left[low:high], right[low:high]):
            summary["equal"] = False
            summary["guards_changed"] = True
    return summary


def measure_envelope(case: dict[str, Any], original: Any, low: Any, high: Any) -> dict[str, Any]:
    """Whether every element of the original's results lies in [low, high], and how far outside the others are.

    Integers and guard bands must be equal (there low and high are the oracle's). Where one of both bounds is NaN, the
    oracle itself gave NaN in some of its runs only: such elements are ``undecided``, neither inside nor outside.
    ``outside_scaled``: distance over the largest finite magnitude of the root.
    """
    import numpy as np

    found: dict[str, Any] = {"outside": 0, "outside_ulp": 0, "outside_scaled": 0.0, "undecided": 0}
    for root in case["roots"]:
        span = slice(root["start"], root["start"] + root["bytes"])
        x, lower, upper = (as_values(side[span], root["dtype"]) for side in (original, low, high))
        if x[1] is None:
            found["outside"] += int((x[0] != lower[0]).sum())
            continue
        value, least, most = x[1], lower[1], upper[1]
        nan = np.isnan(value)
        undecided = np.isnan(least) ^ np.isnan(most)
        must_be_nan = np.isnan(least) & np.isnan(most)
        outside = np.where(must_be_nan, ~nan, nan | (value < least) | (value > most)) & ~undecided
        found["undecided"] += int(undecided.sum())
        found["outside"] += int(outside.sum())
        measured = outside & np.isfinite(value) & np.isfinite(least) & np.isfinite(most)
        if measured.any():
            width = x[0].dtype.itemsize
            bound = np.where(value < least, lower[0], upper[0])
            ulp = np.abs(ordered_bits(x[0][measured], width) - ordered_bits(bound[measured], width))
            error = np.abs(value - np.where(value < least, least, most))[measured].max()
            scale = np.abs(value[np.isfinite(value)]).max()
            found["outside_ulp"] = max(found["outside_ulp"], int(ulp.max()))
            found["outside_scaled"] = max(found["outside_scaled"], float(error / scale) if scale else 0.0)
    for start, stop in guards(case):
        found["outside"] += int((original[start:stop] != low[start:stop]).sum())
    return {"inside_envelope": found["outside"] == 0, **found}


def as_values(raw: Any, dtype: str) -> tuple[Any, Any]:
    """(bits, float64 values or None) of a root's bytes."""
    import numpy as np

    if dtype == "bfloat16":
        bits = raw[: raw.size // 2 * 2].view("u2")
        return bits, (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    kind = np.dtype(dtype)
    values = raw[: raw.size // kind.itemsize * kind.itemsize].view(kind)
    if kind.kind != "f":
        return values, None
    with np.errstate(all="ignore"):
        return values.view(f"u{kind.itemsize}"), values.astype(np.float64)


def guards(case: dict[str, Any]) -> list[tuple[int, int]]:
    """Byte ranges that belong to no root."""
    found, position = [], 0
    for root in sorted(case["roots"], key=lambda item: item["start"]):
        found.append((position, root["start"]))
        position = root["start"] + root["bytes"]
    return [*found, (position, case["total_bytes"])]


# --- running --------------------------------------------------------------------------------------------------------


class Driver:
    """The few calls of the CUDA driver that launch a kernel out of a cubin; torch owns context and memory."""

    def __init__(self) -> None:
        self.cuda = ctypes.CDLL("libcuda.so.1")

    def call(self, name: str, *args: Any) -> None:
        """Raises RuntimeError with the driver's number unless it says success."""
        status = getattr(self.cuda, name)(*args)
        if status != 0:
            raise RuntimeError(f"{name}: CUDA driver error {status}")

    def load(self, path: Path) -> ctypes.c_void_p:
        """A module from a cubin file."""
        module = ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), path.read_bytes())
        return module

    def symbol(self, module: ctypes.c_void_p, name: str) -> tuple[int, int]:
        """(address, bytes) of a variable, under its plain or internal-linkage name."""
        address, size = ctypes.c_uint64(), ctypes.c_size_t()
        plain = name.rpartition("::")[2]
        for candidate in (name, plain, f"_ZL{len(plain)}{plain}"):
            if (
                self.cuda.cuModuleGetGlobal_v2(ctypes.byref(address), ctypes.byref(size), module, candidate.encode())
                == 0
            ):
                return address.value, size.value
        raise RuntimeError(f"variable {name} is not in the compiled original")

    def launch(self, module: ctypes.c_void_p, entry: str, case: dict[str, Any], arguments: list[bytes]) -> None:
        """Launches ``entry`` with raw argument bytes."""
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), module, entry.encode())
        if case["shared_bytes"] > 48 * 1024:
            self.call("cuFuncSetAttribute", function, 8, case["shared_bytes"])
        buffers = [ctypes.create_string_buffer(raw, max(len(raw), 1)) for raw in arguments]
        pointers = (ctypes.c_void_p * max(len(buffers), 1))(*[ctypes.addressof(buffer) for buffer in buffers])
        shape = [ctypes.c_uint(value) for value in (*case["grid"], *case["block"])]
        self.call("cuLaunchKernel", function, *shape, ctypes.c_uint(case["shared_bytes"]), None, pointers, None)


def run_original(folder: Path, kernel: dict[str, Any], case: dict[str, Any], data: Any) -> Any:
    """Result bytes of the original on the GPU."""
    import numpy as np
    import torch

    device = torch.from_numpy(data.copy()).cuda()
    driver = Driver()
    module = driver.load(folder / "original.cubin")
    starts = {root["name"]: root for root in case["roots"]}
    arguments = []
    for argument in case["arguments"]:
        if argument["root"] is None:
            arguments.append(bytes.fromhex(argument["raw"]))
        else:
            address = device.data_ptr() + starts[argument["root"]]["start"] + argument["offset"]
            arguments.append(address.to_bytes(8, "little"))
    places = []
    for symbol in case["symbols"]:
        root = starts[symbol["root"]]
        address, _ = driver.symbol(module, symbol["name"])
        places.append((address, device.data_ptr() + root["start"], root["bytes"]))
    for address, source, size in places:
        driver.call("cuMemcpyDtoD_v2", ctypes.c_uint64(address), ctypes.c_uint64(source), ctypes.c_size_t(size))
    if all(case["grid"]):
        driver.launch(module, kernel["entry"], case, arguments)
    torch.cuda.synchronize()
    for address, source, size in places:
        driver.call("cuMemcpyDtoD_v2", ctypes.c_uint64(source), ctypes.c_uint64(address), ctypes.c_size_t(size))
    torch.cuda.synchronize()
    return np.asarray(device.cpu().numpy())


def port_launcher(kernel: dict[str, Any]) -> Any:
    """The port's launcher; what it compiles is compiled without contraction."""
    import importlib

    import tilelang

    if not hasattr(tilelang, "migrate_original_compile"):
        tilelang.migrate_original_compile = tilelang.compile

        def compile_without_contraction(*args: Any, **keywords: Any) -> Any:
            keywords["compile_flags"] = [*(keywords.get("compile_flags") or []), "-fmad=false"]
            return tilelang.migrate_original_compile(*args, **keywords)

        tilelang.compile = compile_without_contraction
    sys.path.insert(0, str(HERE))
    return getattr(importlib.import_module("port." + kernel["module"]), kernel["launcher"])


def run_port(kernel: dict[str, Any], case: dict[str, Any], arguments: list[dict[str, Any]], data: Any) -> Any:
    """Result bytes of the port on the GPU, compiled without contraction like the original."""
    import numpy as np
    import torch

    launcher = port_launcher(kernel)

    device = torch.from_numpy(data.copy()).cuda()
    keywords: dict[str, Any] = {}
    for argument in arguments:
        if "array" in argument:
            region = argument["array"]
            kind = getattr(torch, region["dtype"])
            size = region["bytes"] // kind.itemsize * kind.itemsize
            view = device[region["start"] : region["start"] + size].view(kind)
            keywords[argument["keyword"]] = (view, region["offset"]) if region["offset"] else view
        elif "scalar" in argument:
            keywords[argument["keyword"]] = scalar_of(argument["scalar"])
        else:
            keywords[argument["keyword"]] = bytes.fromhex(argument["raw"])
    launcher(**keywords, grid=tuple(case["grid"]), block=tuple(case["block"]), shared=case["shared_bytes"])
    torch.cuda.synchronize()
    return np.asarray(device.cpu().numpy())


def run_large(folder: Path, spec: dict[str, Any]) -> dict[str, Any]:
    """One launch on buffers made on the device, for sizes that no case file holds.

    ``spec``: kernel (folder name), elements (root name → count), scalars (launcher keyword → value), grid, block.
    Original and port get equal data (a hash of the index); every byte of every root is compared afterwards.
    """
    import torch

    kernel = json.loads((folder / "kernel.json").read_text())
    item = kernel["cases"][0]
    case = json.loads((folder / "cases" / item["folder"] / "case.json").read_text())
    case |= {"grid": spec["grid"], "block": spec["block"]}
    roots = {root["name"]: root for root in case["roots"]}

    def fresh() -> dict[str, Any]:
        return {name: device_values(count, roots[name]["dtype"]) for name, count in spec["elements"].items()}

    arguments, keywords = [], {}
    ours, theirs = fresh(), fresh()
    for described, argument in zip(item["arguments"], case["arguments"], strict=True):
        keyword = described["keyword"]
        if argument["root"] is not None:
            arguments.append(ours[argument["root"]].data_ptr().to_bytes(8, "little"))
            keywords[keyword] = theirs[argument["root"]]
        elif keyword in spec["scalars"]:
            value = spec["scalars"][keyword]
            arguments.append(int(value).to_bytes(len(argument["raw"]) // 2, "little", signed=True))
            keywords[keyword] = value
        else:
            arguments.append(bytes.fromhex(argument["raw"]))
            keywords[keyword] = scalar_of(described["scalar"])
    driver = Driver()
    driver.launch(driver.load(folder / "original.cubin"), kernel["entry"], case, arguments)
    torch.cuda.synchronize()
    port_launcher(kernel)(**keywords, grid=tuple(case["grid"]), block=tuple(case["block"]), shared=case["shared_bytes"])
    torch.cuda.synchronize()
    result: dict[str, Any] = {"kernel": kernel["kernel"], "bytes": {}, "equal": True, "changed": False}
    for name, mine in ours.items():
        before = device_values(mine.numel(), roots[name]["dtype"])
        result["bytes"][name] = mine.numel() * mine.element_size()
        result["equal"] &= bool(torch.equal(mine.view(torch.uint8), theirs[name].view(torch.uint8)))
        result["changed"] |= not torch.equal(mine[-1024:], before[-1024:])
    return result


def device_values(count: int, dtype: str) -> Any:
    """``count`` values on the device: a hash of the index, in [-1, 1) for floats."""
    import torch

    parts = []
    step = 1 << 26
    for start in range(0, count, step):
        index = torch.arange(start, min(start + step, count), device="cuda", dtype=torch.int64)
        mixed = (index * 2654435761 + 12345) & 0xFFFFFF
        kind = getattr(torch, dtype)
        parts.append((mixed.double() / 8388608.0 - 1.0).to(kind) if kind.is_floating_point else mixed.to(kind))
    return torch.cat(parts)


def scalar_of(scalar: dict[str, str]) -> Any:
    """A scalar argument as a Python number."""
    import numpy as np

    raw = bytes.fromhex(scalar["hex"])
    if scalar["dtype"] == "bfloat16":
        return float((np.frombuffer(raw, np.uint16).astype(np.uint32) << 16).view(np.float32)[0])
    return np.frombuffer(raw, dtype=np.dtype(scalar["dtype"]))[0].item()


def run_kernel(folder: Path, only: str) -> dict[str, Any]:
    """Everything about one kernel; errors become text."""
    import numpy as np

    kernel = json.loads((folder / "kernel.json").read_text())
    result: dict[str, Any] = {"kernel": kernel["kernel"], "symbol": kernel["symbol"], "cases": []}
    for item in kernel["cases"]:
        place = folder / "cases" / item["folder"]
        case = json.loads((place / "case.json").read_text())
        data = np.frombuffer((place / "case.bin").read_bytes(), np.uint8)
        oracle = np.frombuffer((place / "oracle.bin").read_bytes(), np.uint8)
        line: dict[str, Any] = {"label": case["label"]}
        if item.get("envelope_notes"):
            line["envelope_notes"] = item["envelope_notes"]
        original = None
        if kernel["entry"] and only != "port":
            try:
                original = run_original(folder, kernel, case, data)
                again = run_original(folder, kernel, case, data)
                line["repeatable"] = bool(np.array_equal(original, again))
                line["oracle_against_original"] = compare(case, original, oracle)
                if (place / "low.bin").is_file():
                    bounds = [np.frombuffer((place / f"{side}.bin").read_bytes(), np.uint8) for side in ("low", "high")]
                    line["oracle_against_original"] |= measure_envelope(case, original, *bounds)
            except Exception as error:
                line["original_error"] = f"{type(error).__name__}: {error}"[:500]
        elif not kernel["entry"]:
            line["original_error"] = kernel["compile_message"][-500:]
        if only != "original":
            try:
                port = run_port(kernel, case, item["arguments"], data)
                line["port_against_oracle"] = compare(case, oracle, port)
                if original is not None:
                    line["port_against_original"] = compare(case, original, port)
            except Exception as error:
                line["port_error"] = f"{type(error).__name__}: {error}"[:500]
                line["port_trace"] = traceback.format_exc()[-800:]
        result["cases"].append(line)
        if "original_error" in line and "driver error 7" in line["original_error"]:
            break  # a sticky error: this context is gone
    return result


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--only", choices=["original", "port"], default="")
    parser.add_argument("--one", default="")
    parser.add_argument("--large", type=Path, help="JSON list of large launches; see run_large")
    parser.add_argument("--timeout", type=float, default=240.0)
    parser.add_argument("--out", type=Path, default=HERE / "results.json")
    options = parser.parse_args()
    if options.one:
        print("RESULT " + json.dumps(run_kernel(HERE / "kernels" / options.one, options.only)))
        return 0
    if options.large:
        for spec in json.loads(options.large.read_text()):
            print("LARGE " + json.dumps(run_large(HERE / "kernels" / spec["kernel"], spec)), flush=True)
        return 0
    folders = sorted(path.name for path in (HERE / "kernels").iterdir() if (path / "kernel.json").is_file())

    def child(name: str) -> dict[str, Any]:
        command = [sys.executable, str(Path(__file__).resolve()), "--one", name, "--only", options.only]
        if not options.only:
            command = command[:-2]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=options.timeout, check=False)
        except subprocess.TimeoutExpired:
            return {"symbol": name, "error": "timed out"}
        for text in done.stdout.splitlines():
            if text.startswith("RESULT "):
                found: dict[str, Any] = json.loads(text[7:])
                return found
        return {"symbol": name, "error": done.stderr[-1000:]}

    with ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(child, folders))
    options.out.write_text(json.dumps(results, indent=1))
    for result in results:
        print(json.dumps(summary(result)))
    return 0


def summary(result: dict[str, Any]) -> dict[str, Any]:
    """One line a kernel."""
    line: dict[str, Any] = {"symbol": result["symbol"], "kernel": result.get("kernel", "")}
    if "error" in result:
        return {**line, "error": result["error"][-300:]}
    for key in ("oracle_against_original", "port_against_original", "port_against_oracle"):
        found = [case[key] for case in result["cases"] if key in case]
        line[key] = {
            "cases": len(found),
            "equal": sum(item["equal"] for item in found),
            "max_ulp": max((item["max_ulp"] for item in found), default=0),
            "max_scaled": max((item["max_scaled"] for item in found), default=0.0),
        }
    compared = [case["oracle_against_original"] for case in result["cases"] if "oracle_against_original" in case]
    line["oracle"] = oracle_word(compared)
    bounded = [item for item in compared if "inside_envelope" in item]
    if bounded:
        line["oracle_against_original"] |= {
            "inside": sum(item["inside_envelope"] for item in bounded),
            "outside": sum(item["outside"] for item in bounded),
            "outside_ulp": max(item["outside_ulp"] for item in bounded),
            "outside_scaled": max(item["outside_scaled"] for item in bounded),
            "undecided": sum(item["undecided"] for item in bounded),
        }
    line["errors"] = sorted(
        {case[key][:200] for case in result["cases"] for key in ("original_error", "port_error") if key in case}
    )
    return line


def oracle_word(compared: list[dict[str, Any]]) -> str:
    """How the original on the device agrees with the oracle: equal, inside (its envelope), OUTSIDE, or not run."""
    if not compared:
        return "not run"
    if all(item["equal"] for item in compared):
        return "equal"
    return "inside" if all(item["equal"] or item.get("inside_envelope", False) for item in compared) else "OUTSIDE"


if __name__ == "__main__":
    sys.exit(main())
