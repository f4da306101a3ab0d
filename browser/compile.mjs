// Compiles the modules of a zip with Python for browsers: compile.mjs RUNTIME FROM TO.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [runtime, from, to] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: `${runtime}/` });
python.globals.set("sources", new Uint8Array(readFileSync(from)));
const found = python.runPython(`
import importlib.util, io, marshal, zipfile

def short(code):
    """Code without the table of its lines, which is as large as the rest: a traceback then names functions only."""
    inside = [short(each) if isinstance(each, type(code)) else each for each in code.co_consts]
    return code.replace(co_linetable=b"", co_consts=tuple(inside))

packed = io.BytesIO()
with zipfile.ZipFile(io.BytesIO(sources.to_py())) as old, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new:
    for name in old.namelist():
        data = old.read(name)
        if name.endswith(".py"):
            code = compile(data, f"/lib/rulewright/{name}", "exec", dont_inherit=True)
            data, name = importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(short(code)), f"{name}c"
        info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        info.compress_type = zipfile.ZIP_DEFLATED
        new.writestr(info, data)
packed.getvalue()
`);
writeFileSync(to, found.toJs());
