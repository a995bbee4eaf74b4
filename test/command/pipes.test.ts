import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { runCommand, startCommand } from "../fixture/command.ts";
import { readSl1 } from "../fixture/job/read-sl1.ts";
import { randomFrom } from "../fixture/random.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { perforated } from "../fixture/surface-edits.ts";
import { longTest } from "../fixture/long.ts";

const folder = mkdtempSync(join(tmpdir(), "printwright-pipes-"));
after(() => rmSync(folder, { recursive: true }));

const path = (name: string): string => join(folder, name);
const command = (...args: string[]) => runCommand(args, folder);
const PLATE = binaryStl(box([8, 5, 1]));
const SL1S = ["--printer", "SL1S", "--layer", "0.1"];

before(() => {
  mkdirSync(path("jobs"));
  writeFileSync(path("plate.stl"), PLATE);
  writeFileSync(path("rod.stl"), binaryStl(box([2, 2, 3])));
  writeFileSync(path("open.stl"), binaryStl(perforated(box([8, 5, 1]), 1, randomFrom(1))));
  writeFileSync(path("jobs/plate.stl"), PLATE);
});

/** Runs a command with bytes on its standard input and standard output. */
async function piped(input: Uint8Array, ...args: string[]) {
  const child = startCommand(args, folder);
  child.stdin!.end(input);
  const [stdout, stderr, [status]] = await Promise.all([
    buffer(child.stdout!),
    text(child.stderr!),
    once(child, "exit"),
  ]);
  return { status, stdout, stderr };
}

test("a part is read from a pipe and its job is written to one, complete, as with files", async () => {
  const { status, stdout, stderr } = await piped(PLATE, "slice", "-", "--format", "stl", ...SL1S);
  assert.equal(status, 0, stderr);
  assert.equal(readSl1(stdout).layers.length, 10);
  assert.match(stderr, /^standard output: 1 part for .*SL1S/m);
  const model = await piped(PLATE, "slice", "-", "--format", "stl", ...SL1S, "--output-format", "obj", "-o", "-", "-q");
  assert.equal(model.status, 0, model.stderr);
  assert.match(model.stdout.toString(), /^v /m);
  const result = await piped(PLATE, "slice", "plate.stl", ...SL1S, "-o", "-", "--format", "obj");
  assert.equal(result.stdout.toString(), model.stdout.toString().replace("o part", "o plate"));
});

test("failures and invalid arguments send nothing through the pipe", async () => {
  const wrong: [args: string[], status: number, why: RegExp][] = [
    [["slice", "-", ...SL1S], 2, /format of the part from standard input with --format/],
    [["slice", "-", "-", "--format", "stl", ...SL1S], 2, /give it once/],
    [["slice", "plate.stl", ...SL1S, "-o", "-", "--json"], 2, /--json prints on standard output/],
    [["slice", "-", "--format", "stl/../x", ...SL1S], 2, /is no format/],
    [["slice", "-", "--format", "stl", "--printer", "SL1S", "--scale", "x"], 2, /--scale must be a number/],
    [["slice", "open.stl", ...SL1S, "-o", "-"], 1, /is not closed|open edge/],
    [["slice", "-", "--format", "obj", ...SL1S, "-o", "-"], 1, /Cannot read standard input: /],
    [["info", "-", "--format", "obj", "--json"], 1, /Cannot read standard input: /],
    [["render", "-", "--format", "xyz", "-o", "-"], 2, /INPUT_ERROR: standard input has the extension \.xyz/],
  ];
  for (const [args, expected, why] of wrong) {
    const { status, stdout, stderr } = await piped(PLATE, ...args);
    assert.equal(status, expected, `${args.join(" ")}: ${stderr}`);
    assert.match(stderr, why);
    assert.doesNotMatch(stderr + stdout, /printwright-command/, "no path of the files in place of the pipes");
    if (!args.includes("--json")) assert.equal(stdout.length, 0);
  }
  assert.deepEqual(
    readdirSync(tmpdir()).filter((name) => /^printwright-command-[0-9a-f]{4}-\d+-/.test(name)),
    [],
  );
});

test("the command reports that it writes a picture to standard output", async () => {
  const { status, stdout, stderr } = await piped(
    PLATE,
    "render",
    "-",
    "--format",
    "stl",
    "-o",
    "-",
    "--size",
    "32",
    "-q",
  );
  assert.deepEqual([status, stderr], [0, "standard output\n"]);
  assert.equal(stdout.subarray(1, 4).toString(), "PNG");
});

longTest(
  "--each writes one result for each part into a folder; a part that fails does not stop the others",
  async () => {
    const words = ["slice", "plate.stl", "open.stl", "rod.stl", "--each", ...SL1S, "-o", "jobs/", "-q"];
    const { status, stdout, stderr } = await command(...words);
    assert.equal(status, 1, stderr);
    assert.match(stdout, /^jobs\/plate\.sl1s: 1 part[^]*^jobs\/rod\.sl1s: 1 part/m);
    assert.match(stderr, /^open\.stl 2\/4 scene\/model\/import.*OPERATION_FAILED/m);
    assert.doesNotMatch(stderr, / s$/m, "no times with -q");
    const layers = (name: string): number => readSl1(readFileSync(path(`jobs/${name}.sl1s`))).layers.length;
    assert.deepEqual([layers("plate"), layers("rod")], [10, 30]);
    const json = await command(...words, "--json");
    const lines = json.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ files, part, error }) => files?.[0] ?? [part, error.code]),
      ["jobs/plate.sl1s", ["open.stl", "OPERATION_FAILED"], "jobs/rod.sl1s"],
    );
    for (const [args, why] of [
      [["plate.stl", "rod.stl", "-o", "one.sl1s"], /name a folder with -o/],
      [["plate.stl", "jobs/plate.stl", "-o", "jobs/"], /file of another part of that name/],
      [["plate.stl", "rod.stl", "-o", "none/"], /no folder .*none/],
    ] as const) {
      const refused = await command("slice", "--each", ...SL1S, ...args);
      assert.equal(refused.status, 2, refused.stderr);
      assert.match(refused.stderr, why);
    }
  },
);

longTest("info describes the content of files, also of models that are not closed", async () => {
  const { status, stdout, stderr } = await command("info", "plate.stl", "open.stl");
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^plate +8 × 5 × 1 +0\.04000 +12 +mm +1 +none$/m);
  assert.match(stdout, /^open .*open edges: 3$/m);
  const inches = await command("info", "plate.stl", "--units", "inch", "--json");
  const [{ dimensions_mm, volume_mm3, triangle_count }] = JSON.parse(inches.stdout).models;
  assert.ok(Math.abs(dimensions_mm.x - 8 * 25.4) < 1e-4);
  assert.ok(Math.abs(volume_mm3 - 40 * 25.4 ** 3) < 1);
  assert.equal(triangle_count, 12);
  writeFileSync(path("torn.stl"), PLATE.subarray(0, 90));
  const some = await command("info", "torn.stl", "plate.stl", "--json");
  assert.equal(some.status, 1, some.stderr);
  const { models, errors } = JSON.parse(some.stdout);
  assert.deepEqual([models.length, models[0].name, errors.length, errors[0].code], [1, "plate", 1, "OPERATION_FAILED"]);
  assert.match((await command("info", "plate.stl", "torn.stl", "-q")).stdout, /^plate +8 × 5 × 1 /m);
  const none = await command("info", "torn.stl", "none.stl", "--json");
  assert.deepEqual([none.status, JSON.parse(none.stdout).error.code], [1, "OPERATION_FAILED"]);
  const read = await piped(PLATE, "info", "-", "--format", "stl", "-q");
  assert.equal(read.stderr, "");
  assert.match(read.stdout.toString(), /^part +8 × 5 × 1 /m);
});
