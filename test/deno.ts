import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

// `bun run test:deno` runs the tests under Deno, over the sources instead of the compiled executable.

/**
 * Left out: pure arithmetic and tests that take long, because these run alike under every runtime. Every module keeps some tests,
 * its own or over HTTP, and so does all code that uses files, threads, sockets or WebAssembly. Packages are built by Bun alone, as the
 * executable in them.
 */
const LEFT_OUT = [
  "test/architecture.test.ts",
  "test/browser",
  "test/check",
  "test/format/damaged-files.test.ts",
  "test/http/all-or-nothing.test.ts",
  "test/http/cages.test.ts",
  "test/http/dental-hollow.test.ts",
  "test/http/hold.test.ts",
  "test/http/hollow.test.ts",
  "test/http/interferences.test.ts",
  "test/http/label.test.ts",
  "test/http/models.test.ts",
  "test/http/placement.test.ts",
  "test/http/print-time.test.ts",
  "test/http/supportedness.test.ts",
  "test/http/supports.test.ts",
  "test/http/thin-features.test.ts",
  "test/layout",
  "test/mesh/bvh",
  "test/mesh/outline.test.ts",
  "test/mesh/voxel",
  "test/orient",
  "test/package",
  "test/render/corner-normals.test.ts",
  "test/render/draw.test.ts",
  "test/repair",
  "test/repro/dental-base-self-intersection.test.ts",
  "test/repro/layout-of-a-full-platform.test.ts",
  "test/repro/repair-in-time.test.ts",
  "test/repro/split-of-hollowed-models.test.ts",
  "test/repro/supports-below-platform.test.ts",
  "test/repro/supports-in-bounds.test.ts",
  "test/slice/defects.test.ts",
  "test/slice/oracle.test.ts",
  "test/slice/overhang/overhang-distance.test.ts",
  "test/slice/print-time.test.ts",
  "test/slice/rasterise-chunk.test.ts",
  "test/slice/union.test.ts",
  "test/slice/volume.test.ts",
  "test/solid",
  "test/support",
];

const root = join(import.meta.dirname, "..");
const deno = join(root, "node_modules/.bin", process.platform === "win32" ? "deno.exe" : "deno");
const missing = LEFT_OUT.filter((path) => !existsSync(join(root, path)));
if (missing.length > 0) throw new Error(`LEFT_OUT names files that do not exist: ${missing.join(", ")}`);
// Servers that run from the sources need the page in `dist/page`.
spawnSync(process.execPath, ["build.ts", "--page"], { cwd: root, stdio: "inherit" });
const { status, error } = spawnSync(
  deno,
  ["test", "-A", "--no-check", "--parallel", `--ignore=${LEFT_OUT.join(",")}`, "test"],
  { cwd: root, env: { ...process.env, NO_COLOR: "1", DENO_JOBS: "2" }, stdio: "inherit" },
);
if (error) console.error(`Deno does not start (${error.message}): install the packages first.`);
process.exitCode = status ?? 1;
