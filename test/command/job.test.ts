import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { modelBody } from "../fixture/check-request.ts";
import { runCommand } from "../fixture/command.ts";
import { jobOfBodies } from "../fixture/job/job-of-bodies.ts";
import { readCtb } from "../fixture/job/read-ctb.ts";
import { readGoo } from "../fixture/job/read-goo.ts";
import { longTest, sampledTests } from "../fixture/long.ts";
import { box } from "../fixture/shapes.ts";
import { evenly, meshOf } from "../fixture/slices.ts";

const folder = mkdtempSync(join(tmpdir(), "printwright-job-command-"));
after(() => rmSync(folder, { recursive: true }));

const path = (name: string): string => join(folder, name);
const job = (...args: string[]) => runCommand(["job", ...args], folder);

/** A slab with a cube above it in the air; on the pixels of an Elegoo Mars 4 DLP. */
before(() => {
  const pixelMm = 132.8 / 2560;
  const grid = { pixels: [300, 200], pixelMm: [pixelMm, pixelMm], mirrorX: true, portrait: false } as const;
  const slab = modelBody(0, meshOf(box([8, 5, 1]))).placed;
  const cube = modelBody(1, meshOf(box([2, 2, 1])), [1, 1, 1.5]).placed;
  writeFileSync(path("slab.ctb"), jobOfBodies([slab], evenly(10, 0.1), grid));
  writeFileSync(path("cube.ctb"), jobOfBodies([slab, cube], evenly(25, 0.1), grid));
  mkdirSync(path("pictures"));
});

test("job info prints the properties of a job", async () => {
  const { status, stdout, stderr } = await job("info", "slab.ctb");
  assert.equal(status, 0, stderr);
  for (const line of [
    /^format +Chitubox CTB, version 3$/m,
    /^machine types +ELEGOO-S4U-12K$/m,
    /^pixels +300 × 200, 51\.9 × 51\.9 µm$/m,
    /^layers +10 of 0\.1 mm$/m,
    /^lift +7 mm at 120 mm\/min$/m,
    /^resin +12\.8 ml as stated$/m,
  ])
    assert.match(stdout, line);
  const measured = JSON.parse((await job("info", "slab.ctb", "--measure", "--json")).stdout);
  assert.ok(Math.abs(measured.computed.material_ml - 0.04) < 0.001);
});

test("job check lists findings and fails if there are any", async () => {
  const good = await job("check", "slab.ctb");
  assert.deepEqual([good.status, good.stdout], [0, "Nothing was found that would spoil the print.\n"], good.stderr);
  const bad = await job("check", "cube.ctb");
  assert.equal(bad.status, 1);
  assert.match(
    bad.stdout,
    /^islands: 1\n {2}layer 15: x \S+, y \S+, z 1\.5 mm, 4\.\d+ mm²\ndark layers below others: 5\n/,
  );
  const { finding_count } = JSON.parse((await job("check", "cube.ctb", "--json")).stdout);
  assert.equal(finding_count, 6);
});

longTest("job layers writes pictures of one layer or several", async () => {
  const several = await job("layers", "cube.ctb", "--from", "3", "--to", "5", "-o", "pictures/", "-q");
  assert.equal(several.status, 0, several.stderr);
  assert.deepEqual(readdirSync(path("pictures")).sort(), ["cube-00003.png", "cube-00004.png", "cube-00005.png"]);
  assert.equal((await job("layers", "cube.ctb", "--layer", "16", "-o", "one.png")).status, 0);
  assert.ok(existsSync(path("one.png")));
});

test("job convert writes the job of another printer, or other exposures", async () => {
  const { status, stdout, stderr } = await job("convert", "slab.ctb", "--printer", "Mars 4 DLP", "-o", "slab.goo");
  assert.equal(status, 0, stderr);
  assert.equal(stdout, "slab.goo: 10 layers for ELEGOO-M4D, pixel by pixel\n");
  assert.equal(readGoo(readFileSync(path("slab.goo"))).layers.length, 10);
});

longTest("job convert changes exposures of a job, for its own printer or another", async () => {
  const changed = await job(
    "convert",
    "slab.ctb",
    "--exposure",
    "4",
    "--bottom-layers",
    "1",
    "-o",
    "slower.ctb",
    "--json",
  );
  assert.equal(changed.status, 0, changed.stderr);
  assert.equal(readCtb(readFileSync(path("slower.ctb"))).header.bottomLayers, 1);
  const named = await job("convert", "slab.ctb", "--printer", "ELEGOO-MC", "--exposure", "4", "-o", "slower.ctb");
  assert.equal(named.status, 0, named.stderr);
  assert.equal(readCtb(readFileSync(path("slower.ctb"))).header.exposureS, 4);
});

longTest("job compare names differences and fails if there are any", async () => {
  const same = await job("compare", "slab.ctb", "slab.ctb");
  assert.deepEqual([same.status, same.stdout], [0, "The pixels of 10 layers are equal.\n"], same.stderr);
  const other = await job("compare", "slab.ctb", "cube.ctb");
  assert.equal(other.status, 1);
  assert.match(other.stdout, /^layer_count +10 +25$/m);
});

for (const [[words, message], testOne] of sampledTests(
  [
    [["slab.ctb"], /say what to do with the job/],
    [["info", "slab.ctb", "--raw"], /--raw is no option of printwright job info/],
    [["info"], /takes one file, not 0/],
    [["compare", "slab.ctb"], /takes two files, not 1/],
    [["convert", "slab.ctb"], /name the job to write with -o/],
    [["layers", "slab.ctb", "-o", "x.jpg"], /no \.png file/],
    [["layers", "slab.ctb", "--layer", "1", "--to", "2", "-o", "x.png"], /leave --from and --to out/],
    [["convert", "slab.ctb", "--exposure", "long", "-o", "x.ctb"], /--exposure must be a number/],
  ] as const,
  2,
)) {
  testOne(`job ${words.join(" ")} is refused before anything is begun`, async () => {
    const { status, stderr } = await job(...words);
    assert.equal(status, 2, stderr);
    assert.match(stderr, message);
  });
}
