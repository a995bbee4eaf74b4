import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import type { File3dm, Mesh, RhinoModule } from "rhino3dm";
import { ApiError } from "../../../src/core/api-error.ts";
import { noProgress } from "../../../src/core/progress.ts";
import type { ReadOptions } from "../../../src/format/model-reader.ts";
import { objectRecords } from "../../../src/format/rhino/rhino-chunks.ts";
import { rhinoReader } from "../../../src/format/rhino/rhino-reader.ts";
import { type ImportedFile, importFile } from "../../../src/feature/import/import-file.ts";
import { addBlock, attributes, boxBrep, placedBlock, rhinoFile, rhinoMesh } from "../../fixture/rhino-file.ts";
import { box, uvSphere } from "../../fixture/shapes.ts";
import { temporaryFiles } from "../../fixture/temporary-files.ts";
import { longTest } from "../../fixture/long.ts";

const file = temporaryFiles();
type Draw = (rhino: RhinoModule, file: File3dm) => void;

const ROUGH = { chordalToleranceMm: 0.1, angleToleranceDeg: 20 };

async function imported(draw: Draw, { unitMm, ...options }: ReadOptions = ROUGH): Promise<ImportedFile> {
  const path = file("model.3dm", await rhinoFile(draw));
  return importFile({ file: path, repairBehavior: "ERROR", split: true, options, unitMm }, noProgress);
}

const named = (rhino: RhinoModule, name: string) => attributes(rhino, { name });

/** Name, volume and least corner of each part, rounded to thousandths. */
const summary = ({ parts }: ImportedFile): unknown[] =>
  parts.map(({ name, mesh }) => [name, Math.round(mesh.volumeMm3 * 1000) / 1000, mesh.box.min.map(Math.round)]);

const refusedWith = (draw: Draw, message: RegExp): Promise<void> =>
  assert.rejects(imported(draw), (thrown: unknown) => {
    assert.ok(thrown instanceof ApiError && thrown.code === "OPERATION_FAILED", String(thrown));
    assert.match(thrown.message, message);
    return true;
  });

const cylinder = (rhino: RhinoModule, radius: number, height: number) =>
  new rhino.Cylinder(new rhino.Circle([0, 0, 0], radius), height);

const drum: Draw = (rhino, document) => {
  const brep = rhino.Brep.createFromCylinder(cylinder(rhino, 5, 10), true, true);
  document.objects().addBrep(brep, named(rhino, "drum"));
};

const solids: Draw = (rhino, document) => {
  drum(rhino, document);
  const pipe = rhino.Extrusion.createPipeExtrusion(cylinder(rhino, 5, 10), 3, true, true);
  document.objects().addBrep(boxBrep(rhino, [0, 0, 0], [10, 20, 30]), named(rhino, "block"));
  document.objects().addExtrusion(pipe, named(rhino, "pipe"));
};

longTest(
  "Breps and extrusions are closed solids with their names, and within 1e-4 of their volumes at 10 µm",
  async () => {
    const { parts, fileUnitMm, warnings } = await imported(solids, { chordalToleranceMm: 0.01, angleToleranceDeg: 1 });
    assert.equal(fileUnitMm, 1);
    assert.deepEqual(warnings, []);
    const volumes = [Math.PI * 5 ** 2 * 10, 6000, Math.PI * (5 ** 2 - 3 ** 2) * 10];
    assert.deepEqual(
      parts.map(({ name, index }) => [index, name]),
      ["drum", "block", "pipe"].map((name, i) => [i, name]),
    );
    volumes.forEach((volume, i) => {
      const error = Math.abs(parts[i].mesh.volumeMm3 / volume - 1);
      assert.ok(error < 1e-4, `${parts[i].name}: ${error}`);
    });
  },
);

longTest("the unit of the file or the forced one applies, and the tolerances apply to the resulting size", async () => {
  const inch: Draw = (rhino, document) => {
    drum(rhino, document);
    document.settings().modelUnitSystem = rhino.UnitSystem.Inches;
  };
  const facets = ({ parts }: ImportedFile): number[] => parts.map(({ mesh }) => mesh.triangles.length);
  const [detected, forced, plain] = [
    await imported(inch),
    await imported(drum, { ...ROUGH, unitMm: 25.4 }),
    await imported(drum),
  ];
  assert.equal(detected.fileUnitMm, 25.4);
  assert.ok(Math.abs(detected.parts[0].mesh.box.max[2] - 254) < 1e-3);
  assert.deepEqual(facets(forced), facets(detected));
  assert.ok(facets(plain)[0] < facets(detected)[0]);
});

longTest("meshes are read unchanged, with quads split along their shorter diagonal", async () => {
  const made = await imported((rhino, document) => {
    const mesh = rhinoMesh(rhino, box([2, 3, 4]));
    document.objects().addMesh(mesh, named(rhino, "mesh"));
  });
  assert.deepEqual(summary(made), [["mesh", 24, [-1, -1, -2]]]);
  const quads = await trianglesOf((mesh) => mesh.faces().addQuadFace(0, 1, 2, 3));
  assert.deepEqual(quads, [0, 1, 3, 1, 2, 3]);
  const mixed = await trianglesOf((mesh) => {
    mesh.faces().addTriFace(2, 1, 0);
    mesh.faces().addQuadFace(0, 1, 2, 3);
    mesh.faces().addTriFace(0, 3, 2);
  });
  assert.deepEqual(mixed, [2, 1, 0, 0, 1, 3, 1, 2, 3, 0, 3, 2]);
  for (const last of [2, 9]) {
    await assert.rejects(
      trianglesOf((mesh) => mesh.faces().addQuadFace(0, 1, last === 9 ? 2 : 9, last)),
      /face 1 of a mesh has a vertex that does not exist/,
    );
  }
});

/** The corners of a mesh with four vertices, as read. */
async function trianglesOf(addFaces: (mesh: Mesh) => void): Promise<number[]> {
  const path = file(
    "quads.3dm",
    await rhinoFile((rhino, document) => {
      const mesh = new rhino.Mesh();
      for (const [x, y] of [
        [0, 0],
        [9, 0],
        [10, 1],
        [0, 1],
      ])
        mesh.vertices().add(x, y, 0);
      addFaces(mesh);
      document.objects().addMesh(mesh, named(rhino, ""));
    }),
  );
  const { parts } = await rhinoReader.read(path, ROUGH, noProgress);
  return [...parts[0].surface.triangles];
}

longTest(
  "blocks are placed, also nested, mirrored and enlarged; a part without a name has the name of its block",
  async () => {
    const made = await imported((rhino, document) => {
      const { Transform } = rhino;
      const inner = addBlock(rhino, document, "bolt", [{ geometry: boxBrep(rhino, [0, 0, 0], [1, 2, 3]) }]);
      const twice = Transform.scale([0, 0, 0], 2);
      const aside = Transform.translationXYZ(10, 0, 0);
      const outer = addBlock(rhino, document, "pair", [
        { geometry: placedBlock(rhino, inner, Transform.identity()) },
        { geometry: placedBlock(rhino, inner, aside), name: "second" },
      ]);
      const mirror = Transform.mirror([0, 0, 0], [0, 0, 1]);
      for (const transform of [twice, mirror]) {
        document.objects().addInstanceObject(placedBlock(rhino, outer, transform) as never, named(rhino, ""));
      }
    });
    assert.deepEqual(summary(made), [
      ["bolt", 48, [0, 0, 0]],
      ["second", 48, [20, 0, 0]],
      ["bolt", 6, [0, 0, -3]],
      ["second", 6, [10, 0, -3]],
    ]);
  },
);

test("hidden objects, objects of hidden layers, and curves are left out; objects without a name have the name of their layer", async () => {
  const made = await imported((rhino, document) => {
    const layers = [
      ["shown", true, undefined],
      ["hidden", false, undefined],
      ["below", true, 1],
    ] as const;
    const ids: string[] = [];
    for (const [name, visible, parent] of layers) {
      const layer = new rhino.Layer();
      layer.name = name;
      if (parent !== undefined) layer.parentLayerId = ids[parent];
      const index = document.layers().add(layer);
      const added = document.layers().get(index);
      added.visible = visible;
      ids.push(added.id);
    }
    const at = (x: number) => boxBrep(rhino, [x, 0, 0], [x + 1, 1, 1]);
    document.objects().addBrep(at(0), attributes(rhino, { layer: 0 }));
    document.objects().addBrep(at(10), attributes(rhino, { layer: 1 }));
    document.objects().addBrep(at(20), attributes(rhino, { layer: 2 }));
    const invisible = attributes(rhino, { name: "invisible" });
    invisible.visible = false;
    document.objects().addBrep(at(30), invisible);
    document.objects().addLine([0, 0, 0], [1, 1, 1]);
  });
  assert.deepEqual(summary(made), [["shown", 1, [0, 0, 0]]]);
  const [told] = made.warnings;
  assert.equal(
    told,
    'Objects that are left out, since they or their layers are hidden: 3 ("hidden", "below", "invisible").',
  );
});

test("if the kernel fails, the mesh that Rhino displayed is used, with a warning", async () => {
  const draw =
    (isSaved: boolean): Draw =>
    (rhino, document) => {
      const brep = boxBrep(rhino, [0, 0, 0], [1e-7, 1e-7, 1e-7]);
      const { vertices, triangles } = box([1, 1, 1]);
      for (let i = 0; i < (isSaved ? brep.faces().count : 0); i++) {
        const mesh = rhinoMesh(rhino, { vertices, triangles: triangles.slice(6 * i, 6 * i + 6) });
        // The type declaration has the arguments in the other order.
        brep
          .faces()
          .get(i)
          .setMesh(mesh as never, rhino.MeshType.Render as never);
      }
      document.objects().addBrep(brep, named(rhino, "point"));
    };
  const { parts, warnings } = await imported(draw(true));
  assert.equal(parts[0].mesh.volumeMm3, 1);
  assert.match(warnings[0], /"point".*Rhino displayed.*STEP/);
  await refusedWith(draw(false), /"point".*STEP or STL/);
});

test("files that are not Rhino files, cut short, or without shapes are refused", async () => {
  const sound = await rhinoFile(solids);
  const bad = ["", "solid cube\nendsolid\n", "\0".repeat(4096), sound.subarray(0, 2000)];
  for (const bytes of bad) {
    await assert.rejects(rhinoReader.read(file("bad.3dm", bytes), ROUGH, noProgress), (thrown: unknown) => {
      assert.ok(thrown instanceof ApiError && thrown.code === "OPERATION_FAILED", String(thrown));
      assert.match(thrown.message, /export/);
      return true;
    });
  }
  await refusedWith(() => {}, /no visible/);
});

test("an object that the library skips is counted, and refused under ERROR", async () => {
  const bytes = await rhinoFile((rhino, document) => {
    const ball = uvSphere(5, 20, 10);
    for (const name of ["one", "two"]) document.objects().addMesh(rhinoMesh(rhino, ball), named(rhino, name));
  });
  assert.equal(objectRecords(bytes), 2);
  // The type of the chunk with the second mesh, after the head of its record and its kind.
  const record = Buffer.from("70800020", "hex");
  bytes[Buffer.from(bytes).lastIndexOf(record) + 24] ^= 0x55;
  const request = { file: file("lost.3dm", bytes), split: true, options: ROUGH } as const;
  const message = /damaged, and that the model lacks: 1\./;
  await assert.rejects(importFile({ ...request, repairBehavior: "ERROR" }, noProgress), {
    code: "OPERATION_FAILED",
    message,
  });
  const { parts, warnings } = await importFile({ ...request, repairBehavior: "IGNORE" }, noProgress);
  assert.equal(parts.length, 1);
  assert.match(warnings.join(" "), message);
});
