import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { PACKAGE_ASSETS } from "./src/core/asset.ts";

// Writes the executable to dist/: `bun run build` for this machine, `bun run build --target windows-x64` for another.

/** Where Bun for each target comes from on the npm registry. */
const TARGET_PACKAGES = {
  "windows-x64": "@oven/bun-windows-x64",
  "windows-arm64": "@oven/bun-windows-aarch64",
  "darwin-arm64": "@oven/bun-darwin-aarch64",
  "darwin-x64": "@oven/bun-darwin-x64",
  "linux-arm64": "@oven/bun-linux-aarch64",
  "linux-x64-musl": "@oven/bun-linux-x64-musl",
} as const;

type Target = keyof typeof TARGET_PACKAGES;

const root = import.meta.dir;
const dist = join(root, "dist");

/** Everything the executable reads at run time, gathered in a folder named `assets` within `workshop`. */
function gatherAssets(workshop: string): string {
  const folder = join(workshop, "assets");
  mkdirSync(folder);
  for (const [name, source] of Object.entries(PACKAGE_ASSETS))
    copyFileSync(join(root, "node_modules", source), join(folder, name));
  return folder;
}

/** The Bun of another target, fetched once from the npm registry. */
function fetchBun(target: Target): string {
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

/**
 * Bytecode needs the ESM format, or the build's own path is baked in. Without the two `no-` options the executable would
 * read `.env` and run the preloads of a `bunfig.toml` in whatever folder it is started in.
 */
function build(target: Target | undefined): string {
  const suffix = target === undefined ? "" : `-${target}${target.startsWith("windows") ? ".exe" : ""}`;
  const name = `printwright${suffix}`;
  const crossBuild =
    target === undefined ? [] : ["--compile-executable-path", fetchBun(target), "--target", `bun-${target}`];
  // Built aside and moved: whoever starts it, or builds it at the same time, finds it whole.
  mkdirSync(dist, { recursive: true });
  const workshop = mkdtempSync(join(dist, "build-"));
  try {
    bun([
      "build",
      "--compile",
      ...crossBuild,
      "--minify",
      // A library of the CommonJS kind would carry the folders of this build into the executable.
      "--define",
      '__dirname=""',
      "--define",
      '__filename=""',
      "--bytecode",
      "--format=esm",
      "--no-compile-autoload-dotenv",
      "--no-compile-autoload-bunfig",
      "--asset",
      gatherAssets(workshop),
      "--outfile",
      join(workshop, name),
      join(root, "src/main.ts"),
      join(root, "src/worker.ts"),
    ]);
    renameSync(join(workshop, name), join(dist, name));
  } finally {
    rmSync(workshop, { recursive: true });
  }
  return join(dist, name);
}

const { target } = parseArgs({ options: { target: { type: "string" } } }).values;
if (target !== undefined && !Object.hasOwn(TARGET_PACKAGES, target)) {
  console.error(
    `Unknown target "${target}": choose ${Object.keys(TARGET_PACKAGES).join(", ")}, or none for this machine.`,
  );
  process.exit(2);
}
console.log(build(target as Target | undefined));
