import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import { IDENTITY_POSE, rotateVector, rotationMatrix, toModelSpace, toSceneSpace } from "../../../src/geometry/pose.ts";
import { type Vec3, cross, distance, dot, subtract, unit } from "../../../src/geometry/vector.ts";
import type { Mesh } from "../../../src/mesh/mesh.ts";
import { outlineOf } from "../../../src/mesh/outline.ts";
import type { AreaShape, SupportArea } from "../../../src/support/plan/support-area.ts";
import { type Touchpoint, automaticPoint } from "../../../src/support/points/touchpoint.ts";
import { type SupportedModel, supportModel } from "../../../src/support/support-model.ts";
import { cornersOfFacets, distanceToFacet } from "../../fixture/facet-distance.ts";
import { longTest, slowRuns } from "../../fixture/long.ts";
import { fc } from "../../fixture/property.ts";
import { box, mug, torus, uvSphere } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";
import { moved } from "../../fixture/surface-edits.ts";
import { SETTINGS } from "../settings.ts";

const LAYER_MM = 0.2;
const UPRIGHT = { x: 0, y: 0, z: 0 };

interface Wanted {
  readonly areas?: readonly SupportArea[];
  readonly kept?: readonly Touchpoint[];
  readonly orientation?: { readonly x: number; readonly y: number; readonly z: number };
  readonly scale?: number;
}

function supported(mesh: Mesh, { areas, kept, orientation = UPRIGHT, scale = 1 }: Wanted): Promise<SupportedModel> {
  const outline = outlineOf(mesh, rotationMatrix(orientation));
  const placed = { mesh, pose: { ...IDENTITY_POSE, orientation, scale } };
  const settings = { ...SETTINGS, internalSupportsEnabled: true };
  const request = { placed, outline, settings, layerThicknessMm: LAYER_MM, label: "", areas, kept };
  return supportModel(request, noProgress);
}

/** A place of a model's surface and its normal there, in the coordinates of the mesh. */
interface Place {
  readonly position: Vec3;
  readonly normal: Vec3;
}

/** The definition of balls and strokes, by the distance to points close together on the stroke; none are nearer than `slackMm` to its rim. */
function isInside(shape: AreaShape, { position, normal }: Place, slackMm: number): boolean {
  if (shape.kind === "FACE") return false;
  const [points, normals] = shape.kind === "BALL" ? [[shape.centre], [shape.normal]] : [shape.points, shape.normals];
  return points.some((from, i) => {
    const to = points[i + 1] ?? from;
    const toNormal = normals[i + 1] ?? normals[i];
    return Array.from({ length: 101 }, (_, k) => k / 100).some((share) => {
      const between = (a: Vec3, b: Vec3): Vec3 =>
        [0, 1, 2].map((axis) => a[axis] + share * (b[axis] - a[axis])) as never;
      const isNear = distance(position, between(from, to)) < shape.radius - slackMm;
      return isNear && dot(between(normals[i], toNormal), normal) > 1e-3;
    });
  });
}

const modelPlaces = ({ supports }: SupportedModel): readonly Place[] => supports?.touchpoints ?? [];

/** The places of feet on the model, with the normals of the facets there. */
function feetOf(result: SupportedModel, mesh: Mesh): Place[] {
  if (!result.supports) return [];
  const { tree } = result.supports.routed;
  const placed = { mesh, pose: result.pose };
  return tree.feet
    .filter(({ on }) => on === "MODEL")
    .map(({ node }): Place => {
      const [x, y, z] = tree.nodes.subarray(4 * node, 4 * node + 3);
      const position = toModelSpace(placed, toSceneSpace(result.supports!, [x, y, z]));
      return { position, normal: nearestNormal(mesh, position) };
    });
}

function nearestNormal(mesh: Mesh, position: Vec3): Vec3 {
  const facets = cornersOfFacets({ vertices: Float64Array.from(mesh.vertices), triangles: mesh.triangles });
  const [[a, b, c]] = facets.toSorted(
    (one, other) => distanceToFacet(position, one) - distanceToFacet(position, other),
  );
  return unit(cross(subtract(b, a), subtract(c, a)));
}

const SHAPES: readonly (readonly [name: string, mesh: Mesh, tilt: { x: number; y: number; z: number }])[] = [
  ["a ring", meshOf(torus(6, 1.8)), { x: 30, y: 20, z: 0 }],
  ["a ball", meshOf(uvSphere(6)), UPRIGHT],
  ["a mug", meshOf(mug(5, 8)), { x: 180, y: 0, z: 0 }],
  [
    "a shelf over a plate",
    meshOf(box([14, 14, 2]), moved(box([2, 14, 8]), [-6, 0, 5]), moved(box([14, 14, 2]), [0, 0, 9])),
    UPRIGHT,
  ],
];

for (const [name, mesh, tilt] of SHAPES) {
  // The mug is where most feet are on the model.
  const declare = name === "a mug" ? test : longTest;
  declare(`no touchpoint and no foot is in the areas of ${name} that nothing may touch`, async () => {
    const points = modelPlaces(await supported(mesh, { orientation: tilt }));
    assert.ok(points.length > 3);
    const somewhere = fc.constantFrom(...points);
    const radius = fc.integer({ min: 10, max: 40 }).map((tenths) => tenths / 10);
    const shape: fc.Arbitrary<AreaShape> = fc.oneof(
      fc.tuple(somewhere, radius).map(([{ position, normal }, wide]): AreaShape => ({
        kind: "BALL",
        centre: position,
        normal,
        radius: wide,
      })),
      fc.tuple(somewhere, somewhere, radius).map(([one, two, wide]): AreaShape => ({
        kind: "STROKE",
        points: [one.position, two.position],
        normals: [one.normal, two.normal],
        radius: wide,
      })),
    );
    const scales = fc.constantFrom(1, 1.5);
    await fc.assert(
      fc.asyncProperty(fc.array(shape, { minLength: 1, maxLength: 3 }), scales, async (shapes, scale) => {
        const areas = shapes.map((one): SupportArea => ({ mode: "NEVER", shape: one }));
        const result = await supported(mesh, { areas, orientation: tilt, scale });
        for (const place of [...modelPlaces(result), ...feetOf(result, mesh)]) {
          const inside = shapes.find((one) => isInside(one, place, 1e-3));
          assert.equal(inside, undefined, JSON.stringify({ place, inside }));
        }
      }),
      { numRuns: slowRuns(4) },
    );
  });
}

const PLATE = meshOf(box([20, 20, 3]));
const BELOW: Vec3 = [0, 0, -1];
const below = (x: number, y: number): Vec3 => [x, y, -1.5];
const ofPlate = async (wanted: Wanted): Promise<readonly Touchpoint[]> =>
  (await supported(PLATE, wanted)).supports?.touchpoints ?? [];
const isOnUnderside = ({ normal }: Touchpoint): boolean => normal[2] < -0.99;

test("a hole in the allowed surface is held from its rim", async () => {
  const radius = 3;
  const shape = { kind: "BALL", centre: below(0, 0), normal: BELOW, radius } as const;
  const points = (await ofPlate({ areas: [{ mode: "NEVER", shape }] })).filter(isOnUnderside);
  const rim = points.filter(({ position }) => distance(position, below(0, 0)) < radius + 1);
  assert.ok(rim.length >= 4, `${rim.length} of ${points.length} are at the rim`);
  for (const { position } of points) assert.ok(distance(position, below(0, 0)) > radius - 1e-6);
});

longTest("a face that nothing may touch has no points, whatever its facets; what is only there gets none", async () => {
  const shape = { kind: "FACE", point: below(3, 2), normal: BELOW, angleDeg: 15 } as const;
  const points = await ofPlate({ areas: [{ mode: "NEVER", shape }] });
  assert.deepEqual(points.filter(isOnUnderside), []);
  const round = meshOf(uvSphere(6));
  const whole = { ...shape, point: [0, 0, -6], normal: BELOW } as const;
  const { supports } = await supported(round, { areas: [{ mode: "NEVER", shape: whole }] });
  assert.equal(supports, undefined);
});

longTest("the far side of a thin wall stays free", async () => {
  const shape = { kind: "BALL", centre: [0, 0, 1.5], normal: [0, 0, 1], radius: 8 } as const;
  assert.deepEqual(await ofPlate({ areas: [{ mode: "NEVER", shape }] }), await ofPlate({}));
});

longTest("points are about four times as many where they always are", async () => {
  const shape = { kind: "BALL", centre: below(0, 0), normal: BELOW, radius: 6 } as const;
  const inside = (points: readonly Touchpoint[]): number =>
    points.filter(({ position }) => distance(position, below(0, 0)) < 6).length;
  const [plain, dense] = [inside(await ofPlate({})), inside(await ofPlate({ areas: [{ mode: "ALWAYS", shape }] }))];
  assert.ok(dense >= 2.5 * plain && dense <= 5 * plain, `${plain} and ${dense}`);
});

test("points that are kept stay exactly where they are, and others keep away from them", async () => {
  const place = { position: below(0.37, -0.91), normal: BELOW };
  const hand: Touchpoint = { ...automaticPoint(place, "MANUAL", 0.8), origin: "MANUAL" };
  const locked: Touchpoint = { ...automaticPoint({ ...place, position: below(4, 4) }, "OVERHANG", 0.5), locked: true };
  const points = await ofPlate({ kept: [locked, hand] });
  assert.deepEqual([points[0], points.at(-1)], [locked, hand]);
  const others = points.slice(1, -1);
  assert.ok(others.length > 3 && others.every(({ origin, locked: isLocked }) => origin === "AUTOMATIC" && !isLocked));
  for (const { position } of others) {
    assert.ok(distance(position, hand.position) > 0.8 && distance(position, locked.position) > 0.8, `${position}`);
  }
});

longTest("a part that is held by a kept point at its lowest place needs no other there", async () => {
  const turned = { x: 35, y: 45, z: 0 };
  const cube = meshOf(box([8, 8, 8]));
  const { supports } = await supported(cube, { orientation: turned });
  const lowest = supports!.touchpoints.find(({ cause }) => cause === "MINIMUM")!;
  assert.ok(rotateVector(rotationMatrix(turned), lowest.position)[2] < -6.5);
  const kept: Touchpoint = { ...lowest, cause: "MANUAL", origin: "MANUAL" };
  const again = await supported(cube, { orientation: turned, kept: [kept] });
  const { touchpoints } = again.supports!;
  assert.deepEqual(
    touchpoints.filter(({ cause }) => cause === "MINIMUM"),
    [],
  );
  assert.deepEqual(touchpoints.at(-1), kept);
  assert.equal(touchpoints.length, supports!.touchpoints.length);
});
