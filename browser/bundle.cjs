// Bundles what the playground uses of CodeMirror into one module, at the path that is given.
require("esbuild").buildSync({
  entryPoints: [`${__dirname}/editor.mjs`],
  bundle: true,
  format: "esm",
  minify: true,
  legalComments: "none",
  outfile: process.argv[2],
});
