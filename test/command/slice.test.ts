import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { bodiesOf } from "../../src/mesh/bodies.ts";
import { triangleCount, vertexCount } from "../../src/mesh/mesh.ts";
import { runCommand } from "../fixture/command.ts";
import { readGoo } from "../fixture/job/read-goo.ts";
import { readSl1 } from "../fixture/job/read-sl1.ts";
import { perforated, surfaceOfStl } from "../fixture/surface-edits.ts";
import { longTest, sampledTests } from "../fixture/long.ts";
import { randomFrom } from "../fixture/random.ts";
import { box, lathe } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { binaryStl } from "../fixture/stl-file.ts";

const folder = mkdtempSync(join(tmpdir(), "printwright-slice-"));
after(() => rmSync(folder, { recursive: true }));

const path = (name: string): string => join(folder, name);
const command = (...args: string[]) => runCommand(args, folder);

before(() => {
  mkdirSync(path("folder.sl1"));
  writeFileSync(path("plate.stl"), binaryStl(box([8, 5, 1])));
  writeFileSync(path("block.stl"), binaryStl(box([16, 16, 16])));
  writeFileSync(path("rod.stl"), binaryStl(box([2, 2, 3])));
  // On its tip.
  const tipped = lathe(
    [
      [0, 0],
      [10, 15],
      [0, 15],
    ],
    48,
    false,
  );
  writeFileSync(path("cone.stl"), binaryStl(tipped));
  writeFileSync(path("open.stl"), binaryStl(perforated(box([8, 5, 1]), 1, randomFrom(1))));
});

const LAYERS_OF: Readonly<Record<string, (bytes: Uint8Array) => { layers: readonly unknown[] }>> = {
  ".sl1": readSl1,
  ".goo": readGoo,
};

for (const [[printer, extension], testOne] of sampledTests(
  [
    ["SL1", ".sl1"],
    ["Mars 5", ".goo"],
  ] as const,
  Infinity,
)) {
  testOne(`slice writes the job for a ${printer}, with the part's name if none is given`, async () => {
    const { status, stdout, stderr } = await command("slice", "plate.stl", "--printer", printer, "--layer", "0.1");
    assert.equal(status, 0, stderr);
    assert.match(stdout, new RegExp(`^plate\\${extension}: 1 part for .*\n {2}10 layers, about \\d+ min, 0\\.04 ml`));
    assert.doesNotMatch(stdout, /--units/);
    assert.equal(LAYERS_OF[extension](readFileSync(path(`plate${extension}`))).layers.length, 10);
  });
}

longTest("options that change the parts have an effect in all kinds of written files", async () => {
  const options = ["--printer", "sl1s", "--layer=0.1", "--scale", "2", "--rotate", "-90,0,0", "--copies", "2"];
  const outputs = ["plates.sl1s", "plates.form", "plates.stl", "plates.3mf"];
  const written = outputs.flatMap((file) => ["-o", file]);
  const { status, stdout, stderr } = await command("slice", "plate.stl", "rod.stl", ...options, "--json", ...written);
  assert.equal(status, 0, stderr);
  const { files, layer_count, models } = JSON.parse(stdout);
  assert.deepEqual(files, outputs);
  for (const file of outputs) assert.ok(existsSync(path(file)), file);
  assert.equal(readSl1(readFileSync(path("plates.sl1s"))).layers.length, layer_count);
  assert.deepEqual(
    models.map(({ name }: { name: string }) => name),
    ["plate", "rod", "plate", "rod"],
  );
  // The plate is twice as large, stands on its side of 16 mm × 2 mm, and is 10 mm high.
  const { min_corner: min, max_corner: max } = models[0].bounding_box;
  assert.ok(Math.abs(max.z - min.z - 10) < 1e-3);
});

longTest("a project is sliced again, with supports", async () => {
  const plain = await command("slice", "plate.stl", "--printer", "sl1s", "-o", "plain.form", "--json");
  const again = await command("slice", "plain.form", "--support", "-o", "supported.form", "--json");
  assert.deepEqual([plain.status, again.status], [0, 0], again.stderr);
  const [{ layer_count }, supported] = [JSON.parse(plain.stdout), JSON.parse(again.stdout)];
  assert.ok(supported.models.every(({ has_supports }: { has_supports: boolean }) => has_supports));
  assert.ok(supported.layer_count > layer_count);
});

test("run carries out what --print-steps prints, and writes the same bytes", async () => {
  const words = ["slice", "plate.stl", "--printer", "SL1S", "--rotate", "0,0,30", "--copies", "2"];
  const { stdout: steps } = await command(...words, "-o", "first.stl", "--print-steps");
  assert.ok(!existsSync(path("first.stl")));
  const [sliced, ran] = [await command(...words, "-o", "second.stl"), await runCommand(["run", "-"], folder, steps)];
  assert.deepEqual([sliced.status, ran.status], [0, 0], sliced.stderr + ran.stderr);
  assert.deepEqual(readFileSync(path("first.stl")), readFileSync(path("second.stl")));
});

test("slice --supports-without-grey and --anti-aliasing are of jobs alone", async () => {
  const words = [
    "slice",
    "plate.stl",
    "--printer",
    "SL1",
    "--supports-without-grey",
    "--anti-aliasing",
    "volume",
    "-o",
    "grey.sl1",
    "-o",
    "grey.stl",
  ];
  const { stdout } = await command(...words, "--print-steps");
  const exported = (JSON.parse(stdout) as { request: string; body: object }[]).filter(
    ({ request }) => request === "scene/export",
  );
  assert.deepEqual(
    exported.map(({ body }) => ["supports_without_grey" in body, "anti_aliasing" in body]),
    [
      [true, true],
      [false, false],
    ],
  );
});

longTest("slice --hollow --drain gives the layers of a part that drains", async () => {
  const words = ["slice", "block.stl", "--printer", "SL1S", "--hollow", "2", "--infill", "gyroid", "--drain"];
  const { stdout, stderr, status } = await command(...words, "-o", "drained.stl");
  assert.equal(status, 0, stderr + stdout);
  const drained = meshOf(surfaceOfStl(readFileSync(path("drained.stl"))));
  // A hollow block has a body for its cavity; with holes both surfaces are one, of genus 1 with two holes.
  assert.equal(bodiesOf(drained).count, 1);
  assert.equal(vertexCount(drained) - triangleCount(drained) / 2, 0);
  const { stdout: steps } = await command(...words, "--print-steps", "-o", "drained.stl");
  assert.match(steps, /scene\/model\/hollow[^]*GYROID[^]*scene\/model\/auto-drain/);
  const struts = words.map((word) => (word === "gyroid" ? "struts" : word));
  assert.match((await command(...struts, "--print-steps", "-o", "drained.stl")).stdout, /"STRUTS"/);
});

test("invalid arguments are errors that list the choices, before any work begins", async () => {
  const wrong: [args: string[], why: RegExp][] = [
    [["plate.stl"], /name the printer with --printer/],
    [["plate.stl", "--printer", "Form"], /several are called "Form"[^]*FORM-2-0 \(Form 2\)[^]*FORM-4-0 \(Form 4\)/],
    [["plate.stl", "--printer", "FUSX-1-0"], /"FUSX-1-0" is a printer of 2026 .*; printwright printers lists them all/],
    [["plate.stl", "--printer", "SL7"], /none is called "SL7"[^]*PRUSA-SL1/],
    [
      ["plate.stl", "--printer", "Marss"],
      /none is called "Marss"\. The choices:\n {2}ELEGOO-M5U \(Elegoo Mars 5 Ultra\)\n/,
    ],
    [["plate.stl", "--printer", "SL1", "--material", "wood"], /material for Original Prusa SL1[^]*GENERIC-RESIN/],
    [["plate.stl", "--printer", "Fuse 1"], /choose a material for Fuse 1[^]*Nylon 12/],
    [["plate.stl", "--printer", "SL1", "--layer", "0.7"], /layer_thickness_mm "0\.7".*0.05/],
    [["plate.stl", "--printer", "SL1", "-o", "a.sl1s"], /jobs for Original Prusa SL1 are \.sl1 files/],
    [["plate.stl", "--printer", "SL1", "-o", "none/a.sl1"], /no folder .*none: make it first/],
    [["plate.stl", "--printer", "SL1", "-o", "folder.sl1"], /Cannot write .*folder\.sl1": it is a folder/],
    [["plate.stl", "--printer", "SL1", "-o", "a.xyz"], /\.xyz/],
    [["plate.stl", "--printer", "Fuse 1", "--material", "Nylon 12 V1", "--drain"], /--drain is for resin printers/],
    [["plate.stl", "--printer", "SL1", "--hollow", "0"], /"\/wall_thickness_mm": must be at least 0\.1/],
    [["plate.stl", "--printer", "SL1", "--infill", "gyroid"], /add --hollow MM/],
    [
      ["plate.stl", "--printer", "SL1", "--hollow", "2", "--infill", "cubic"],
      /must be gyroid, schwarz-p, schwarz-d, struts/,
    ],
    [["plate.stl", "--printer", "SL1", "--hollow", "2", "--infill-cell", "5"], /add --infill gyroid/],
    [["plate.stl", "--printer", "SL1", "--rotate", "90"], /--rotate must be three numbers/],
    [["plate.stl", "--printer", "SL1", "--density", "2"], /add --support/],
    [["plate.stl", "--printer", "Fuse 1", "--material", "Nylon 12 V1", "--support"], /powder carries/],
    [["plate.txt", "--printer", "SL1"], /\.txt/],
    [["--printer", "SL1"], /name the files/],
    [["", "--printer", "SL1"], /name of a part is empty/],
    [["folder.sl1", "--printer", "SL1"], /"folder.sl1" is a folder: name the files in it/],
    [["plate.stl", "--printer", "SL1", "--supports"], /"--supports" is not an option: printwright slice --help/],
    [["plate.stl", "--printer", "SL1", "-o", "a.stl", "-o", "plate.stl"], /"plate.stl" is the file of a part/],
  ];
  const before = readdirSync(folder);
  for (const [args, why] of wrong) {
    const { status, stderr, stdout } = await command("slice", ...args);
    assert.equal(status, 2, `${args.join(" ")}: ${stderr}`);
    assert.match(stderr, why);
    assert.equal(stdout, "");
  }
  const { status, stdout } = await command("slice", "plate.stl", "--json");
  assert.deepEqual([status, JSON.parse(stdout).error.code], [2, "INPUT_ERROR"]);
  assert.deepEqual(readdirSync(folder), before);
});

test("a part that is not closed is refused with status 1, and is repaired on request", async () => {
  const refused = await command("slice", "open.stl", "--printer", "SL1", "--json");
  assert.equal(refused.status, 1);
  assert.equal(JSON.parse(refused.stdout).error.code, "OPERATION_FAILED");
  assert.match(refused.stderr, /repair_behavior is --repair$/m);
  assert.ok(!existsSync(path("open.sl1")));
  const repaired = await command("slice", "open.stl", "--printer", "SL1", "--repair");
  assert.equal(repaired.status, 0, repaired.stderr);
});

longTest("render draws parts as the options say", async () => {
  const render = (...args: string[]) => command("render", "plate.stl", "rod.stl", ...args);
  for (const args of [
    ["-o", "a.png", "--square", "--size", "64"],
    ["-o", "b.png", "--yaw", "-100", "--size", "100"],
    ["-o", "c.webp", "--flyaround", "3", "--size", "50"],
  ]) {
    const { status, stderr } = await render(...args);
    assert.equal(status, 0, stderr);
    assert.ok(existsSync(path(args[1])));
  }
  const { status, stderr } = await render("-o", "d.png", "--view", "moon");
  assert.equal(status, 2);
  assert.match(stderr, /--view must be/);
});

test("check reports what would spoil a print in its status and its findings", async () => {
  const good = await command("check", "plate.stl", "--printer", "SL1S");
  assert.equal(good.status, 0, good.stderr);
  assert.match(good.stdout, /plate +closed +inside +0 +0 +0 +0\.0 %/);
  const bad = await command("check", "open.stl", "rod.stl", "rod.stl", "--no-layout", "--min-wall", "2.5", "--json");
  assert.equal(bad.status, 1, bad.stderr);
  const { ok, models } = JSON.parse(bad.stdout);
  assert.equal(ok, false);
  const findings = models.map((model: { findings: string[] }) => model.findings);
  assert.ok(findings[0].includes("mesh"));
  assert.deepEqual(findings[1], ["collisions", "thin"]);
});

test("check names each region that is not held, with its height, its held share of the pull, and the cause", async () => {
  const bare = await command("check", "cone.stl", "--printer", "SL1S");
  assert.equal(bare.status, 1, bare.stderr);
  assert.match(bare.stdout, / held /);
  assert.match(bare.stdout, /^cone +closed.* 0 % .*hold$/m);
  assert.match(bare.stdout, /^cone: only 0 % of the pull of the film is held at \d+\.\d mm, because too few supports/m);
});

longTest("check gives the weaknesses as JSON, and none for a part with supports", async () => {
  const { stdout } = await command("check", "cone.stl", "--printer", "SL1S", "--json");
  const { models } = JSON.parse(stdout);
  assert.ok(models[0].findings.includes("hold") && models[0].weaknesses[0].position.z > 0);
  const supported = await command("check", "cone.stl", "--printer", "SL1S", "--support", "--json");
  assert.equal(supported.status, 0, supported.stdout);
  assert.equal(JSON.parse(supported.stdout).models[0].percent_held, 100);
});

test("help of every command names its options, and the overview names every command", async () => {
  const { stdout: overview } = await command("--help");
  assert.equal((await command("help")).stdout, overview);
  for (const name of ["slice", "render", "check", "info", "run", "printers", "materials", "completion", "version"]) {
    assert.match(overview, new RegExp(`printwright ${name} `));
    const [long, short] = [await command(name, "--help"), await command("help", name)];
    assert.deepEqual([long.status, long.stdout], [0, short.stdout]);
    assert.match(long.stdout, new RegExp(`^Usage: printwright ${name}`));
  }
});

test("printers and materials are listed with the names that slice accepts", async () => {
  const { stdout } = await command("printers", "--json");
  const printers: { machine_type: string }[] = JSON.parse(stdout);
  assert.ok(printers.some(({ machine_type }) => machine_type === "PRUSA-SL1S"));
  const { stdout: materials } = await command("materials", "--printer", "Form 4");
  assert.match(materials, /^FLGPGR05 +Grey V5 +0\.1, /m);
});

test("printers are listed by their maker, and by words of their names", async () => {
  const listed = async (...args: string[]) => {
    const { stdout } = await command("printers", ...args);
    return stdout.split("\n").map((line) => line.split(" ")[0]);
  };
  assert.ok((await listed("--maker", "qidi")).every((name) => name === "" || name.startsWith("QIDI-")));
  assert.deepEqual((await listed("--search", "photon m5s")).filter(Boolean), ["ANYCUBIC-M5SP", "ANYCUBIC-M5S"]);
  assert.deepEqual((await listed("--maker", "Elegoo", "--search", "mars 5")).filter(Boolean), [
    "ELEGOO-M5U",
    "ELEGOO-M5",
  ]);
  const none = await command("printers", "--maker", "Elego");
  assert.match(none.stderr, /no printer is of "Elego". The makers: Formlabs, Prusa, Elegoo, /);
  const missing = await command("printers", "--search", "unheard-of");
  assert.match(missing.stderr, /no printer has "unheard-of" in its name/);
});

test("a printer is found by its name without that of the maker, which may begin another name", async () => {
  const { stdout } = await command("materials", "--printer", "Mars 5");
  assert.match(stdout, /^GENERIC-RESIN /);
});

test("a part of an unlikely size in millimetres is reported, unless its units are given", async () => {
  const slice = (...args: string[]) => command("slice", "rod.stl", "--printer", "SL1", "-o", "rod.obj", ...args);
  assert.match((await slice()).stdout, /"rod" is 2\.0 × 2\.0 × 3\.0 mm small: .* add --units inch$/m);
  assert.doesNotMatch((await slice("--units", "mm")).stdout, /--units/);
});
