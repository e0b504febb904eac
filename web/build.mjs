// Builds the console: `node build.mjs OUTPUT [MODULES]`.
//
// Writes to OUTPUT: assets/ (scripts and styles with the hash of their content in the name), the page, a gzip
// and a brotli form of each, named by their content, and assets.cpp, which embeds all of them. Fails when the
// first load of the console is larger than its bar.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

import { table } from "./embed.mjs";

// Compressed bytes of what the first page loads.
const BARS = { ".js": 130_000, ".css": 12_000 };
// Requests of the first page: itself, its style and its scripts. Code that the entry shares with lazy scripts is
// a script of its own for each set of them, so that one lazy script of ours is as many as there may be.
const MOST_REQUESTS = 4;
// What some pages load later, by what they import: libraries, and the code editor, which is nearly all of others. They
// share nothing with the rest, and are bundled by themselves.
const LIBRARIES = { "@dagrejs/dagre": "@dagrejs/dagre", uplot: "uplot", "./mirror": "src/code/mirror.ts" };

const root = path.dirname(fileURLToPath(import.meta.url));
const output = path.resolve(process.argv[2] ?? path.join(root, "../build/web/dist"));
const modules = path.resolve(process.argv[3] ?? path.join(root, "node_modules"));
// What esbuild would say of a package that is not there misleads.
const { dependencies } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const missing = Object.keys(dependencies).filter((name) => !existsSync(path.join(modules, name)));
if (missing.length > 0) {
  console.error(`npm packages of the console are missing (${missing.join(", ")}): run scripts/setup`);
  process.exit(1);
}
const esbuild = createRequire(path.join(modules, "anchor.js"))("esbuild");

const types = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
};

const digest = (content) => createHash("sha256").update(content).digest("hex").slice(0, 32);

const usual = {
  absWorkingDir: root,
  outdir: "/assets",
  write: false,
  bundle: true,
  minify: true,
  metafile: true,
  format: "esm",
  target: ["chrome116", "firefox124", "safari17.4"],
  nodePaths: [modules],
  entryNames: "[name]-[hash]",
  define: { "process.env.NODE_ENV": '"production"' },
  legalComments: "none",
  logLevel: "warning",
};
const filesOf = ({ outputFiles }) => outputFiles.map((file) => [path.basename(file.path), Buffer.from(file.contents)]);

async function bundle() {
  const names = Object.keys(LIBRARIES);
  const libraries = await Promise.all(names.map((name) => esbuild.build({ ...usual, entryPoints: { [path.basename(name)]: LIBRARIES[name] } })));
  const scripts = new Map(names.map((name, index) => [name, filesOf(libraries[index])[0][0]]));
  const apart = ({ path: name }) => ({ path: `./${scripts.get(name)}`, external: true });
  const result = await esbuild.build({
    ...usual,
    entryPoints: { console: "src/main.tsx" },
    splitting: true,
    jsx: "automatic",
    chunkNames: "chunk-[hash]",
    assetNames: "[name]-[hash]",
    loader: { ".svg": "file" },
    plugins: [{ name: "libraries", setup: (build) => build.onResolve({ filter: new RegExp(`^(${names.join("|")})$`) }, apart) }],
  });
  const files = new Map([...libraries, result].flatMap(filesOf));
  return { files, outputs: result.metafile.outputs };
}

// The scripts that the entry imports at once, and the entry's style.
function firstLoad(outputs) {
  const names = Object.keys(outputs);
  const entry = names.find((name) => outputs[name].entryPoint === "src/main.tsx");
  const scripts = new Set([entry]);
  for (const script of scripts)
    for (const other of outputs[script].imports)
      if (other.kind === "import-statement" && outputs[other.path]) scripts.add(other.path);
  const style = outputs[entry].cssBundle;
  const base = (name) => path.basename(name);
  return { entry: base(entry), scripts: [...scripts].map(base), style: style && base(style) };
}

/** The icon is in the page: it is smaller than a request. */
function page(load) {
  const icon = readFileSync(path.join(root, "src/icon.svg"), "utf8").trim();
  const others = load.scripts.filter((name) => name !== load.entry);
  return readFileSync(path.join(root, "src/page.html"), "utf8")
    .replace("@icon@", `data:image/svg+xml,${encodeURIComponent(icon)}`)
    .replace("@style@", `/console/assets/${load.style}`)
    .replace("@preload@", others.map((name) => `<link rel="modulepreload" href="/console/assets/${name}">`).join("\n"))
    .replace("@script@", `/console/assets/${load.entry}`);
}

// The smallest of what is there; a form that saves less than a tenth is not worth keeping.
function compressed(content) {
  const forms = {
    gzip: gzipSync(content, { level: 9 }),
    brotli: brotliCompressSync(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGBLOCK]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
  };
  for (const name of Object.keys(forms)) if (forms[name].length > content.length * 0.9) delete forms[name];
  return forms;
}

function checkBars(load, assets) {
  const requests = 2 + load.scripts.length;
  if (requests > MOST_REQUESTS) throw new Error(`the first load has ${requests} requests: more than ${MOST_REQUESTS}`);
  for (const [extension, bar] of Object.entries(BARS)) {
    const names = [...load.scripts, load.style].filter((name) => name?.endsWith(extension));
    const size = names
      .map((name) => assets.find((asset) => asset.path === `/console/assets/${name}`))
      .reduce((sum, asset) => sum + (asset.brotli ?? asset.identity).length, 0);
    console.log(`first load, ${extension.slice(1)}: ${size} of ${bar} bytes in ${names.length} files`);
    if (size > bar) throw new Error(`the first load has ${size} bytes of ${extension}: more than ${bar}`);
  }
}

const { files, outputs } = await bundle();
const load = firstLoad(outputs);
// The entry's style has those of the lazy scripts, too.
for (const name of files.keys()) if (name.endsWith(".css") && name !== load.style) files.delete(name);

const assets = [...files].map(([name, content]) => ({
  path: `/console/assets/${name}`,
  immutable: true,
  type: types[path.extname(name)],
  identity: content,
  ...compressed(content),
}));
const html = Buffer.from(page(load));
assets.push({ path: "/console", immutable: false, type: types[".html"], identity: html, ...compressed(html) });
checkBars(load, assets);

rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
for (const asset of assets) {
  asset.etag = digest(asset.identity);
  for (const form of ["identity", "gzip", "brotli"]) {
    if (!asset[form]) continue;
    const file = path.join(output, `${digest(asset[form])}.bin`);
    if (!existsSync(file)) writeFileSync(file, asset[form]);
    asset[form] = { file, size: asset[form].length };
  }
}
writeFileSync(path.join(output, "manifest.json"), JSON.stringify(assets, null, 1));
writeFileSync(path.join(output, "assets.cpp"), table(assets));
