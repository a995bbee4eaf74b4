import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import { checkRequest, cupsPerModel, modelBody } from "../fixture/check-request.ts";
import { meshOf } from "../fixture/slices.ts";
import { DRAINS, assertClosedManifold, makeDental } from "../solid/dental/dental-cases.ts";
import { TOOTH_FORMS, jaw } from "../solid/dental/jaw.ts";

const cups = (mesh: Mesh): number => cupsPerModel(checkRequest([modelBody(0, mesh)], 0.2), noProgress)[0];

test("a hollow jaw on the platform has no more cups than a solid one, with a honeycomb or without", async () => {
  for (const name of ["blocks", "molars"]) {
    const mesh = meshOf(jaw({ form: TOOTH_FORMS[name], teeth: 8, gumMm: 8, toothMm: 6 }));
    for (const wallMm of [undefined, 1]) {
      const extrudeMm = wallMm === undefined ? 2.5 : 6;
      const hollow = { shellMm: 2, wallMm, drains: { ...DRAINS, heightRatio: 0.8 } };
      const result = await makeDental(mesh, { cut: { belowGumlineMm: 1 }, extrudeMm, isSmoothed: true, hollow });
      assertClosedManifold(result.mesh);
      assert.ok(result.mesh.volumeMm3 < 0.85 * result.solid!.volumeMm3);
      assert.equal(cups(result.mesh), cups(result.solid!), `${name} ${wallMm}`);
    }
  }
});
