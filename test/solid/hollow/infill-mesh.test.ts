import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import { filledMesh } from "../../../src/mesh/filled-mesh.ts";
import { checkClosedManifold } from "../../../src/mesh/mesh-report.ts";
import { INFILL_KINDS } from "../../../src/mesh/mesh.ts";
import { infillMesh } from "../../../src/solid/hollow/infill-mesh.ts";
import { box } from "../../fixture/shapes.ts";
import { evenly, gridOf, meshOf, placed, slicedVolume } from "../../fixture/slices.ts";
import { insideOut } from "../../fixture/surface-edits.ts";

test("the mesh of infill is closed, and united with the part it has the layers of the part with infill", () => {
  const shell = meshOf(box([10, 11, 9]), insideOut(box([8, 9, 7])));
  const cavity = meshOf(box([8, 9, 7]));
  const pose = { position: [1, -2, 11], orientation: { x: 20, y: 10, z: 0 }, scale: 1.1 } as const;
  for (const kind of INFILL_KINDS) {
    const infill = { kind, cellMm: 4, wallMm: 0.6, clearanceMm: 1, cavity };
    const filled = placed(filledMesh(shell, infill), pose);
    const [own = assert.fail(), ...others] = infillMesh(filled, noProgress);
    assert.deepEqual(others, []);
    assert.deepEqual(checkClosedManifold(own.mesh, noProgress), { isOpen: false, hasInward: false });
    const slicing = { boundariesMm: evenly(44, 0.5), grid: gridOf(100, 100, 0.25) };
    const [bare, byMesh, byRule] = [[placed(shell, pose)], [placed(shell, pose), own], [filled]].map((parts) =>
      slicedVolume({ placed: parts, ...slicing }),
    );
    const [meshMm3, ruleMm3] = [byMesh! - bare!, byRule! - bare!];
    assert.ok(Math.abs(meshMm3 / ruleMm3 - 1) < 0.05, `${kind}: ${meshMm3} ${ruleMm3} mm³`);
  }
});
