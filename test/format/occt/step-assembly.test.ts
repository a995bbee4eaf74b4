import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { ApiError } from "../../../src/core/api-error.ts";
import { noProgress } from "../../../src/core/progress.ts";
import type { ModelFile } from "../../../src/format/model-reader.ts";
import { externalParts } from "../../../src/format/occt/step-assembly.ts";
import { readerFor } from "../../../src/format/model-formats.ts";
import { stepReader } from "../../../src/format/occt/step-reader.ts";
import { stepOfBreps } from "../../../src/format/rhino/brep-step.ts";
import { rhinoLibrary } from "../../../src/format/rhino/rhino-library.ts";
import { boxOf } from "../../../src/geometry/box.ts";
import { boxBrep } from "../../fixture/rhino-file.ts";
import { type StepReference, boxStep, stepAssembly, stepWithUses } from "../../fixture/step-assembly-file.ts";
import { box } from "../../fixture/shapes.ts";
import { binaryStl } from "../../fixture/stl-file.ts";
import { temporaryFiles } from "../../fixture/temporary-files.ts";

const file = temporaryFiles();
const ROUGH = { chordalToleranceMm: 0.5, angleToleranceDeg: 20 };
const rhino = await rhinoLibrary(0);
/** A box of 10 × 20 × 30 mm with a corner at the origin. */
const BOX = stepOfBreps([{ name: "box", brep: boxBrep(rhino, [0, 0, 0], [10, 20, 30]), unitMm: 1 }], 1e-3);
const PART: StepReference = { path: "part.stp", name: "post", at: [0, 0, 0] };

let folders = 0;

/** Reads an assembly that has files next to it, given by their paths. */
async function read(assembly: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<ModelFile> {
  const folder = `assembly-${++folders}`;
  for (const [path, content] of Object.entries(files)) file(`${folder}/${path}`, content);
  const main = file(`${folder}/assembly.stp`, assembly);
  return (await readerFor("stp"))!.read(main, ROUGH, noProgress);
}

const placesOf = ({ parts }: ModelFile): unknown[] =>
  parts.map(({ index, name, surface }) => {
    const { min, max } = boxOf(surface.vertices as Float64Array);
    return [index, name, ...[...min, ...max].map((value) => Math.round(value * 1e6) / 1e6 + 0)];
  });

const refused = (reading: Promise<unknown>, message: RegExp): Promise<void> =>
  assert.rejects(reading, (thrown: unknown) => {
    assert.ok(thrown instanceof ApiError && thrown.code === "OPERATION_FAILED", String(thrown));
    assert.match(thrown.message, message);
    return true;
  });

test("parts in other files are placed in the unit of the assembly, and named after their products", async () => {
  const assembly = stepAssembly(
    PART,
    { ...PART, name: "turned", at: [5, 0, 7], isTurned: true },
    { path: "sub\\PART.stp", name: "below", at: [0, 0, -9], isTurned: true, isSwapped: true },
  );
  const model = await read(assembly, { "part.stp": BOX, "sub/part.stp": BOX });
  assert.equal(model.unitMm, 10);
  assert.deepEqual(placesOf(model), [
    [0, "post", 0, 0, 0, 1, 2, 3],
    [1, "turned", 3, 0, 7, 5, 1, 10],
    [2, "below", -2, 0, -9, 0, 1, -6],
  ]);
});

test("an assembly inside an assembly is read, and a part is placed by all files above it", async () => {
  const inner = stepAssembly({ ...PART, at: [1, 0, 0] });
  const outer = stepAssembly({ path: "inner.stp", name: "inner", at: [0, 0, 5] });
  assert.deepEqual(placesOf(await read(outer, { "inner.stp": inner, "part.stp": BOX })), [
    [0, "inner", 1, 0, 5, 2, 2, 8],
  ]);
});

test("a part that is not in the folder or below is reported, and nothing outside is read", async () => {
  await refused(read(stepAssembly(PART), {}), /"part\.stp" .*not in its folder.*one STEP file/);
  const both = stepAssembly(PART, { ...PART, path: "other.stp" });
  await refused(read(both, { "part.stp": BOX }), /"other\.stp"/);
  const outside = file("outside.stp", BOX);
  await refused(read(stepAssembly({ ...PART, path: "../outside.stp" }), {}), /outside\.stp/);
  await refused(read(stepAssembly({ ...PART, path: outside }), {}), /outside\.stp/);
  const main = file("linked/assembly.stp", stepAssembly(PART));
  symlinkSync(outside, join(dirname(main), "part.stp"));
  await refused(stepReader.read(main, ROUGH, noProgress), /"part\.stp"/);
});

test("assemblies that refer to themselves or each other are refused", async () => {
  await refused(read(stepAssembly({ ...PART, path: "assembly.stp" }), {}), /refers to itself/);
  const other = stepAssembly({ ...PART, path: "assembly.stp" });
  await refused(read(stepAssembly({ ...PART, path: "other.stp" }), { "other.stp": other }), /refers to itself/);
});

test("parts are read by the content of their files, in every format that has a reader", async () => {
  const assembly = stepAssembly(
    { ...PART, path: "post" },
    { ...PART, path: "post.prt", at: [0, 0, 5] },
    { ...PART, path: "plate.stl", at: [0, 0, 9] },
  );
  const stl = binaryStl(box([10, 20, 30]));
  assert.deepEqual(placesOf(await read(assembly, { post: BOX, "post.prt": BOX, "plate.stl": stl })), [
    [0, "post", 0, 0, 0, 1, 2, 3],
    [1, "post", 0, 0, 5, 1, 2, 8],
    [2, "post", -0.5, -1, 7.5, 0.5, 1, 10.5],
  ]);
  await refused(
    read(assembly, { post: "a part", "post.prt": BOX, "plate.stl": stl }),
    /post": .* no format that is read/,
  );
  await refused(read(assembly, { post: BOX, "post.prt": "a part", "plate.stl": stl }), /post\.prt".*no PTC Creo file/);
  await refused(read(assembly, { post: BOX }), /"post\.prt", "plate\.stl" are not in its folder/);
});

test("warnings and losses of a part are reported for the assembly", async () => {
  const lost = BOX.replace(/^#\d+=MANIFOLD_SOLID_BREP.*\n/m, "");
  const two = stepAssembly(PART, { ...PART, path: "lost.stp", at: [0, 0, 5] });
  await refused(read(two, { "part.stp": BOX, "lost.stp": lost }), /lost\.stp".*damaged/);
});

test("documents without a shape are not looked for, and their products are named", async () => {
  const drawing = stepAssembly({ ...PART, path: "drawing.pdf" });
  await refused(read(drawing, {}), /no solid or surface/);
  const { parts, warnings = [] } = await read(stepAssembly(PART, { ...PART, name: "paint", path: "paint.pdf" }), {
    "part.stp": BOX,
  });
  assert.equal(parts.length, 1);
  assert.match(warnings.join(), /without solids or surfaces: 1 \("paint"\)/);
});

test("a product used inside itself is reported, because OpenCASCADE reads only the others", async () => {
  const boxes = await boxStep(3);
  await refused(read(stepWithUses(boxes, [0, 1], [1, 2], [2, 1]), {}), /its product "box [12]" is used inside itself/);
  await refused(read(stepWithUses(boxes, [2, 2]), {}), /its product "box 2" is used inside itself/);
});

test("products that multiply without end next to a part in another file are skipped", () => {
  const use = (i: number, whole: number, part: number): string =>
    `#${1000 + i}=NEXT_ASSEMBLY_USAGE_OCCURRENCE('','','',#${whole},#${part},$);`;
  const doubled = Array.from({ length: 60 }, (_, i) => [use(2 * i, i, i + 1), use(2 * i + 1, i, i + 1)]).flat();
  const lines = [
    ...doubled,
    use(500, 0, 99),
    "#900=DOCUMENT_FILE('part.stp','','',#901,'','');",
    "#902=APPLIED_DOCUMENT_REFERENCE(#900,'',(#99));",
  ];
  const parts = externalParts(new TextEncoder().encode(lines.join("\n")));
  assert.deepEqual(
    parts.map(({ path }) => path),
    ["part.stp"],
  );
});
