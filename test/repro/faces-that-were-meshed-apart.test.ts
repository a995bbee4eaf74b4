import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { concatenateSurfaces, vertexAt, vertexCount } from "../../src/mesh/mesh.ts";
import { importFile } from "../../src/feature/import/import-file.ts";
import { facetsOf } from "../fixture/surface-edits.ts";
import { solidworksPart } from "../fixture/solidworks-file.ts";
import { type Rz, sweptFaces } from "../fixture/swept-faces.ts";

// In display meshes of real parts, two faces follow a common edge with different vertices. These meshes were refused as open.

const folder = mkdtempSync(join(tmpdir(), "faces-apart-"));
after(() => rmSync(folder, { recursive: true }));

const RING: readonly Rz[] = [
  [5, 0],
  [9, 0],
  [9, 10],
  [5, 10],
];

function importOf(stepsOf: (i: number) => number): ReturnType<typeof importFile> {
  const faces = sweptFaces(RING, stepsOf);
  const file = join(folder, "ring.sldprt");
  writeFileSync(
    file,
    solidworksPart(concatenateSurfaces(faces), undefined, () =>
      faces.map((face) => ({
        points: Array.from({ length: vertexCount(face) }, (_, v) => vertexAt(face, v)),
        triangles: facetsOf(face),
      })),
    ),
  );
  const options = { chordalToleranceMm: 0.01, angleToleranceDeg: 5 };
  return importFile({ file, repairBehavior: "ERROR", split: false, options }, noProgress);
}

test("a part whose faces follow their common edges with different vertices needs no repair", async () => {
  const { parts, warnings } = await importOf((i) => 40 + 3 * i);
  const volume = Math.PI * (9 ** 2 - 5 ** 2) * 10;
  assert.ok(Math.abs(parts[0].mesh.volumeMm3 / volume - 1) < 0.005);
  // Chords of 40 steps around a radius of 9 mm are 0.03 mm from the circle, which no printer shows.
  assert.equal(warnings.length, 1);
});

test("gaps wide enough to be printed are closed with a warning", async () => {
  const { warnings } = await importOf((i) => 16 + 3 * i);
  assert.match(warnings[1], /^Gaps of up to 0\.1\d mm between the faces .* at 4 places/);
});
