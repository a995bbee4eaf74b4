import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { PACKAGE_ASSETS } from "./src/core/asset.ts";

// Writes the executable to dist/ and prints its path: `bun run build` for this machine, `bun run build --target windows-x64`
// for another one.

/** Packages of the npm registry that hold Bun for each target. */
const TARGET_PACKAGES: Readonly<Record<string, string>> = {
  "windows-x64": "@oven/bun-windows-x64",
  "windows-arm64": "@oven/bun-windows-aarch64",
  "darwin-arm64": "@oven/bun-darwin-aarch64",
  "darwin-x64": "@oven/bun-darwin-x64",
  "linux-arm64": "@oven/bun-linux-aarch64",
  "linux-x64-musl": "@oven/bun-linux-x64-musl",
};

const root = import.meta.dir;
const dist = join(root, "dist");

const { target } = parseArgs({ options: { target: { type: "string" } } }).values;
if (target !== undefined && !Object.hasOwn(TARGET_PACKAGES, target)) {
  const targets = Object.keys(TARGET_PACKAGES).join(", ");
  console.error(`Unknown target "${target}": choose ${targets}, or leave it out to build for this machine.`);
  process.exit(2);
}
const extension = target?.startsWith("windows") ? ".exe" : "";
const name = target === undefined ? "printwright" : `printwright-${target}${extension}`;

// The build runs in a folder of its own and ends with a rename, so that nobody ever starts half an executable.
mkdirSync(dist, { recursive: true });
const staging = mkdtempSync(join(dist, "build-"));
try {
  compile(join(staging, name), gatherAssets(staging), target);
  renameSync(join(staging, name), join(dist, name));
} finally {
  rmSync(staging, { recursive: true });
}
console.log(join(dist, name));

/** Copies the files that the executable reads at run time into `folder/assets` and returns that path. */
function gatherAssets(folder: string): string {
  const assets = join(folder, "assets");
  mkdirSync(assets);
  for (const [asset, source] of Object.entries(PACKAGE_ASSETS))
    copyFileSync(join(root, "node_modules", source), join(assets, asset));
  return assets;
}

/**
 * Compiles the sources into one executable, in pieces, so that a thread holds only the kernels that it has run. Bytecode needs
 * the ESM format, or the path of this build is baked in. Without the two `no-` options the executable would read `.env` and run
 * the preloads of `bunfig.toml` in the folder it is started in.
 */
function compile(output: string, assets: string, target: string | undefined): void {
  const crossBuild =
    target === undefined ? [] : ["--compile-executable-path", fetchBun(target), "--target", `bun-${target}`];
  bun([
    "build",
    "--compile",
    ...crossBuild,
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
  ]);
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
