import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { longTest } from "../../fixture/long.ts";
import { noProgress } from "../../../src/core/progress.ts";
import { boxSize } from "../../../src/geometry/box.ts";
import { canonicalMesh } from "../../../src/mesh/canonical-mesh.ts";
import { describeDefects, meshReport } from "../../../src/mesh/mesh-report.ts";
import { type ImportedFile, importFile } from "../../../src/feature/import/import-file.ts";
import type { RepairBehavior } from "../../../src/feature/import/stored-file.ts";
import { concatenateSurfaces } from "../../../src/mesh/mesh.ts";
import { jtPart } from "../../fixture/jt-part-file.ts";
import { torus, uvSphere } from "../../fixture/shapes.ts";
import { moved } from "../../fixture/surface-edits.ts";
import { temporaryFiles } from "../../fixture/temporary-files.ts";

const file = temporaryFiles();
const corpus = (name: string): string => fileURLToPath(new URL(`../../fixture/corpus/${name}`, import.meta.url));
const FAN = corpus("jt-fan-9.0.jt");
const VALVE_8 = corpus("jt-butterflyvalve-8.0.jt");
const VALVE_9 = corpus("jt-butterflyvalve-9.5.jt");
const VALVE_10 = corpus("jt-butterflyvalve-10.0.jt");

const read = (
  path: string,
  { split = true, repairBehavior = "IGNORE" as RepairBehavior } = {},
): Promise<ImportedFile> =>
  importFile(
    { file: path, repairBehavior, split, options: { chordalToleranceMm: 0.01, angleToleranceDeg: 5 } },
    noProgress,
  );
const near = (value: number, expected: number, share: number): void =>
  assert.ok(Math.abs(value / expected - 1) < share, `${value} instead of ${expected}`);

test("a JT 9.0 file in millimetres has its closed parts with their names, and states its deviation", async () => {
  const { parts, fileUnitMm, warnings } = await read(FAN, { repairBehavior: "ERROR" });
  assert.equal(fileUnitMm, 1);
  assert.deepEqual(
    parts.map(({ index, name }) => [index, name]),
    [
      [0, "FAN_ASSY.PRT_SOLIDS"],
      [1, "fan_casing_MODEL_SOLIDS"],
    ],
  );
  for (const { mesh } of parts) {
    assert.deepEqual(describeDefects(meshReport(mesh, noProgress)), []);
    assert.ok(mesh.volumeMm3 > 0);
  }
  // The housing is a square of 80 mm, 25 mm deep.
  for (const [i, size] of [80, 80, 25].entries()) near(boxSize(parts[1].mesh.box)[i], size, 1e-5);
  assert.match(warnings.join(), /0\.000116 mm.*chordal_tolerance_um/);
});

test("a topology of any size and number of bodies is read back as it was coded", async () => {
  const tori = [torus(20, 5, 60, 30), moved(uvSphere(10, 40, 20), [60, 0, 0])];
  const surface = concatenateSurfaces(tori);
  const { parts, fileUnitMm } = await read(file("part.jt", jtPart(surface)), { repairBehavior: "ERROR" });
  assert.equal(fileUnitMm, 1);
  assert.deepEqual(
    parts.map(({ mesh }) => mesh.hash),
    [canonicalMesh(surface, 1, noProgress).hash],
  );
});

longTest(
  "versions 8.0, 9.5 and 10.0 of one assembly in inches, with different codings, have the same shapes at the same places",
  async () => {
    const [nine, ...others] = await Promise.all([VALVE_9, VALVE_8, VALVE_10].map((path) => read(path)));
    assert.equal(nine.fileUnitMm, 25.4);
    assert.equal(nine.parts.length, 12);
    for (const { parts, fileUnitMm } of others) {
      assert.equal(fileUnitMm, 25.4);
      assert.deepEqual(
        parts.map(({ index, name }) => [index, name]),
        nine.parts.map(({ index, name }) => [index, name]),
      );
      for (const [i, { mesh }] of nine.parts.entries()) {
        const other = parts[i].mesh;
        assert.equal(mesh.triangles.length, other.triangles.length, String(nine.parts[i].name));
        near(mesh.areaMm2, other.areaMm2, 1e-5);
        for (let axis = 0; axis < 3; axis++) {
          assert.ok(Math.abs(mesh.box.min[axis] - other.box.min[axis]) < 1e-3);
          assert.ok(Math.abs(mesh.box.max[axis] - other.box.max[axis]) < 1e-3);
        }
      }
    }
    // The screws of the cover are one part that is used three times.
    const screws = nine.parts.filter(({ name }) => name === "screw_10_x_75_SOLID_SOLIDS");
    assert.equal(screws.length, 3);
    assert.equal(new Set(screws.map(({ mesh }) => mesh.box.min.map((value) => value.toFixed(2)).join())).size, 3);
    for (const { mesh } of screws) near(mesh.areaMm2, screws[0].mesh.areaMm2, 1e-3);
  },
);

test("other versions, other files and big-endian ones are reported", async () => {
  const whole = readFileSync(VALVE_9);
  const cases: readonly (readonly [(bytes: Buffer) => void, RegExp])[] = [
    [(bytes) => bytes.write("Version 7.3"), /version 7/],
    [(bytes) => bytes.write("Version 11.0"), /version 11/],
    [(bytes) => bytes.write("something"), /no JT file/],
    [(bytes) => bytes.writeUInt8(1, 80), /big-endian/],
  ];
  for (const [change, message] of cases) {
    const bytes = Buffer.from(whole);
    change(bytes);
    await assert.rejects(read(file("other.jt", bytes)), { code: "OPERATION_FAILED", message });
  }
  for (const bytes of [new Uint8Array(0), new Uint8Array(1e6)]) {
    await assert.rejects(read(file("empty.jt", bytes)), { code: "OPERATION_FAILED", message: /no JT file/ });
  }
});
