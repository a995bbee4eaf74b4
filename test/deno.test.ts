import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { isDeno } from "./fixture/printwright.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const deno = join(root, "node_modules/.bin", process.platform === "win32" ? "deno.exe" : "deno");

/**
 * This file, and what is arithmetic alone or takes long: it reads the same under every runtime. Of every room some tests
 * stay, over HTTP where all of its own are left out, and so does all that has to do with files, threads, sockets and WASM.
 */
const LEFT_OUT = [
  "test/deno.test.ts",
  "test/check",
  "test/format/mutated-files.test.ts",
  "test/http/all-or-nothing.test.ts",
  "test/http/dental-hollow.test.ts",
  "test/http/hollow.test.ts",
  "test/http/interferences.test.ts",
  "test/http/label.test.ts",
  "test/http/models.test.ts",
  "test/http/placement.test.ts",
  "test/http/print-time.test.ts",
  "test/http/supportedness.test.ts",
  "test/http/supports.test.ts",
  "test/http/thin-features.test.ts",
  "test/mesh/bvh",
  "test/mesh/outline-of.test.ts",
  "test/mesh/repair",
  "test/mesh/repair.test.ts",
  "test/mesh/slabs.test.ts",
  "test/mesh/voxel",
  "test/orient",
  "test/place/layout",
  "test/render/corner-normals.test.ts",
  "test/render/draw.test.ts",
  "test/repro/dental-base-passes-through-itself.test.ts",
  "test/repro/layout-of-a-full-platform.test.ts",
  "test/repro/print-progress.test.ts",
  "test/repro/repair-in-time.test.ts",
  "test/repro/second-repair-changes-nothing.test.ts",
  "test/repro/split-of-a-hollow.test.ts",
  "test/repro/step-part-lost.test.ts",
  "test/repro/supports-in-bounds.test.ts",
  "test/repro/supports-through-the-platform.test.ts",
  "test/slice/chunks.test.ts",
  "test/slice/defects.test.ts",
  "test/slice/oracle.test.ts",
  "test/slice/time",
  "test/slice/union.test.ts",
  "test/slice/volume.test.ts",
  "test/solid",
  "test/support",
];

const skip = isDeno ? "this is Deno" : !existsSync(deno) && "needs Deno among the packages";

test("the suite passes under Deno too", { skip }, async () => {
  const args = ["test", "-A", "--no-check", "--parallel", `--ignore=${LEFT_OUT.join(",")}`, "test"];
  const env = { ...process.env, NO_COLOR: "1", DENO_JOBS: "2" };
  const child = spawn(deno, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [status, output, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  assert.equal(status, 0, `${output.slice(Math.max(0, output.indexOf(" ERRORS ")))}\n${errors}`);
  assert.match(output, /\d{3,} passed/);
});
