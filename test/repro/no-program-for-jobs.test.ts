import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { longTest } from "../fixture/long.ts";
import { runCommand } from "../fixture/command.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

// `slice` for a printer with encrypted files was refused after parts were oriented and supported, and `job convert` said that the
// printer takes files which it does not take.

const part = temporaryFiles()("part.stl", binaryStl(box([4, 4, 1])));
const folder = dirname(part);

test("slice is refused before its first step where no program makes the jobs of the printer", async () => {
  const { status, stderr } = await runCommand(
    ["slice", part, "--printer", "Saturn 8K", "--support", "-o", "part.ctb"],
    folder,
  );
  assert.equal(status, 2);
  assert.match(stderr, /takes \.ctb files that this program does not write.*--job-converter "ctb=COMMAND/);
  assert.doesNotMatch(stderr, /scene\/create/);
});

test("its other results are written, and its steps are printed", async () => {
  const slice = ["slice", part, "--printer", "Saturn 8K"];
  assert.equal((await runCommand([...slice, "-o", "part.3mf"], folder)).status, 0);
  const { status, stdout } = await runCommand([...slice, "-o", "part.ctb", "--print-steps"], folder);
  assert.deepEqual([status, JSON.parse(stdout).length > 2], [0, true]);
});

longTest("a job is converted to the file of which the program makes the printer's", async () => {
  const sliced = await runCommand(["slice", part, "--printer", "Mars 5", "-o", "part.goo"], folder);
  assert.equal(sliced.status, 0, sliced.stderr);
  const convert = ["job", "convert", "part.goo", "--printer", "Saturn 8K", "-o"];
  const refused = await runCommand([...convert, "part.ctb"], folder);
  assert.match(refused.stderr, /takes \.ctb files that a program of yours makes of \.sl1 files/);
  const { status, stdout } = await runCommand([...convert, "./"], folder);
  assert.equal(status, 0);
  assert.match(stdout, /part\.sl1: 20 layers for ELEGOO-S8K/);
  assert.ok(existsSync(join(folder, "part.sl1")));
});
