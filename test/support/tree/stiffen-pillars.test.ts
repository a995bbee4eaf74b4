import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import { type EulerDeg, UPRIGHT, rotationMatrix } from "../../../src/geometry/pose.ts";
import { type Surface, concatenateSurfaces } from "../../../src/mesh/mesh.ts";
import { outlineOf } from "../../../src/mesh/outline.ts";
import { layerBoundariesMm } from "../../../src/slice/layer-heights.ts";
import { placeTouchpoints } from "../../../src/support/points/place-touchpoints.ts";
import type { SupportSettings } from "../../../src/support/support-settings.ts";
import { criticalLoad, freeLengths, isSlender } from "../../../src/support/tree/buckling.ts";
import { type RouteRequest, loadsOf, routeTouchpoints } from "../../fixture/route-touchpoints.ts";
import type { SupportTree } from "../../../src/support/tree/support-tree.ts";
import { box } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/stage.ts";
import { moved } from "../../fixture/surface-edits.ts";
import { assertClear, assertJoined, assertSteep, materialOf } from "../../fixture/tree-checks.ts";
import { SETTINGS } from "../settings.ts";

const GROUND_MM = 1;
const LAYER_MM = 0.2;

/** A tall part with its touchpoints. */
function requestOf(
  parts: readonly Surface[],
  orientation: EulerDeg,
  changes: Partial<SupportSettings>,
  liftMm = 5,
): RouteRequest {
  const mesh = meshOf(concatenateSurfaces(parts));
  const { min, max } = outlineOf(mesh, rotationMatrix(orientation)).box;
  const z = GROUND_MM + liftMm - min[2];
  const placed = { mesh, pose: { position: [0, 0, z] as const, orientation, scale: 1 } };
  const settings = { ...SETTINGS, ...changes };
  const boundariesMm = layerBoundariesMm(LAYER_MM, z + max[2], []);
  const request = { placed, boundariesMm, settings, groundMm: LAYER_MM, standingOf: () => ({}) };
  const { touchpoints, sections } = placeTouchpoints(request, noProgress);
  return { placed, touchpoints, sections, settings, groundMm: GROUND_MM };
}

const slenderIn = (tree: SupportTree, request: RouteRequest): number =>
  freeLengths(tree, loadsOf(request)).filter(isSlender).length;

/** The tree with the braces that its heights require, whatever its loads. */
const unstiffened = (request: RouteRequest): SupportTree =>
  routeTouchpoints({
    placed: request.placed,
    touchpoints: request.touchpoints,
    settings: request.settings,
    groundMm: GROUND_MM,
  });

const TILTED: EulerDeg = { x: 20, y: 10, z: 0 };
const HOOK = [box([5, 5, 120]), moved(box([40, 4.8, 5]), [17.6, 0, 57.4]), moved(box([4.9, 4.6, 20]), [35, 0, 47.6])];
const HIGH_PLATE = [box([12, 12, 2])];

const CASES: Readonly<
  Record<
    string,
    readonly [parts: readonly Surface[], orientation: EulerDeg, changes?: Partial<SupportSettings>, liftMm?: number]
  >
> = {
  "a hook that leans": [HOOK, TILTED],
  "a plate at 120 mm": [HIGH_PLATE, UPRIGHT, {}, 120],
  "a plate at 120 mm on few points": [HIGH_PLATE, TILTED, { density: 0.2 }, 120],
  "a plate at 120 mm on one point": [HIGH_PLATE, { x: 45, y: 35, z: 0 }, { onlyMinima: true }, 120],
  "a T on minima alone": [[box([6, 6, 90]), moved(box([80, 6.2, 5]), [0, 0, 45])], TILTED, { onlyMinima: true }],
};

for (const [name, [parts, orientation, changes = {}, liftMm]] of Object.entries(CASES)) {
  test(`${name}: no strut of its supports buckles under twice its load`, () => {
    const request = requestOf(parts, orientation, changes, liftMm);
    const tree = routeTouchpoints(request);
    for (const { balls, isFree, loadN } of freeLengths(tree, loadsOf(request)))
      assert.ok(criticalLoad(balls, isFree) >= 2 * loadN);
    assertJoined(tree);
    assertSteep(tree);
    assertClear(tree, request.placed);
    const plain = unstiffened(request);
    if (slenderIn(plain, request) === 0) assert.deepEqual(tree, plain, "nothing grows where nothing is slender");
    else assert.ok(materialOf(tree) > materialOf(plain));
  });
}

test("slender pillars are braced to a neighbour, or become thicker, or get second pillars", () => {
  const bracesOf = ({ struts }: SupportTree): number => struts.filter(({ kind }) => kind === "BRACE").length;
  const hook = requestOf(HOOK, TILTED, {});
  assert.ok(slenderIn(unstiffened(hook), hook) > 0);
  assert.ok(bracesOf(routeTouchpoints(hook)) > bracesOf(unstiffened(hook)));
  for (const liftMm of [35, 120]) {
    const alone = requestOf(HIGH_PLATE, { x: 45, y: 35, z: 0 }, { onlyMinima: true }, liftMm);
    const plain = unstiffened(alone);
    assert.ok(slenderIn(plain, alone) === 1 && plain.feet.length === 1);
    const tree = routeTouchpoints(alone);
    assert.equal(tree.feet.length, liftMm === 35 ? 1 : 3, `feet at ${liftMm} mm`);
    assert.equal(bracesOf(tree) > 0, liftMm === 120);
  }
});
