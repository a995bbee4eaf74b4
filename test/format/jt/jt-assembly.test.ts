import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { ApiError, type ErrorCode } from "../../../src/core/api-error.ts";
import { noProgress } from "../../../src/core/progress.ts";
import { jtReader } from "../../../src/format/jt/jt.ts";
import type { ModelFile } from "../../../src/format/model-reader.ts";
import { boxOf } from "../../../src/geometry/box.ts";
import { type JtNode, jtFile } from "../../fixture/jt-part-file.ts";
import { longTest } from "../../fixture/long.ts";
import { box } from "../../fixture/shapes.ts";
import { moved } from "../../fixture/surface-edits.ts";
import { temporaryFiles } from "../../fixture/temporary-files.ts";

const file = temporaryFiles();
/** With a corner at the origin. */
const BOX = moved(box([1, 2, 3]), [0.5, 1, 1.5]);
const post: JtNode = { name: "post.part;3;0:", unit: "Millimeters", chordal: "0.1 0.2", surface: BOX };
const POST = jtFile(post);

let folders = 0;

/** Reads an assembly that has files next to it, given by their paths. */
function read(assembly: Uint8Array, files: Readonly<Record<string, Uint8Array>> = {}): Promise<ModelFile> {
  const folder = `assembly-${++folders}`;
  for (const [path, content] of Object.entries(files)) file(`${folder}/${path}`, content);
  const main = file(`${folder}/whole.jt`, assembly);
  return jtReader.read(main, { chordalToleranceMm: 0.5, angleToleranceDeg: 20 }, noProgress);
}

const placesOf = ({ parts }: ModelFile): unknown[] =>
  parts.map(({ index, name, surface }) => {
    const { min, max } = boxOf(surface.vertices as Float64Array);
    return [index, name, ...[...min, ...max].map((value) => Math.round(value * 1e4) / 1e4 + 0)];
  });

const refused = (reading: Promise<unknown>, message: RegExp, code: ErrorCode = "OPERATION_FAILED"): Promise<void> =>
  assert.rejects(reading, (thrown: unknown) => {
    assert.ok(thrown instanceof ApiError && thrown.code === code, String(thrown));
    assert.match(thrown.message, message);
    return true;
  });

test("parts in other files are placed at each use, and named by their files or the references", async () => {
  const assembly = jtFile(
    { file: "post.jt", name: "use.part;1;0:" },
    { name: "sub.asm;1;0:", at: [0, 0, 100], inside: [{ file: "parts/POST.jt", at: [10, 0, 0] }, { surface: BOX }] },
    { file: "unnamed.jt", name: "named here.part;1;0:", at: [0, 50, 0] },
  );
  const model = await read(assembly, {
    "post.jt": POST,
    "parts/post.jt": POST,
    "unnamed.jt": jtFile({ surface: BOX }),
  });
  assert.deepEqual(placesOf(model), [
    [0, "post", 0, 0, 0, 1, 2, 3],
    [1, "post", 10, 0, 100, 11, 2, 103],
    [2, "sub", 0, 0, 100, 1, 2, 103],
    [3, "named here", 0, 50, 0, 1, 52, 3],
  ]);
  assert.equal(model.unitMm, 1);
  assert.match(model.warnings!.join(), /of up to 0\.1 mm/);
});

test("an assembly inside an assembly is read, and a part is placed by all files above it", async () => {
  const inner = jtFile({ file: "../post.jt", at: [1, 0, 0], scale: 2 });
  const outer = jtFile({ file: "sub/inner.jt", at: [0, 0, 5] }, { file: "sub/inner.jt", scale: -1 });
  const files = { "sub/inner.jt": inner, "sub/post.jt": POST };
  assert.deepEqual(placesOf(await read(outer, files)), [
    [0, "post", 1, 0, 5, 3, 4, 11],
    [1, "post", -3, -4, -6, -1, 0, 0],
  ]);
});

test("parts in other units are converted if their transforms do not convert them, in one file and in several", async () => {
  const inches = { ...post, name: "inch", unit: "Inches" };
  const inside = [
    { ...inches, at: [100, 0, 0], scale: 25.4 },
    { ...inches, at: [200, 0, 0] },
    { unit: "Inches", at: [300, 0, 0], scale: 25.4, inside: [{ ...inches, at: [1, 0, 0] }, post] },
  ] as const;
  const expected = [
    [100, 0, 0, 125.4, 50.8, 76.2],
    [200, 0, 0, 225.4, 50.8, 76.2],
    [325.4, 0, 0, 350.8, 50.8, 76.2],
    [300, 0, 0, 301, 2, 3],
  ];
  const boxes = (model: ModelFile): unknown[] => placesOf(model).map((place) => (place as unknown[]).slice(2));
  const one = await read(jtFile({ unit: "Millimeters", inside }));
  assert.equal(one.unitMm, 1);
  assert.deepEqual(boxes(one), expected);
  // The greatest deviation is that of the parts in inches.
  assert.match(one.warnings!.join(), /of up to 2\.54 mm/);
  const external = (node: JtNode): JtNode => {
    const { surface, unit, ...rest } = node;
    return surface
      ? { ...rest, file: unit === "Inches" ? "inch.jt" : "post.jt" }
      : { ...node, inside: node.inside!.map(external) };
  };
  const files = { "inch.jt": jtFile(inches), "post.jt": POST };
  const several = await read(jtFile({ unit: "Millimeters", inside: inside.map(external) }), files);
  assert.deepEqual(boxes(several), expected);
  assert.match(several.warnings!.join(), /of up to 2\.54 mm/);
  // An assembly without a unit has that of its parts.
  assert.equal((await read(jtFile({ file: "inch.jt" }), files)).unitMm, 25.4);
});

test("references find files by their names alone, whatever their paths, case and accents, and never outside the folder", async () => {
  const found = [
    "C:\\projects\\v2\\post.jt",
    "..\\elsewhere\\Post.JT",
    "/srv/cad/post.jt",
    "sub/../post.jt",
    "./post.jt",
  ];
  const uses = found.map((name, i) => ({ file: name, at: [10 * i, 0, 0] }) as const);
  assert.equal((await read(jtFile(...uses), { "post.jt": POST })).parts.length, found.length);
  // In the folder with the assembly's name.
  assert.equal((await read(jtFile({ file: "D:\\x\\post.jt" }), { "whole/post.jt": POST })).parts.length, 1);
  for (const form of ["NFC", "NFD"]) {
    const files = { [`Gehäuse Größe.jt`.normalize(form)]: POST };
    assert.equal((await read(jtFile({ file: "Gehäuse Größe.jt".normalize("NFC") }), files)).parts.length, 1);
  }
  const outside = file("outside.jt", POST);
  for (const name of [outside, "../outside.jt", "post.jt\0", "..", "sub/.."]) {
    await refused(read(jtFile({ file: name })), /are not in its folder or below.*as one JT file/);
  }
  symlinkSync(outside, join(dirname(file("linked/whole.jt", jtFile({ file: "link.jt" }))), "link.jt"));
  const linked = join(dirname(outside), "linked", "whole.jt");
  await refused(jtReader.read(linked, { chordalToleranceMm: 1, angleToleranceDeg: 20 }, noProgress), /"link\.jt"/);
});

test("missing parts are named, at most five of them", async () => {
  const uses = [1, 2, 3, 4, 5, 6, 7].map((i) => ({ file: `m${i}.jt` }));
  await refused(
    read(jtFile({ file: "post.jt" }, ...uses), { "post.jt": POST }),
    /"m1\.jt", .*"m5\.jt" and 2 more are not/,
  );
  await refused(read(jtFile({ file: "sub/a.jt" }), { "sub/a.jt": jtFile({ file: "b.jt" }) }), /a\.jt.*"b\.jt"/);
});

const usesOfPost = (count: number): JtNode[] =>
  Array.from({ length: count }, (_, i) => ({ file: "post.jt", at: [i, 0, 0] }));
const tensOf = (next: number): Uint8Array => jtFile(...Array.from({ length: 10 }, () => ({ file: `${next}.jt` })));
/** Ten files, each with ten references to the next one: ten thousand million uses of the last one. */
const TENS = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`${i}.jt`, tensOf(i + 1)]));

test("circular references, depth and numbers of uses are limited", async () => {
  await refused(read(jtFile(post, { file: "whole.jt" })), /refers to itself/);
  await refused(read(jtFile({ file: "a.jt" }), { "a.jt": jtFile({ file: "whole.jt" }) }), /refers to itself/);
  const chain = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`${i}.jt`, i < 39 ? jtFile({ file: `${i + 1}.jt` }) : POST]),
  );
  await refused(read(jtFile({ file: "0.jt" }), chain), /too deep/);
  const [first] = (await read(jtFile({ file: "20.jt" }), chain)).parts;
  assert.equal(first.name, "post");
  await refused(read(tensOf(0), { ...TENS, "10.jt": POST }), /more than 10000 parts/, "INPUT_ERROR");
});

longTest("ten thousand uses of a part are read, and the number of uses of files without parts is limited", async () => {
  assert.equal((await read(jtFile(...usesOfPost(10_000)), { "post.jt": POST })).parts.length, 10_000);
  await refused(read(jtFile(...usesOfPost(10_001)), { "post.jt": POST }), /more than 10000 parts/, "INPUT_ERROR");
  await refused(read(tensOf(0), { ...TENS, "10.jt": jtFile() }), /uses of files and shapes/);
});

test("content that is not read is reported for all files", async () => {
  const assembly = jtFile(
    { file: "part.jt" },
    { ...post, name: "lid", isHidden: true },
    { name: "blank", without: "mesh" },
    { name: "spacer", without: "shape" },
    {
      selected: 1,
      inside: [
        { ...post, name: "raw" },
        { ...post, name: "machined", at: [9, 0, 0] },
      ],
    },
  );
  const { parts, warnings } = await read(assembly, { "part.jt": jtFile(post, { without: "surface" }) });
  assert.deepEqual(
    parts.map(({ name }) => name),
    ["post", "machined"],
  );
  assert.match(
    warnings![1],
    /hidden \("lid", "raw"\); parts with exact shapes alone \("blank"\); parts without shapes \("spacer"\); lines/,
  );
  const nameless = await read(jtFile(post, { surface: post.surface!, isHidden: true }), {});
  assert.match(nameless.warnings![1], /left out are what is hidden\./);
  assert.equal((await read(jtFile(post))).warnings!.length, 1);
  for (const [selected, count] of [
    [-1, 1],
    [0, 2],
    [2, 3],
  ] as const) {
    const model = await read(jtFile(post, { selected, inside: [post, post] }));
    assert.equal(model.parts.length, count);
  }
  await refused(read(jtFile({ name: "blank", without: "mesh" })), /no tessellated shapes/);
});
