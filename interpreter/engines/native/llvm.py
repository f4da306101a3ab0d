"""Compiles LLVM IR and returns addresses of functions. No other module uses llvmlite.

Another process compiles large code in the background.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from ctypes import c_void_p, sizeof
from importlib import import_module
from pathlib import Path
from subprocess import DEVNULL, Popen
from tempfile import TemporaryFile
from typing import IO, Any, Final
from weakref import finalize

from attrs import define

from rulewright.interpreter.engines.native import browser
from rulewright.interpreter.text.errors import NoNativeEngineError

TRIPLE: Final = "wasm32-unknown-emscripten"
"""The target in browsers, for which Python is also compiled."""
_FEATURES: Final = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
"""The extensions of WebAssembly that all browsers with support for Python have."""
_BITS: Final = re.compile(r" (%\w+) = bitcast <(16|32|64) x i1> (%\w+) to i\2\b")
_BITMASK: Final = "\ndeclare i32 @llvm.wasm.bitmask.v4i32(<4 x i32>)\n"
_MULTIPLY: Final = """
define hidden void @__multi3(ptr %product, i64 %a, i64 %ahigh, i64 %b, i64 %bhigh) #99 {
 %al = and i64 %a, 4294967295
 %ah = lshr i64 %a, 32
 %bl = and i64 %b, 4294967295
 %bh = lshr i64 %b, 32
 %ll = mul i64 %al, %bl
 %lh = mul i64 %al, %bh
 %hl = mul i64 %ah, %bl
 %hh = mul i64 %ah, %bh
 %carried = lshr i64 %ll, 32
 %left = add i64 %hl, %carried
 %leftlow = and i64 %left, 4294967295
 %middle = add i64 %lh, %leftlow
 %lowest = and i64 %ll, 4294967295
 %raised = shl i64 %middle, 32
 %low = or i64 %raised, %lowest
 %lefthigh = lshr i64 %left, 32
 %middlehigh = lshr i64 %middle, 32
 %h1 = add i64 %hh, %lefthigh
 %h2 = add i64 %h1, %middlehigh
 %cross1 = mul i64 %ahigh, %b
 %cross2 = mul i64 %a, %bhigh
 %h3 = add i64 %h2, %cross1
 %high = add i64 %h3, %cross2
 store i64 %low, ptr %product
 %second = getelementptr i64, ptr %product, i64 1
 store i64 %high, ptr %second
 ret void
}
attributes #99 = { optnone noinline }
"""
"""Multiplies 128-bit numbers, which WebAssembly cannot do; LLVM calls it. If this function were
optimised, it would call itself."""


def compile_module(text: str, level: int) -> bytes:
    """Compile a module to object code.

    Levels 0 and 1 only keep variables in registers; level 1 also selects instructions carefully.
    Level 2 applies LLVM's usual optimisations.
    """
    llvm = _llvm()
    return _compile(llvm, text, level, _machine(llvm, level))


def compile_for_browsers(text: str) -> bytes:
    """Compile a module to object code for browsers. The code is position-independent, like that of a library."""
    llvm = _llvm()
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(
        features=_FEATURES, opt=2, reloc="pic"
    )
    lines = f'target triple = "{TRIPLE}"\ntarget datalayout = "{machine.target_data}"\n'
    return _compile(llvm, f"{lines}{_collect_bits(text)}{_MULTIPLY}", 2, machine)


def _collect_bits(text: str) -> str:
    """Rewrite LLVM IR so that each instruction collects four bits of a long vector.

    For this target, LLVM itself takes the numbers out of the vector one by one, which makes Reversi
    twice as slow.
    """
    return _BITS.sub(_bit_mask, text) + _BITMASK


def _bit_mask(found: re.Match[str]) -> str:
    name, count, vector = found[1], int(found[2]), found[3]
    wide = f"<{count} x i32>"
    lines = [f" {name}.wide = sext <{count} x i1> {vector} to {wide}"]
    word = "0"
    for first in range(0, count, 4):
        places = ", ".join(f"i32 {place}" for place in range(first, first + 4))
        here = f"{name}.{first}"
        lines += [
            f" {here}v = shufflevector {wide} {name}.wide, {wide} poison, <4 x i32> <{places}>",
            f" {here}b = call i32 @llvm.wasm.bitmask.v4i32(<4 x i32> {here}v)",
            f" {here}z = zext i32 {here}b to i64",
            f" {here}s = shl i64 {here}z, {first}",
            f" {here}o = or i64 {word}, {here}s",
        ]
        word = f"{here}o"
    lines.append(
        f" {name} = trunc i64 {word} to i{count}" if count < 64 else f" {name} = or i64 {word}, 0"
    )
    return "\n".join(lines)


def _compile(llvm: Any, text: str, level: int, machine: Any) -> bytes:
    module = llvm.parse_assembly(text)
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    builder = llvm.create_pass_builder(machine, options)
    if level < 2:  # only keep variables in registers
        passes = llvm.create_new_function_pass_manager()
        passes.add_sroa_pass()
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)
    else:
        builder.getModulePassManager().run(module, builder)
    return bytes(machine.emit_object(module))


@define(eq=False)
class Elsewhere:
    """Object code that another process compiles with spare CPU time."""

    _process: Popen[bytes]
    _code: IO[bytes]

    @classmethod
    def begin(cls, text: str, level: int) -> Elsewhere | None:
        """Begin to compile, or return None if no other process can be started."""
        python = sys.executable or ""
        if "python" not in Path(python).name.lower() or getattr(sys, "frozen", False):
            return None
        order = (
            f"import sys; sys.path[:] = {sys.path!r}; from {__name__} import main; main({level})"
        )
        with ExitStack() as opened:
            try:
                code = opened.enter_context(TemporaryFile())
                given = opened.enter_context(TemporaryFile())
                given.write(text.encode())
                given.seek(0)
                process = Popen([python, "-c", order], stdin=given, stdout=code, stderr=DEVNULL)
            except OSError:
                return None
            opened.pop_all()
            given.close()
        found = cls(process, code)
        finalize(found, _stop, process, code, os.getpid())
        return found

    def finished_code(self, *, wait: bool = False) -> bytes | None:
        """Return the code. It is empty if the compilation has failed, and None while it is running."""
        result = self._process.wait() if wait else self._process.poll()
        if result is None:
            return None
        self._code.seek(0)
        return b"" if result else self._code.read()


def _stop(process: Popen[bytes], code: IO[bytes], owner: int) -> None:
    if os.getpid() == owner and process.poll() is None:
        process.kill()
        process.wait()
    code.close()


def main(level: int) -> None:
    """Run as the other process: read LLVM IR, and write object code."""
    if hasattr(os, "nice"):
        os.nice(10)
    sys.stdout.buffer.write(compile_module(sys.stdin.buffer.read().decode(), level))


def link(code: bytes, names: Iterable[str]) -> tuple[Any, dict[str, int]]:
    """Load object code into memory. Return the object that keeps its functions alive, and their addresses.

    Each call makes another copy, with its own global variables.
    """
    if browser.IN_BROWSER:
        return browser.link(code, names)
    llvm = _llvm()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine(llvm, 0))
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine, {name: engine.get_function_address(name) for name in names}


def with_symbols(addresses: Mapping[str, int]) -> None:
    """Let code that is linked later call functions of this process by these names."""
    llvm = _llvm()
    for name, address in addresses.items():
        llvm.add_symbol(name, address)


def _machine(llvm: Any, level: int) -> Any:
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=level,
        jit=True,
    )


def _llvm() -> Any:  # llvmlite has no types
    if sizeof(c_void_p) != 8:
        raise NoNativeEngineError("the native engine needs a machine of 64 bits")
    try:
        llvm = import_module("llvmlite.binding")
    except (ImportError, OSError):
        raise NoNativeEngineError(
            "the native engine needs llvmlite: `pip install '.[native]'` in the folder of Rulewright"
        ) from None
    if not hasattr(llvm, "create_pass_builder"):
        raise NoNativeEngineError(
            "the native engine needs a newer llvmlite: `pip install '.[native]'` in the folder of Rulewright"
        )
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm
