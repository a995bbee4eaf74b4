import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { CancelledError, cancelTask, newTaskState, noProgress, taskProgress } from "../../../src/core/progress.ts";
import type { ModelFile, NamedSurface, ReadOptions, ShapeFrame } from "../../../src/format/model-reader.ts";
import { stepInstances } from "../../../src/format/occt/step-scan.ts";
import { stepReader } from "../../../src/format/occt/step-reader.ts";
import { nameOfSolid, solidTexts, stepSolids } from "../../../src/format/occt/step-solids.ts";
import { withStandIns } from "../../../src/format/occt/step-stand-ins.ts";
import { withReadableUnits } from "../../../src/format/occt/step-units.ts";
import { fc } from "../../fixture/property.ts";
import { boxStep, stepWithUses } from "../../fixture/step-assembly-file.ts";
import { sampledTests } from "../../fixture/long.ts";
import { temporaryFiles } from "../../fixture/temporary-files.ts";

const file = temporaryFiles();
const BRACKET = readFileSync(fileURLToPath(new URL("../../../assets/demo/bracket.step", import.meta.url)), "latin1");
const BOXES = await boxStep(3);
const ROUGH: ReadOptions = { chordalToleranceMm: 0.5, angleToleranceDeg: 20 };
const bytesOf = (text: string): Uint8Array => Buffer.from(text, "latin1");
const { divide, make, frame: makeFrame } = stepReader.sharing!;

/** The solids of a file as threads make them, each from a separate text. */
async function madeOf(text: string, path: string, options = ROUGH): Promise<NamedSurface[]> {
  const instances = stepInstances(bytesOf(text))!;
  const made: NamedSurface[] = [];
  for (const one of solidTexts(instances, stepSolids(instances), 1))
    made.push(...(await make(one, path, options, noProgress)));
  return made;
}

/** The places of the solids as a thread finds them. */
function frameOf(text: string, path: string, options = ROUGH): Promise<ShapeFrame | undefined> {
  const { bytes, unitMm } = withReadableUnits(bytesOf(text));
  const instances = stepInstances(bytes)!;
  const frame = withStandIns(instances, stepSolids(instances), unitMm!)!;
  return makeFrame!(frame.bytes, path, options, noProgress);
}

const readAround = async (text: string, made: readonly NamedSurface[] = [], options = ROUGH): Promise<ModelFile> =>
  stepReader.read(file("model.step", text), { ...options, made }, noProgress);

/** Coordinates of the two files differ by at most a millionth of a millimetre, because parts that are placed again are rounded again. */
function assertSame(actual: ModelFile, expected: ModelFile): void {
  const facts = ({ parts, unitMm, warnings }: ModelFile): unknown => [
    unitMm,
    warnings,
    parts.map(({ index, name, surface }) => [index, name, surface.triangles]),
  ];
  assert.deepEqual(facts(actual), facts(expected));
  for (const [i, { surface }] of actual.parts.entries()) {
    const { vertices } = expected.parts[i].surface;
    assert.ok(surface.vertices.every((value, k) => Math.abs(value - vertices[k]) < 1e-6));
  }
}

/** The text with more instances at its end. */
const withLines = (text: string, ...lines: readonly string[]): string =>
  text.replace("ENDSEC;\nEND-ISO", `${lines.join("\n")}\nENDSEC;\nEND-ISO`);
const idOf = (text: string, keyword: string): string => new RegExp(`(#\\d+)=${keyword}\\(`).exec(text)![1];

/** A colour of a face, as exporters write it. */
const COLOURED = withLines(
  BOXES,
  "#90001=COLOUR_RGB('',1.,0.,0.);",
  "#90002=FILL_AREA_STYLE_COLOUR('',#90001);",
  "#90003=FILL_AREA_STYLE('',(#90002));",
  "#90004=SURFACE_STYLE_FILL_AREA(#90003);",
  "#90005=SURFACE_SIDE_STYLE('',(#90004));",
  "#90006=SURFACE_STYLE_USAGE(.BOTH.,#90005);",
  "#90007=PRESENTATION_STYLE_ASSIGNMENT((#90006));",
  `#90008=STYLED_ITEM('',(#90007),${idOf(BOXES, "ADVANCED_FACE")});`,
  "#90009=MECHANICAL_DESIGN_GEOMETRIC_PRESENTATION_REPRESENTATION('',(#90008),#8);",
);

const ASSEMBLY = stepWithUses(BOXES, [0, 1], [0, 2], [1, 2]);
const INCHES: ReadOptions = { ...ROUGH, unitMm: 25.4 };
const FILES: Readonly<Record<string, readonly [text: string, options: ReadOptions]>> = {
  "an assembly in which a part is used twice": [ASSEMBLY, ROUGH],
  "in centimetres that are taken for inches": [
    stepWithUses(BOXES, [0, 1]).replace("SI_UNIT(.MILLI.,.METRE.)", "SI_UNIT(.CENTI.,.METRE.)"),
    INCHES,
  ],
  "coloured, and signed by its program": [
    COLOURED.replace("ENDSEC;\nDATA;", "ENDSEC;\n/* written by #1; */\nDATA;"),
    ROUGH,
  ],
  "solids with curved faces": [BRACKET, ROUGH],
};

for (const [[what, [text, options]], testOne] of sampledTests(Object.entries(FILES), 4)) {
  testOne(`a file is the same whether threads made all, some or none of its solids: ${what}`, async () => {
    const path = file("whole.step", text);
    const whole = await stepReader.read(path, options, noProgress);
    const made = await madeOf(text, path, options);
    assert.ok(made.length >= 2);
    assertSame(await readAround(text, made, options), whole);
    assertSame(await readAround(text, made.slice(1), options), whole);
    const frame = await frameOf(text, path, options);
    assert.ok(frame);
    const framed = await readAround(text, made, { ...options, frame });
    assert.deepEqual(framed, await readAround(text, made, options));
    // A frame of other solids or tolerances is left aside.
    assertSame(await readAround(text, made.slice(1), { ...options, frame }), whole);
  });
}

const TETRAHEDRON = {
  vertices: Float64Array.from([0, 0, 0, 6, 0, 0, 0, 6, 0, 0, 0, 6]),
  triangles: Uint32Array.from([0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3]),
};
const facets = ({ parts }: ModelFile): number[] => parts.map(({ surface }) => surface.triangles.length / 3);

test("the placed solids are those that threads made", async () => {
  const [, second, third] = await madeOf(ASSEMBLY, "model.step");
  const replaced = await readAround(ASSEMBLY, [[third[0], TETRAHEDRON], second]);
  assert.deepEqual(
    facets(replaced).sort((a, b) => a - b),
    [4, 4, 12, 12],
  );
});

test("the places of solids that another thread has found are used, if the tolerances are the same", async () => {
  const path = file("boxes.step", BOXES);
  const [made, frame] = [await madeOf(BOXES, path), await frameOf(BOXES, path)];
  const renamed = { ...frame!, meshes: frame!.meshes.map((mesh) => ({ ...mesh, name: "found" })) };
  const namesIn = async (options: ReadOptions): Promise<readonly (string | undefined)[]> =>
    (await readAround(BOXES, made, options)).parts.map(({ name }) => name);
  assert.deepEqual(await namesIn({ ...ROUGH, frame: renamed }), ["found", "found", "found"]);
  assert.ok(!(await namesIn({ ...ROUGH, angleToleranceDeg: 30, frame: renamed })).includes("found"));
});

test("if the structure refers to something that may be left out, the whole file is read", async () => {
  const shape = /(ADVANCED_BREP_SHAPE_REPRESENTATION\('',\()(#\d+)/;
  const text = COLOURED.replace(shape, "$1$2,#90008");
  const [first] = await madeOf(COLOURED, "model.step");
  assert.deepEqual(facets(await readAround(COLOURED, [[first[0], TETRAHEDRON]])), [4, 12, 12]);
  assert.deepEqual(facets(await readAround(text, [[first[0], TETRAHEDRON]])), [12, 12, 12]);
});

test("placeholders are recognised in any placement, and other triangles are not", () => {
  const instances = stepInstances(bytesOf(BOXES))!;
  const solids = stepSolids(instances);
  const UNIT_MM = 25.4;
  const { find } = withStandIns(instances, solids, UNIT_MM)!;
  const meshOf = (vertices: number[], index = [0, 1, 2]) => ({
    name: "",
    attributes: { position: { array: vertices } },
    index: { array: index },
    brep_faces: [{ first: 0, last: 0 }],
  });
  const angle = fc.double({ min: -Math.PI, max: Math.PI, noNaN: true });
  const at = fc.double({ min: -1e5, max: 1e5, noNaN: true });
  fc.assert(
    fc.property(
      fc.nat(solids.length - 1),
      angle,
      at,
      fc.constantFrom(0.1, 1, 3),
      fc.nat(2),
      (k, turn, x, scale, first) => {
        const [cos, sin] = [scale * Math.cos(turn), scale * Math.sin(turn)];
        const placement = [cos, sin, 0, -sin, cos, 0, 0, 0, scale, x, -x, 7];
        const [short, long] = [50, 100 * (1 + k / (2 * solids.length))].map((side) => side * UNIT_MM);
        const corners = [
          [x, -x, 7],
          [x + cos * long, -x + sin * long, 7],
          [x - sin * short, -x + cos * short, 7],
        ];
        const index = [first, (first + 1) % 3, (first + 2) % 3];
        const found = find(meshOf(corners.flat(), index));
        assert.equal(found?.name, nameOfSolid(instances, solids[k]));
        found!.placement.forEach((value, i) =>
          assert.ok(Math.abs(value - placement[i]) < 1e-6 * scale + 1e-9 * Math.abs(x)),
        );
        const [a, b, c] = corners;
        assert.equal(find(meshOf([...a, ...b.map((value, i) => value + 0.04 * (value - a[i])), ...c])), undefined);
        assert.equal(find(meshOf([...a, ...b, ...c.map((value, i) => value + (b[i] - a[i]) / 9)])), undefined);
      },
    ),
  );
});

const numbered = (...lines: readonly string[]): string =>
  `ISO-10303-21;\nHEADER;\nENDSEC;\nDATA;\n${lines.join("\n")}\nENDSEC;\nEND-ISO-10303-21;\n`;

test("instances and their references are found, whatever texts and comments contain", () => {
  const found = stepInstances(
    bytesOf(numbered("#7=A('it''s #9;',(#3,#3));", "/* #8=B(#7); */ #3 = (B()C(#7))", " ;")),
  )!;
  assert.deepEqual([...found.ids], [7, 3]);
  assert.deepEqual([...found.starts], [0, 2, 3]);
  assert.deepEqual([...found.references], [1, 1, 0]);
});

const UNKNOWN = {
  "an id twice": numbered("#1=A();", "#1=B();"),
  "an id that is not there": numbered("#1=A(#2);"),
  "two sections of data": numbered("#1=A();\nENDSEC;\nDATA;\n#2=B();"),
  "a section with parameters": numbered("#1=A();").replace("DATA;", "DATA('',());"),
  "a text without an end": numbered("#1=A('b);"),
  "a comment without an end": numbered("#1=A(/* b);"),
  "an instance without an end": "ISO-10303-21;\nHEADER;\nENDSEC;\nDATA;\n#1=A(",
  "no end": "ISO-10303-21;\nHEADER;\nENDSEC;\nDATA;\n#1=A();",
  "an id beyond all": numbered("#4294967296=A();"),
};

for (const [what, text] of Object.entries(UNKNOWN)) {
  test(`one thread reads a file with ${what}`, () => assert.equal(stepInstances(bytesOf(text)), undefined));
}

test("a large file is divided, with the tolerance for its size; other files are left to one thread", async () => {
  const divided = (text: string, options = ROUGH) => divide(file("model.step", text), options, noProgress);
  const large = await boxStep(150);
  const { texts, options, frame } = await divided(large);
  assert.equal(texts.length, 2);
  assert.ok(frame);
  assert.deepEqual(options, ROUGH);
  const huge = { ...ROUGH, unitMm: 1e5 };
  assert.ok((await divided(large, huge)).options.chordalToleranceMm > 10 * ROUGH.chordalToleranceMm);
  const left = {
    small: BOXES,
    "of several units": withLines(
      large,
      "#90001=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT($,.METRE.));",
      "#90002=(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNIT_ASSIGNED_CONTEXT((#90001))REPRESENTATION_CONTEXT('',''));",
    ),
    "with a number without bounds": large.replace("(0.,0.,0.)", "(0.,0.,1.E999)"),
  };
  for (const [what, text] of Object.entries(left)) assert.deepEqual((await divided(text)).texts, [], what);
});

test("a cancel ends the work on a solid", async () => {
  const instances = stepInstances(bytesOf(BOXES))!;
  const [text] = solidTexts(instances, stepSolids(instances));
  const state = newTaskState();
  cancelTask(state);
  await assert.rejects(make(text, "model.step", ROUGH, taskProgress(state)), CancelledError);
});
