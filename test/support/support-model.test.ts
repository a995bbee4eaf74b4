import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { defaultSetting } from "../../src/catalog/default-setting.ts";
import { minimaOf } from "../../src/check/minima.ts";
import { unionOf, type Vec3 } from "../../src/core/geometry.ts";
import { unwatched } from "../../src/core/watch.ts";
import { bodiesOf } from "../../src/mesh/bodies.ts";
import { facetTree } from "../../src/mesh/bvh/facet-tree.ts";
import { nearestPoint } from "../../src/mesh/bvh/nearest-point.ts";
import { placedSurface } from "../../src/mesh/bvh/placed-surface.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import { outlineOf } from "../../src/mesh/outline-of.ts";
import { type EulerDeg, HOME, toMatrix, UPRIGHT } from "../../src/mesh/pose.ts";
import { faultsOf, survey } from "../../src/mesh/survey.ts";
import { supportSettingsOf } from "../../src/scene/support-settings.ts";
import { layerBoundariesMm } from "../../src/slice/layer-heights.ts";
import type { Placed } from "../../src/slice/placed.ts";
import { overlapsOf } from "../../src/slice/regions.ts";
import { type SpanLayer, spanGridOver, spanLayers } from "../../src/slice/span-layers.ts";
import { toScene } from "../../src/support/on-the-model.ts";
import type { SupportSettings } from "../../src/support/settings.ts";
import { supportModel, type SupportedModel } from "../../src/support/support-model.ts";
import { importFile } from "../../src/worker/task/import-file.ts";
import { torus, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";

// What holds for every model that has been given supports, looked at from outside.

const SETTINGS: SupportSettings = { ...supportSettingsOf(defaultSetting())!, raftLabelEnabled: false };
const LAYER_MM = 0.1;
/** Of the volume that model and supports share: pixels count where half of them is solid, so none is lost on the whole. */
const PIXEL_MM = 0.1;

/** What a tip may take of the model: its end dips in by a fraction of a millimetre. */
const MM3_PER_TIP = 0.12;

/** Between the gears of one corpus model no pillar finds room. */
const MOST_UNREACHED = 0.06;

const path = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

const read = new Map<string, Promise<Mesh>>();

/** Two tests look at each. */
function fileMesh(name: string): Promise<Mesh> {
  const mesh = read.get(name) ?? readMesh(name);
  read.set(name, mesh);
  return mesh;
}

async function readMesh(name: string): Promise<Mesh> {
  const options = { chordalToleranceMm: 0.05, angleToleranceDeg: 10 };
  const { parts } = await importFile({ file: path(name), repairBehavior: "ERROR", split: false, options }, unwatched);
  return parts[0]!.mesh;
}

interface Case {
  readonly mesh: () => Mesh | Promise<Mesh>;
  readonly orientation?: EulerDeg;
}

const CASES: Record<string, Case> = {
  "a ball": { mesh: () => meshOf(uvSphere(8)) },
  "a ring lying flat": { mesh: () => meshOf(torus(15, 4)) },
  "a ring on its edge": { mesh: () => meshOf(torus(15, 4)), orientation: { x: 90, y: 0, z: 0 } },
  "65004": { mesh: () => fileMesh("fixture/corpus/thingi-65004.stl") },
  "65004, tilted": { mesh: () => fileMesh("fixture/corpus/thingi-65004.stl"), orientation: { x: 40, y: 20, z: 10 } },
  "520644, tilted": { mesh: () => fileMesh("fixture/corpus/thingi-520644.stl"), orientation: { x: -30, y: 35, z: 0 } },
  "472042": { mesh: () => fileMesh("fixture/corpus/thingi-472042.stl"), orientation: { x: 0, y: 0, z: 90 } },
  "hull body": { mesh: () => fileMesh("fixture/corpus/mf-hull-body-x0.35.stl") },
  "heart gears": { mesh: () => fileMesh("fixture/corpus/3mf-heartgears.3mf") },
  "908460": { mesh: () => fileMesh("../assets/demo/functional-part.stl") },
  "bracket and pin": { mesh: () => fileMesh("../assets/demo/bracket.step"), orientation: { x: 180, y: 0, z: 0 } },
};

interface Stood {
  readonly model: Placed;
  readonly supports: Placed;
  readonly result: SupportedModel & { readonly supports: NonNullable<SupportedModel["supports"]> };
}

async function stood({ mesh: load, orientation = UPRIGHT }: Case, changes: Partial<SupportSettings> = {}): Promise<Stood> {
  const mesh = await load();
  const outline = outlineOf(mesh, toMatrix(orientation));
  const placed = { mesh, pose: { ...HOME, orientation } };
  const settings = { ...SETTINGS, ...changes };
  const request = { placed, outline, settings, layerThicknessMm: LAYER_MM, label: "" };
  const result = await supportModel(request, unwatched);
  assert.ok(result.supports, "has supports");
  const { mesh: solid, pose } = result.supports;
  return { model: { mesh, pose: result.pose }, supports: { mesh: solid, pose }, result: { ...result, supports: result.supports } };
}

const boxOf = (placed: Placed) => {
  const { vertices } = placedSurface(placed);
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  vertices.forEach((value, at) => {
    min[at % 3] = Math.min(min[at % 3]!, value);
    max[at % 3] = Math.max(max[at % 3]!, value);
  });
  return { min, max };
};

for (const [name, one] of Object.entries(CASES)) {
  test(`supports of ${name} are closed bodies on the platform that hold every touchpoint and leave the model alone`, async () => {
    const { model, supports, result } = await stood(one);
    assert.deepEqual(faultsOf(survey(supports.mesh, unwatched)), []);
    assertStanding(supports, model);
    assertHeld(model, supports, result);
    const sharedMm3 = sharedBy(model, supports);
    const held = result.supports.touchpoints.length - result.unreached.length;
    assert.ok(sharedMm3 <= MM3_PER_TIP * held, `${sharedMm3} mm³ of the model in ${held} tips`);
    const box = unionOf(boxOf(model), boxOf(supports));
    assert.deepEqual(minimaOf([model, supports], boundariesOf(box.max[2]), box, unwatched), []);
  });

  test(`with minima alone, supports of ${name} leave no minimum`, async () => {
    const { model, supports } = await stood(one, { onlyMinima: true });
    const box = unionOf(boxOf(model), boxOf(supports));
    assert.deepEqual(minimaOf([model, supports], boundariesOf(box.max[2]), box, unwatched), []);
  });
}

test("the same model gets the same supports to the bit, wherever it stood", async () => {
  const hashes = await Promise.all([0, 1].map(async () => (await stood(CASES["65004, tilted"]!)).supports.mesh.hash));
  assert.equal(hashes[0], hashes[1]);
});

const boundariesOf = (topMm: number): Float64Array => layerBoundariesMm(LAYER_MM, topMm, []);

/** Every body of the supports reaches down to the platform, or to the model where that is in the way, and none below. */
function assertStanding(supports: Placed, model: Placed): void {
  const { vertices, triangles } = placedSurface(supports);
  const { count, bodyOf } = bodiesOf(supports.mesh);
  const lowest = Array.from({ length: count }, (): Vec3 => [0, 0, Infinity]);
  triangles.forEach((vertex, at) => {
    const body = bodyOf[Math.floor(at / 3)]!;
    const [x, y, z] = vertices.subarray(3 * vertex, 3 * vertex + 3);
    if (z! < lowest[body]![2]) lowest[body] = [x!, y!, z!];
  });
  const tree = facetTree(placedSurface(model), unwatched);
  const inAir = lowest.filter(([x, y, z]) => z > 1e-4 && !nearestPoint(tree, [x, y, z], SETTINGS.touchpointSizeMm));
  assert.deepEqual(inAir, [], "bodies that begin in the air");
  assert.ok(lowest.every(([, , z]) => z > -1e-4) && lowest.some(([, , z]) => z < 1e-4), "on the platform");
}

function assertHeld(model: Placed, supports: Placed, { supports: { touchpoints }, unreached }: Stood["result"]): void {
  const tree = facetTree(placedSurface(supports), unwatched);
  const reach = SETTINGS.touchpointSizeMm / 2 + 0.15;
  const bare = touchpoints.filter((point) => !nearestPoint(tree, toScene(point, model).position, reach));
  assert.ok(bare.length <= unreached.length, `${bare.length} touchpoints are bare, ${unreached.length} told`);
  assert.ok(unreached.length <= MOST_UNREACHED * touchpoints.length, `${unreached.length} of ${touchpoints.length} not reached`);
}

/** What model and supports share, mm³, in layers of each drawn apart on one grid. */
function sharedBy(model: Placed, supports: Placed): number {
  const box = unionOf(boxOf(model), boxOf(supports));
  const grid = spanGridOver(box, PIXEL_MM);
  const of = (placed: Placed): Generator<SpanLayer> =>
    spanLayers({ placed: [placed], boundariesMm: boundariesOf(box.max[2]), grid, least: 128 }, unwatched);
  const below = of(supports);
  let sharedPixels = 0;
  for (const layer of of(model)) {
    overlapsOf(layer, below.next().value!, (_, __, pixels) => (sharedPixels += pixels));
  }
  return sharedPixels * PIXEL_MM ** 2 * LAYER_MM;
}
