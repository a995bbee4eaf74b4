import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import { partLayers, rasterisePart } from "../../../src/hold/part-sections.ts";
import { partFaces } from "../../../src/support/points/part-faces.ts";
import { placeTouchpoints } from "../../../src/support/points/place-touchpoints.ts";
import { walkPart } from "../../../src/support/points/walk-part.ts";
import { checkRequest, modelBody } from "../../fixture/check-request.ts";
import { box, torus } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";
import { moved } from "../../fixture/surface-edits.ts";
import { SETTINGS } from "../settings.ts";

const TILT = { x: 30, y: 20, z: 0 };
const LAYER_MM = 0.2;

for (const [name, mesh, settings] of [
  ["a ring", meshOf(torus(5, 1.5)), SETTINGS],
  ["two plates", meshOf(box([10, 8, 2]), moved(box([6, 6, 1]), [0, 0, 4])), SETTINGS],
  [
    "two plates, only minima",
    meshOf(box([10, 8, 2]), moved(box([6, 6, 1]), [0, 0, 4])),
    { ...SETTINGS, onlyMinima: true },
  ],
] as const) {
  test(`touchpoints of ${name} follow from a walk elsewhere, from layers and faces that were found before`, () => {
    const there = modelBody(0, mesh, [11.3, -7.9, 5], { orientation: TILT });
    const { boundariesMm } = checkRequest([there], LAYER_MM);
    const { placed } = modelBody(0, mesh, [0, 0, 5], { orientation: TILT });
    const unmade = partLayers(placed, boundariesMm, noProgress);
    const { stack, surface } = unmade;
    const chunks = Array.from({ length: stack.chunkCount }, (_, chunk) => rasterisePart({ stack, chunk }, noProgress));
    const faces = partFaces({ surface, boundariesMm, settings, placed }, noProgress);
    const layers = { ...unmade, chunks };
    const walked = structuredClone(walkPart({ placed, boundariesMm, settings, layers, faces }, noProgress));
    const request = { placed: there.placed, boundariesMm, settings, groundMm: LAYER_MM, standingOf: () => ({}) };
    const expected = placeTouchpoints(request, noProgress);
    assert.ok(expected.touchpoints.length > 0);
    assert.deepEqual(placeTouchpoints({ ...request, walked }, noProgress), expected);
  });
}
