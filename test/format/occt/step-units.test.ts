import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { noProgress } from "../../../src/core/progress.ts";
import type { ModelFile } from "../../../src/format/model-reader.ts";
import { stepReader } from "../../../src/format/occt/step-reader.ts";
import { withReadableUnits } from "../../../src/format/occt/step-units.ts";
import { boxOf } from "../../../src/geometry/box.ts";
import { temporaryFiles } from "../../fixture/temporary-files.ts";

const file = temporaryFiles();
const SOUND = readFileSync(fileURLToPath(new URL("../../../assets/demo/bracket.step", import.meta.url)), "latin1");
const MILLIMETRE = "( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.) )";

/** The bracket with another unit, and the instances that the unit refers to. */
const withUnit = (unit: string, instances = ""): string =>
  SOUND.replaceAll(MILLIMETRE, unit).replace("ENDSEC;\nEND-ISO", `${instances}ENDSEC;\nEND-ISO`);
const siUnit = (prefix: string): string => `( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(${prefix},.METRE.) )`;

const INCH = "( CONVERSION_BASED_UNIT('INCH',#90001) LENGTH_UNIT() NAMED_UNIT(#90002) )";
const EXPONENTS = "#90002 = DIMENSIONAL_EXPONENTS(1.,0.,0.,0.,0.,0.,0.);\n";
const BASE = `${EXPONENTS}#90003 = ( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.) );\n`;
/** Inches with a measure. */
const inches = (measure: string, unit = INCH): string => withUnit(unit, `#90001 = ${measure};\n${BASE}`);
const METRES = `${EXPONENTS}#90003 = ( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT($,.METRE.) );\n`;
const TYPED = "LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(25.4),#90003)";

/** Spellings that OpenCASCADE reads unchanged, and others. */
const UNITS: readonly [name: string, text: string, unitMm: number][] = [
  ["metres", withUnit(siUnit("$")), 1000],
  ["centimetres", withUnit(siUnit(".CENTI.")), 10],
  ["micrometres", withUnit(siUnit(".MICRO.")), 0.001],
  [
    "inches by metres",
    withUnit(INCH, `#90001 = LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(2.54E-02),#90003);\n${METRES}`),
    25.4,
  ],
  ["inches by a measure", inches(TYPED), 25.4],
  ["inches by a measure without its kind", inches("MEASURE_WITH_UNIT(LENGTH_MEASURE(25.4),#90003)"), 25.4],
  ["inches by a factor without a type", inches("LENGTH_MEASURE_WITH_UNIT(25.4,#90003)"), 25.4],
  [
    "inches by a factor of another type",
    inches("LENGTH_MEASURE_WITH_UNIT(POSITIVE_LENGTH_MEASURE(25.4),#90003)"),
    25.4,
  ],
  ["inches over several lines", inches("LENGTH_MEASURE_WITH_UNIT(\n  LENGTH_MEASURE(25.4)\n  , #90003 )"), 25.4],
  ["a whole factor", inches("LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(25),#90003)"), 25],
  [
    "a measure as a complex instance",
    inches("( LENGTH_MEASURE_WITH_UNIT() MEASURE_WITH_UNIT(LENGTH_MEASURE(25.4),#90003) )"),
    25.4,
  ],
  [
    "a name with a quote, and a comment",
    inches(TYPED, INCH.replace("'INCH'", "/* ; */'IN''CH'").replace("/* ; */", "/* imperial */")),
    25.4,
  ],
  [
    "supertypes in another order",
    inches(TYPED, "( LENGTH_UNIT() NAMED_UNIT(#90002) CONVERSION_BASED_UNIT('INCH',#90001) )"),
    25.4,
  ],
  [
    "a unit with an offset",
    inches(TYPED, INCH.replace(" LENGTH_UNIT", " CONVERSION_BASED_UNIT_WITH_OFFSET(0.) LENGTH_UNIT")),
    25.4,
  ],
  [
    "feet by inches",
    withUnit(
      "( CONVERSION_BASED_UNIT('FOOT',#90004) LENGTH_UNIT() NAMED_UNIT(#90002) )",
      `#90004 = LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(12.),#90005);\n#90005 = ${INCH};\n#90001 = ${TYPED};\n${BASE}`,
    ),
    304.8,
  ],
  [
    "a unit that is only named",
    withUnit("( CONTEXT_DEPENDENT_UNIT('INCH') LENGTH_UNIT() NAMED_UNIT(#90002) )", EXPONENTS),
    25.4,
  ],
  ["a unit of the SI alone", withUnit("SI_UNIT(.CENTI.,.METRE.)"), 10],
];

const read = (text: string, chordalToleranceMm: number, unitMm?: number): Promise<ModelFile> =>
  stepReader.read(file("unit.stp", text), { chordalToleranceMm, angleToleranceDeg: 30, unitMm }, noProgress);
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const unitOf = (text: string): number | undefined => withReadableUnits(encode(text)).unitMm;

for (const [name, text, unitMm] of UNITS) {
  test(`the length unit is found, and coordinates are those of the file: ${name}`, async () => {
    assert.equal(unitOf(text), unitMm);
    const model = await read(text, 0.5 * unitMm);
    assert.equal(model.unitMm, unitMm);
    for (const [i, right] of [60, 88].entries()) {
      const { max } = boxOf(model.parts[i].surface.vertices as Float64Array);
      assert.ok(Math.abs(max[0] - right) < 0.05, `${max[0]}`);
    }
  });
}

test("a file without a length unit, or with several units, is in millimetres", async () => {
  assert.equal(unitOf(SOUND), 1);
  assert.equal(unitOf(SOUND.replaceAll("GLOBAL_UNIT_ASSIGNED_CONTEXT", "OTHER")), undefined);
  assert.equal(unitOf(SOUND.replace(siUnit(".MILLI."), siUnit(".CENTI."))), undefined);
  assert.equal(unitOf(withUnit(INCH)), undefined);
  assert.equal(unitOf(inches(TYPED.replace("#90003", "#90001"))), undefined);
  assert.equal(unitOf(withUnit("( CONTEXT_DEPENDENT_UNIT('FURLONG') LENGTH_UNIT() NAMED_UNIT(#90002) )")), undefined);
});

test("each part of a file with several units has its true size, whatever the spelling of the units", async () => {
  for (const other of [siUnit(".CENTI."), "SI_UNIT(.CENTI.,.METRE.)"]) {
    const mixed = await read(SOUND.replace(siUnit(".MILLI."), other), 0.5);
    assert.equal(mixed.unitMm, 1);
    const right = mixed.parts.map(({ surface }) => boxOf(surface.vertices as Float64Array).max[0]);
    assert.ok(Math.abs(right[0] - 600) < 0.5 && Math.abs(right[1] - 88) < 0.05, `${right}`);
  }
});

test("a file with units that OpenCASCADE reads stays unchanged", () => {
  for (const text of [SOUND, withUnit(siUnit("$")), inches(TYPED)]) {
    const bytes = encode(text);
    assert.equal(withReadableUnits(bytes).bytes, bytes);
  }
});

test("the tolerances apply to the size in the forced unit", async () => {
  const facets = async (text: string, unitMm?: number): Promise<number> =>
    (await read(text, 0.2, unitMm)).parts.reduce((sum, { surface }) => sum + surface.triangles.length, 0);
  assert.equal(await facets(SOUND, 25.4), await facets(inches(TYPED)));
  assert.equal(await facets(inches(TYPED), 1), await facets(SOUND));
});
