"""The only module that knows llvmlite: LLVM IR in, addresses of functions out."""

from __future__ import annotations

from collections.abc import Iterable
from ctypes import c_void_p, sizeof
from importlib import import_module
from typing import Any

from rulewright.interpreter.wording.errors import NoNativeEngineError


def compiled(text: str, level: int) -> bytes:
    """The object code of a module.

    With level 0 as fast as can be, with 1 so that variables are held in registers, with 2 as well as
    LLVM usually does."""
    llvm = _llvm()
    module = llvm.parse_assembly(text)
    module.verify()
    machine = _machine(llvm, level)
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    builder = llvm.create_pass_builder(machine, options)
    if level == 1:
        passes = llvm.create_new_function_pass_manager()
        passes.add_sroa_pass()
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)
    else:
        builder.getModulePassManager().run(module, builder)
    return bytes(machine.emit_object(module))


def linked(code: bytes, names: Iterable[str]) -> tuple[Any, dict[str, int]]:
    """Bring object code into memory: what keeps its functions alive, and their addresses.

    Each time it is another copy, with global variables of its own."""
    llvm = _llvm()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine(llvm, 0))
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine, {name: engine.get_function_address(name) for name in names}


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
            "the native engine needs llvmlite: install `rulewright[native]`"
        ) from None
    if not hasattr(llvm, "create_pass_builder"):
        raise NoNativeEngineError(
            "the native engine needs a newer llvmlite: install `rulewright[native]`"
        )
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm
