import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../src/core/api-error.ts";
import { noProgress } from "../../src/core/progress.ts";
import { describeDefects, meshReport } from "../../src/mesh/mesh-report.ts";
import type { Surface } from "../../src/mesh/mesh.ts";
import { type ImportedFile, importFile } from "../../src/worker/import-file.ts";
import { inventorPart } from "../fixture/inventor-file.ts";
import { box, cylinder, torus } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { oldSolidworksPart, solidworksPackage, solidworksPart } from "../fixture/solidworks-file.ts";
import { compoundFile } from "../fixture/compound-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

// Formats of CAD programs that are read by the meshes they display.

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
];
const SHAPES = { box: box([10, 20, 30]), cylinder: cylinder(5, 10, 24), torus: torus(10, 3, 24, 12) };

for (const { what, name, program, unitMm, write } of FORMATS) {
  test(`${what} has its shape, closed, in its unit, and warns of the accuracy`, async () => {
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

  test(`${what} that is cut off, empty or full of zeros is refused with its name`, async () => {
    const whole = write(SHAPES.cylinder);
    for (let percent = 0; percent < 100; percent++) {
      const cut = whole.subarray(0, Math.floor((whole.length * percent) / 100));
      await read(name, cut).catch((thrown: unknown) => {
        assert.ok(thrown instanceof ApiError && thrown.code === "OPERATION_FAILED", String(thrown));
      });
    }
    for (const bytes of [new Uint8Array(0), new Uint8Array(1e6)]) {
      await assert.rejects(read(name, bytes), { code: "OPERATION_FAILED", message: new RegExp(`"[^"]*${name}"`) });
    }
  });
}

test("parts without a display mesh are refused with the way out", async () => {
  const message = /no display mesh.*STEP/;
  const packaged = solidworksPackage({ "Contents/CMgr": new Uint8Array(9) });
  await assert.rejects(read("part.sldprt", packaged), { code: "OPERATION_FAILED", message });
  const compound = compoundFile({ "Contents/CMgr": new Uint8Array(9) });
  for (const name of ["part.sldprt", "part.ipt"]) {
    await assert.rejects(read(name, compound), { code: "OPERATION_FAILED", message });
  }
});
