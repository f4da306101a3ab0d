"""The only module that knows llvmlite: LLVM IR in, addresses of functions out."""

from __future__ import annotations

from collections.abc import Iterable
from ctypes import c_void_p, sizeof
from importlib import import_module
from typing import Any

from rulewright.interpreter.wording.errors import NoNativeEngineError


def compiled(text: str, names: Iterable[str], level: int) -> tuple[Any, dict[str, int]]:
    """Compile a module; what keeps its functions alive, and their addresses.

    With level 0 as fast as can be, with 1 so that variables are held in registers, with 2 as well as
    LLVM usually does."""
    llvm = _llvm()
    module = llvm.parse_assembly(text)
    module.verify()
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=level,
        jit=True,
    )
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
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return engine, {name: engine.get_function_address(name) for name in names}


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
