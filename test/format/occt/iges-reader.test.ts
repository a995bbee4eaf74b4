import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../../src/core/api-error.ts";
import { noProgress } from "../../../src/core/progress.ts";
import type { ModelFile } from "../../../src/format/model-reader.ts";
import { igesReader, lengthUnitMm } from "../../../src/format/occt/iges-reader.ts";
import { importFile } from "../../../src/feature/import/import-file.ts";
import { boxFaces, igesText, movedFaces, sphereFace } from "../../fixture/iges-file.ts";
import { longTest } from "../../fixture/long.ts";
import { temporaryFiles } from "../../fixture/temporary-files.ts";

const file = temporaryFiles();
const ROUGH = { chordalToleranceMm: 0.1, angleToleranceDeg: 10 };
const read = (text: string): Promise<ModelFile> => igesReader.read(file("model.igs", text), ROUGH, noProgress);
const SPHERE_MM3 = (4 / 3) * Math.PI * 5 ** 3;
const TWO_BOXES = [...boxFaces([10, 20, 30]), ...movedFaces(boxFaces([10, 20, 30]), [0, 0, 50])];

/** Unit flag and name of the global section, and their length in millimetres. */
const UNITS: readonly [unit: string, unitMm: number][] = [
  ["1,2HIN", 25.4],
  ["2,2HMM", 1],
  ["3,2HCM", 10],
  ["3,4HINCH", 25.4],
  ["4,2HFT", 304.8],
  ["6,1HM", 1000],
  ["10,2HCM", 10],
  [",", 25.4],
];

for (const [unit, unitMm] of UNITS) {
  test(`coordinates are those of the file, with ${unitMm} mm for the unit ${unit}`, async () => {
    const options = { chordalToleranceMm: 0.1 * unitMm, angleToleranceDeg: 10 };
    const model = await igesReader.read(file("unit.igs", igesText(boxFaces([10, 20, 30]), unit)), options, noProgress);
    assert.equal(model.unitMm, unitMm);
    assert.ok(Math.abs(Math.max(...model.parts[0].surface.vertices) - 30) < 1e-6);
  });
}

test("the unit is found also with other delimiters, and is undefined if the file does not state it", () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const global = (text: string): Uint8Array => bytes(`${"".padEnd(72)}S      1\n${text.padEnd(72)}G      1\n`);
  assert.equal(lengthUnitMm(global("1H//1H;/3Ha/b/1Hc/1Hd/1He/32/38/6/38/15/1Hf/1./6/1HM;")), 1000);
  assert.equal(lengthUnitMm(bytes(igesText([], "3,5HCUBIT"))), undefined);
});

test("separate faces become one closed part for each solid", async () => {
  const request = { file: file("boxes.iges", igesText(TWO_BOXES)), repairBehavior: "ERROR", split: true } as const;
  const { parts, fileUnitMm } = await importFile({ ...request, options: ROUGH }, noProgress);
  assert.equal(fileUnitMm, 1);
  assert.deepEqual(
    parts.map(({ index, mesh }) => [index, mesh.volumeMm3, mesh.box.min[2]]),
    [
      [0, 6000, 0],
      [1, 6000, 50],
    ],
  );
});

longTest("a curved face that is a whole sphere is closed, and its triangles face outward", async () => {
  const request = { file: file("ball.igs", igesText(sphereFace(5))), repairBehavior: "ERROR", split: false } as const;
  const options = { chordalToleranceMm: 0.005, angleToleranceDeg: 5 };
  const { parts } = await importFile({ ...request, options }, noProgress);
  assert.ok(Math.abs(parts[0].mesh.volumeMm3 / SPHERE_MM3 - 1) < 2e-3, `${parts[0].mesh.volumeMm3}`);
});

test("files that are not IGES, cut short, or without shapes are refused", async () => {
  const sound = igesText(boxFaces([1, 2, 3]));
  const bad = ["", "solid cube\nendsolid\n", igesText([]), sound.slice(0, 1000), "\0".repeat(4096)];
  for (const text of bad) {
    await assert.rejects(read(text), (thrown: unknown) => {
      assert.ok(thrown instanceof ApiError && thrown.code === "OPERATION_FAILED", String(thrown));
      assert.match(thrown.message, /export/);
      return true;
    });
  }
});

test("lost lines, lost faces and solids of unsupported kinds are reported, and refused under ERROR", async () => {
  const box = boxFaces([10, 20, 30]);
  const unread = [
    { type: 150, parameters: [10, 20, 30, 0, 0, 0, 1, 0, 0, 0, 0, 1] },
    { type: 158, parameters: [5, 0, 0, 0] },
  ];
  const sound = igesText(TWO_BOXES);
  // The last line of a face's parameters, and the face's two lines in the directory.
  const cut = sound.replace(/^.{72}P {5}10\n/m, "");
  const cases: readonly [text: string, message: RegExp, volumeMm3: number | undefined][] = [
    [cut, /damaged: it has \d+ lines in section P in place of \d+/, undefined],
    [igesText([...box, ...unread]), /not read, which the model lacks: 2 \("block", "sphere"\)/, 6000],
    [igesText([...box, { type: 144, parameters: [{ of: 1 }, 0, 0, { of: 2 }] }]), /lacks, of 7: 1\./, 6000],
  ];
  for (const [text, message, volumeMm3] of cases) {
    const request = { file: file("lost.igs", text), split: false, options: ROUGH } as const;
    await assert.rejects(importFile({ ...request, repairBehavior: "ERROR" }, noProgress), {
      code: "OPERATION_FAILED",
      message,
    });
    const { parts, warnings } = await importFile({ ...request, repairBehavior: "IGNORE" }, noProgress);
    if (volumeMm3 !== undefined) assert.ok(Math.abs(parts[0].mesh.volumeMm3 - volumeMm3) < 1e-6);
    assert.match(warnings.join(" "), message);
  }
});
