import assert from "node:assert/strict";
import { test } from "node:test";
import type { File3dm, RhinoModule } from "rhino3dm";
import { noProgress } from "../../../src/core/progress.ts";
import { rhinoLibrary, withHandles } from "../../../src/format/rhino/rhino-library.ts";
import { placedObjects } from "../../../src/format/rhino/rhino-objects.ts";
import { importFile } from "../../../src/feature/import/import-file.ts";
import { addBlock, attributes, boxBrep, placedBlock, rhinoFile } from "../../fixture/rhino-file.ts";
import { temporaryFiles } from "../../fixture/temporary-files.ts";
import { longTest } from "../../fixture/long.ts";

const file = temporaryFiles();
const rhino = await rhinoLibrary(0);

/**
 * A document with nested blocks. The first one contains a box, each other one contains the block before it `copies` times; the last
 * one is placed.
 */
function nested(names: readonly string[], copies = 1): File3dm {
  const document = new rhino.File3dm();
  const geometry = boxBrep(rhino, [0, 0, 0], [1, 1, 1]);
  const last = names.reduce((inner, name) => {
    const members =
      inner === "" ? [{ geometry }] : Array.from({ length: copies }, () => ({ geometry: placed(rhino, inner) }));
    return addBlock(rhino, document, name, members);
  }, "");
  document.objects().addInstanceObject(placed(rhino, last) as never, attributes(rhino));
  return document;
}

const placed = (library: RhinoModule, id: string): object => placedBlock(library, id, library.Transform.identity());

/** The document in which block `from` also contains the content of block `to`. The library itself writes no such file. */
function closed(document: File3dm, from: string, to: string): File3dm {
  const table = document.instanceDefinitions();
  const blocks = Array.from({ length: table.count }, (_, i) => {
    const { id, name, updateType, ...block } = table.get(i);
    return { ...block, id, name, updateType, members: table.get(i).getObjectIds() };
  });
  const members = blocks.find(({ name }) => name === to)!.members;
  const wrapped = blocks.map((block) => ({
    ...block,
    getObjectIds: () => (block.name === from ? members : block.members),
  }));
  return {
    objects: () => document.objects(),
    layers: () => document.layers(),
    instanceDefinitions: () => ({ count: wrapped.length, get: (i: number) => wrapped[i] }),
  } as unknown as File3dm;
}

const countOf = (document: File3dm): number =>
  withHandles((own) => placedObjects(rhino, document, own, (why) => new Error(why) as never).objects.length);

test("a block that contains itself, directly or not, is refused, and so are blocks that multiply without end", () => {
  assert.equal(countOf(nested(["a", "b", "c"])), 1);
  assert.throws(() => countOf(closed(nested(["a", "b"]), "a", "b")), /block "a" contains itself.*explode it/);
  assert.throws(() => countOf(closed(nested(["a", "b", "c"]), "a", "c")), /block "[ab]" contains itself.*explode it/);
  const levels = Array.from({ length: 18 }, (_, i) => `level ${i}`);
  assert.throws(() => countOf(nested(levels, 2)), /more than 10000 parts/);
});

longTest(
  "a ball in a mirrored block in an unevenly stretched block is an ellipsoid, with its facets outward",
  async () => {
    const bytes = await rhinoFile((library, document) => {
      const ball = library.Brep.createFromSphere(new library.Sphere([3, 0, 0], 1));
      const inner = addBlock(library, document, "inner", [{ geometry: ball, name: "ball" }]);
      const mirror = library.Transform.mirror([0, 0, 0], [1, 0, 0]);
      const outer = addBlock(library, document, "outer", [{ geometry: placedBlock(library, inner, mirror) }]);
      const stretch = library.Transform.identity();
      [stretch.m00, stretch.m11, stretch.m22] = [2, 3, 0.5];
      document.objects().addInstanceObject(placedBlock(library, outer, stretch) as never, attributes(library));
    });
    const options = { chordalToleranceMm: 0.01, angleToleranceDeg: 10 };
    const path = file("ellipsoid.3dm", bytes);
    const { parts } = await importFile({ file: path, repairBehavior: "ERROR", split: true, options }, noProgress);
    const [{ mesh }] = parts;
    const share = mesh.volumeMm3 / (4 * Math.PI) - 1;
    assert.ok(share < 0 && share > -0.02, String(share));
    [-8, -3, -0.5].forEach((value, i) => assert.ok(Math.abs(mesh.box.min[i] - value) < 0.02, `${mesh.box.min}`));
  },
);
