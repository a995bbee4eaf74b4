import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { describeDefects, meshReport } from "../../src/mesh/mesh-report.ts";
import { type Surface, concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { type ImportedFile, importFile } from "../../src/feature/import/import-file.ts";
import { catiaPart } from "../fixture/catia-file.ts";
import { creoPart } from "../fixture/creo-file.ts";
import { type DisplayFace, displayFaces } from "../fixture/display-faces.ts";
import { inventorPart } from "../fixture/inventor-file.ts";
import { box, cylinder, torus, uvSphere } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { oldSolidworksPart, solidworksPackage, solidworksPart } from "../fixture/solidworks-file.ts";
import { compoundFile } from "../fixture/compound-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

// Formats of CAD programs whose display meshes are read.

const file = temporaryFiles();
const read = (name: string, bytes: Uint8Array): Promise<ImportedFile> =>
  importFile(
    {
      file: file(name, bytes),
      repairBehavior: "ERROR",
      split: false,
      options: { chordalToleranceMm: 0.01, angleToleranceDeg: 5 },
    },
    noProgress,
  );

interface Format {
  readonly what: string;
  readonly name: string;
  readonly program: string;
  readonly unitMm: number;
  readonly write: (surface: Surface) => Uint8Array;
}

const SOLIDWORKS = { name: "part.SLDPRT", program: "Solidworks", unitMm: 1000 };
const FORMATS: readonly Format[] = [
  { ...SOLIDWORKS, what: "a Solidworks package", write: solidworksPart },
  ...(["plain", "zlib", "imploded"] as const).map((storage) => ({
    ...SOLIDWORKS,
    what: `a Solidworks compound file with ${storage} lists`,
    write: (surface: Surface) => oldSolidworksPart(surface, storage),
  })),
  { name: "part.ipt", program: "Inventor", unitMm: 10, what: "an Inventor part", write: inventorPart },
  { name: "part.prt.3", program: "PTC Creo", unitMm: 1000, what: "a PTC Creo part", write: creoPart },
  {
    name: "part.CATPart",
    program: "Catia.* 0.2 mm",
    unitMm: 1,
    what: "a Catia part",
    write: (surface) => catiaPart([surface]),
  },
];
const SHAPES = { box: box([10, 20, 30]), cylinder: cylinder(5, 10, 24), torus: torus(10, 3, 24, 12) };

for (const { what, name, program, unitMm, write } of FORMATS) {
  test(`${what} has its shape, closed and in its unit, and a warning about the accuracy`, async () => {
    for (const [shape, surface] of Object.entries(SHAPES)) {
      const { parts, fileUnitMm, warnings } = await read(name, write(surface));
      assert.equal(parts.length, 1);
      assert.equal(fileUnitMm, unitMm);
      const [{ mesh }] = parts;
      assert.deepEqual(describeDefects(meshReport(mesh, noProgress)), [], shape);
      assert.equal(mesh.triangles.length, surface.triangles.length, shape);
      const expected = await read("same.stl", binaryStl(surface));
      assert.ok(Math.abs(mesh.volumeMm3 / expected.parts[0].mesh.volumeMm3 - 1) < 1e-5, shape);
      assert.equal(warnings.length, 1);
      assert.match(warnings[0], new RegExp(`${program}.*chordal_tolerance_um`));
    }
  });
}

test("faces of an Inventor part whose meshes cannot be read are reported", async () => {
  const broken = { points: [[0, 0, 0]], triangles: [[0, 1, 99]] } satisfies DisplayFace;
  const part = inventorPart(SHAPES.box, undefined, (surface) => [...displayFaces(surface), broken]);
  const { warnings } = await read("part.ipt", part);
  assert.equal(warnings[1], "Faces whose meshes cannot be read, of the 7 of the file: 1.");
});

test("parts without a display mesh are refused with the way out", async () => {
  const message = /no display mesh.*STEP/;
  const packaged = solidworksPackage({ "Contents/CMgr": new Uint8Array(9) });
  await assert.rejects(read("part.sldprt", packaged), { code: "OPERATION_FAILED", message });
  const compound = compoundFile({ "Contents/CMgr": new Uint8Array(9) });
  for (const name of ["part.sldprt", "part.ipt"]) {
    await assert.rejects(read(name, compound), { code: "OPERATION_FAILED", message });
  }
});

test("files that are not parts, and files of other programs with the same extension, are reported", async () => {
  const assembly = creoPart(SHAPES.box, { kind: "ASSEMBLY" });
  await assert.rejects(read("a.prt.1", assembly), { code: "OPERATION_FAILED", message: /ASSEMBLY.*import its parts/ });
  await assert.rejects(read("a.prt", new TextEncoder().encode("NX part")), { message: /no PTC Creo file \(NX.*STEP/ });
  const whole = creoPart(SHAPES.box);
  const bare = whole.subarray(0, whole.indexOf("not needed"));
  await assert.rejects(read("a.prt", bare), { code: "OPERATION_FAILED", message: /without its view data.*STEP/ });
});

test("sheets of a Catia part are left out if it has solids, and read if it has none", async () => {
  const sheet = { vertices: SHAPES.box.vertices, triangles: SHAPES.box.triangles.subarray(0, 6) };
  const { parts, warnings } = await read("part.catpart", catiaPart([SHAPES.box, SHAPES.torus], [sheet]));
  assert.equal(warnings.length, 2);
  assert.match(warnings[1], /A surface.*left out/);
  const whole = await read("both.stl", binaryStl(concatenateSurfaces([SHAPES.box, SHAPES.torus])));
  assert.equal(parts[0].mesh.triangles.length, whole.parts[0].mesh.triangles.length);
  await assert.rejects(read("part.catpart", catiaPart([], [sheet])), { message: /needs repair/ });
});

test("vertex numbers of a Catia part have two bytes from 256 vertices on", async () => {
  const many = uvSphere(15, 32, 16);
  const { parts } = await read("part.catpart", catiaPart([many]));
  assert.equal(parts[0].mesh.triangles.length, many.triangles.length);
});
