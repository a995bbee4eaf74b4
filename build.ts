import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { openApi } from "./src/api/openapi.ts";
import { ENDPOINTS } from "./src/feature/endpoints.ts";
import { PACKAGE_ASSETS } from "./src/core/asset.ts";
import { endpointForms } from "./src/page/action/endpoint-forms.ts";

// Writes the executable to dist/ and prints its path: `bun run build` for this machine, `bun run build --target windows-x64`
// for another one. Beside it, `.sources.json` lists the files of npm packages whose code is in it, as paths in node_modules. `--page` builds
// only the page of browsers, into dist/page/, for a server that runs from the sources.

/** Packages of the npm registry that hold Bun for each target. */
const TARGET_PACKAGES: Readonly<Record<string, string>> = {
  "windows-x64": "@oven/bun-windows-x64",
  "windows-arm64": "@oven/bun-windows-aarch64",
  "darwin-arm64": "@oven/bun-darwin-aarch64",
  "darwin-x64": "@oven/bun-darwin-x64",
  "linux-arm64": "@oven/bun-linux-aarch64",
  "linux-x64": "@oven/bun-linux-x64",
  "linux-x64-musl": "@oven/bun-linux-x64-musl",
};

/**
 * The answering thread, which computes nothing heavy, compiles its functions later than by default by this factor. So no function of
 * the start is compiled, which saves 4 MiB for compilers and their output. Worker threads compile as usual.
 */
const JIT_POLICY = "10";

const root = import.meta.dir;
const dist = join(root, "dist");

const { target, page } = parseArgs({ options: { target: { type: "string" }, page: { type: "boolean" } } }).values;
if (target !== undefined && !Object.hasOwn(TARGET_PACKAGES, target)) {
  const targets = Object.keys(TARGET_PACKAGES).join(", ");
  console.error(`Unknown target "${target}": choose ${targets}, or leave it out to build for this machine.`);
  process.exit(2);
}
if (page) {
  mkdirSync(join(dist, "page"), { recursive: true });
  await buildPage(join(dist, "page"));
  process.exit(0);
}
const extension = target?.startsWith("windows") ? ".exe" : "";
const name = target === undefined ? "printwright" : `printwright-${target}${extension}`;

// The build runs in a separate folder and ends with a rename, so that an incomplete executable is never started.
mkdirSync(dist, { recursive: true });
const staging = mkdtempSync(join(dist, "build-"));
try {
  const { assets, pageSources } = await gatherAssets(staging);
  const [first, order, metafile] = ["first", "order", "metafile"].map((file) => join(staging, file));
  compile(first, assets, []);
  await recordStart(first, order);
  compile(join(staging, name), assets, [...orderedBy(order), ...crossBuild(target), `--metafile=${metafile}`]);
  const sources = new Set([...pageSources, ...packageSources(JSON.parse(readFileSync(metafile, "utf8")))]);
  writeFileSync(join(dist, `${name}.sources.json`), JSON.stringify([...sources].sort(), null, 1));
  renameSync(join(staging, name), join(dist, name));
} finally {
  rmSync(staging, { recursive: true });
}
console.log(join(dist, name));

/** Puts the files that the executable reads at run time into `folder/assets`; returns that path, and the package sources of the page. */
async function gatherAssets(folder: string): Promise<{ assets: string; pageSources: readonly string[] }> {
  const assets = join(folder, "assets");
  mkdirSync(assets);
  const pageSources = await buildPage(assets);
  for (const [asset, source] of Object.entries(PACKAGE_ASSETS))
    copyFileSync(join(root, "node_modules", source), join(assets, asset));
  return { assets, pageSources };
}

/** The files of packages whose code is in a bundle, as paths in `node_modules`. */
function packageSources({ outputs }: Pick<Bun.BuildMetafile, "outputs">): string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs.flatMap(([path, { bytesInOutput }]) =>
    bytesInOutput > 0 ? (/(?<=node_modules\/).*/.exec(path) ?? []) : [],
  );
}

/**
 * Writes the page of browsers into `folder`: `page.html`, and `page.js` and `page.css` only in compressed form. Returns the package sources
 * of its script.
 */
async function buildPage(folder: string): Promise<string[]> {
  copyFileSync(join(root, "src/page/index.html"), join(folder, "page.html"));
  const { metafile } = await Bun.build({
    entrypoints: [join(root, "src/page/main.tsx"), join(root, "src/page/page.css")],
    target: "browser",
    minify: true,
    metafile: true,
    define: {
      "process.env.NODE_ENV": '"production"',
      PAGE_ENDPOINTS: JSON.stringify(endpointForms(openApi(ENDPOINTS))),
    },
    outdir: folder,
    naming: "page.[ext]",
  });
  for (const name of ["page.js", "page.css"]) {
    const bytes = readFileSync(join(folder, name));
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
    rmSync(join(folder, name));
  }
  return packageSources(metafile ?? { outputs: {} });
}

/** Writes to `order` which functions the start of the server and a first request run, and in which order. */
async function recordStart(executable: string, order: string): Promise<void> {
  const env = { ...process.env, BUN_BYTECODE_ORDER_OUT: order };
  const server = Bun.spawn([executable, "--port", "0"], { env, stdout: "pipe", stderr: "inherit" });
  let printed = "";
  for await (const text of server.stdout.pipeThrough(new TextDecoderStream())) {
    printed += text;
    if (printed.includes("READY FOR INPUT")) break;
  }
  await fetch(`${printed.split("\n")[0]}/v1/scene/list/`);
  server.kill("SIGTERM");
  await server.exited;
}

/** Places the functions of the start together, so that 2 MiB less of the executable are in memory. On Windows there is no record. */
function orderedBy(order: string): string[] {
  return existsSync(order) ? ["--bytecode-order", order] : [];
}

/**
 * Compiles the sources into one executable, in pieces, so that a thread holds only the kernels that it has run. Bytecode needs
 * the ESM format, or the path of this build is baked in. Without the two `no-` options the executable would read `.env` and run
 * the preloads of `bunfig.toml` in the folder it is started in.
 */
function compile(output: string, assets: string, options: readonly string[]): void {
  bun([
    "build",
    "--compile",
    ...options,
    "--compile-jit-policy",
    JIT_POLICY,
    "--minify",
    "--splitting",
    // CommonJS libraries would carry the folders of this build into the executable.
    "--define",
    '__dirname=""',
    "--define",
    '__filename=""',
    "--bytecode",
    "--format=esm",
    "--no-compile-autoload-dotenv",
    "--no-compile-autoload-bunfig",
    "--asset",
    assets,
    "--outfile",
    output,
    join(root, "src/main.ts"),
    join(root, "src/worker.ts"),
    join(root, "src/medium-worker.ts"),
  ]);
}

function crossBuild(target: string | undefined): string[] {
  return target === undefined ? [] : ["--compile-executable-path", fetchBun(target), "--target", `bun-${target}`];
}

/** Path of the Bun executable of another target, fetched once from the npm registry. */
function fetchBun(target: string): string {
  const name = TARGET_PACKAGES[target];
  const folder = join(dist, "bun", target);
  const executable = join(folder, "node_modules", name, "bin", target.startsWith("windows") ? "bun.exe" : "bun");
  if (existsSync(executable)) return executable;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}");
  bun(["add", "--cwd", folder, "--os=*", "--cpu=*", "--exact", `${name}@${Bun.version}`]);
  return executable;
}

function bun(args: readonly string[]): void {
  const { exitCode } = Bun.spawnSync([process.execPath, ...args], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (exitCode !== 0) throw new Error(`bun ${args[0]} ended with status ${exitCode}`);
}
