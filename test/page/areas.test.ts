import assert from "node:assert/strict";
import { test } from "node:test";
import { boxOf } from "../../src/geometry/box.ts";
import { type Vec3, cross, distance, dot, length, subtract, times, unit } from "../../src/geometry/vector.ts";
import { coveredArea } from "../../src/page/view/area-size.ts";
import { brushedFacets, capsulesOf } from "../../src/page/view/brushed-facets.ts";
import { faceAround, faceOf } from "../../src/page/view/mesh-faces.ts";
import type { PackedMesh } from "../../src/page/view/packed-mesh.ts";
import type { AreaShape } from "../../src/support/plan/support-area.ts";
import { fc } from "../fixture/property.ts";
import { type Shape, box, cylinder, mug, torus, uvSphere } from "../fixture/shapes.ts";

const packed = ({ vertices, triangles }: Pick<Shape, "vertices" | "triangles">): PackedMesh => {
  const positions = Float32Array.from(vertices);
  return { positions, triangles: Uint32Array.from(triangles), box: boxOf(positions) };
};

const cornersOf = ({ positions, triangles }: PackedMesh, facet: number): [Vec3, Vec3, Vec3] =>
  [0, 1, 2].map((k) => {
    const at = 3 * triangles[3 * facet + k];
    return [positions[at], positions[at + 1], positions[at + 2]];
  }) as never;

const normalOf = (mesh: PackedMesh, facet: number): Vec3 => {
  const [a, b, c] = cornersOf(mesh, facet);
  return unit(cross(subtract(b, a), subtract(c, a)));
};

const MESHES = [box([30, 20, 4]), torus(12, 4), mug(8, 20), cylinder(6, 30, 30), uvSphere(15)].map(packed);
/** Evenly distributed, unlike `fc.double`. */
const between = (min: number, max: number) =>
  fc.integer({ min: 0, max: 999_999 }).map((i) => min + ((i + 0.37) / 1e6) * (max - min));

/** A place of a facet and its normal there. */
function placeOf(mesh: PackedMesh, facet: number, u: number, v: number) {
  const [a, b, c] = cornersOf(mesh, facet);
  const [s, t] = u + v > 1 ? [1 - u, 1 - v] : [u, v];
  const point = [0, 1, 2].map((i) => a[i] + s * (b[i] - a[i]) + t * (c[i] - a[i])) as unknown as Vec3;
  return { point, normal: normalOf(mesh, facet) };
}

/** Facets that are joined by chains of facets with two common corners, whose normals differ by less than the angle: by relaxation over all pairs. */
function faceByPairs(mesh: PackedMesh, seed: number, angleDeg: number): Set<number> {
  const count = mesh.triangles.length / 3;
  const corners = Array.from(
    { length: count },
    (_, facet) => new Set(mesh.triangles.subarray(3 * facet, 3 * facet + 3)),
  );
  const reached = new Set([seed]);
  for (let before = 0; before < reached.size;) {
    before = reached.size;
    for (let next = 0; next < count; next++) {
      const joins = [...reached].some(
        (one) =>
          [...corners[one]].filter((corner) => corners[next].has(corner)).length === 2 &&
          dot(normalOf(mesh, one), normalOf(mesh, next)) > Math.cos((angleDeg * Math.PI) / 180),
      );
      if (joins) reached.add(next);
    }
  }
  return reached;
}

test("a face has the facets that chains of neighbours reach, from each of its facets", () => {
  const meshes = [box([30, 20, 4]), cylinder(6, 30, 12), torus(12, 4, 10, 6)].map(packed);
  fc.assert(
    // Neighbours at these shapes differ by 30°, 36°, 60° or 90°: none of the angles is near to that.
    fc.property(fc.constantFrom(...meshes), fc.constantFrom(5, 33, 50, 75), between(0, 1), (mesh, angleDeg, share) => {
      const seed = Math.floor(share * (mesh.triangles.length / 3 - 1));
      const expected = faceByPairs(mesh, seed, angleDeg);
      const { facets, has } = faceAround(mesh, seed, angleDeg);
      assert.deepEqual(new Set(facets), expected);
      assert.ok(facets.every(has));
      const { point, normal } = placeOf(mesh, [...expected].at(-1)!, 0.3, 0.3);
      assert.deepEqual(new Set(faceOf(mesh, { kind: "FACE", point, normal, angleDeg })?.facets), expected);
    }),
    { numRuns: 40 },
  );
});

test("no facet faces the normal of a face that has turned away", () => {
  const [mesh] = MESHES;
  const { point, normal } = placeOf(mesh, 0, 0.3, 0.3);
  assert.equal(faceOf(mesh, { kind: "FACE", point, normal: times(normal, -1), angleDeg: 15 }), undefined);
});

/** The definition: near to a piece, by many points of it, and facing as the stroke does there. */
const isCovered = (shape: Extract<AreaShape, { kind: "STROKE" }>, point: Vec3, normal: Vec3): boolean =>
  shape.points.some((from, i) => {
    const [to, toNormal] = [shape.points[i + 1] ?? from, shape.normals[i + 1] ?? shape.normals[i]];
    return Array.from({ length: 41 }, (_, k) => k / 40).some((share) => {
      const mix = (a: Vec3, b: Vec3): Vec3 => [0, 1, 2].map((axis) => a[axis] + share * (b[axis] - a[axis])) as never;
      return distance(point, mix(from, to)) < shape.radius && dot(mix(shape.normals[i], toNormal), normal) > 1e-3;
    });
  });

test("every place that a stroke covers is on a facet that is wholly in it, or on its rim; wholly covered facets have no other places", () => {
  const shares = fc.array(between(0, 1), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(
      fc.constantFrom(...MESHES),
      fc.array(shares, { minLength: 1, maxLength: 3 }),
      between(0.5, 10),
      (mesh, picks, radius) => {
        const count = mesh.triangles.length / 3;
        const places = picks.map(([share, u, v]) => placeOf(mesh, Math.floor(share * (count - 1)), u, v));
        const stroke = {
          kind: "STROKE",
          points: places.map(({ point }) => point),
          normals: places.map(({ normal }) => normal),
          radius,
        } as const;
        const found = capsulesOf(stroke).map((capsule) => brushedFacets(mesh, capsule));
        const whole = new Set(found.flatMap((facets) => facets.whole));
        const rim = new Set(found.flatMap((facets) => facets.rim));
        // The places of the definition are up to 0.75 mm apart on the stroke.
        const wider = { ...stroke, radius: radius + 0.15 };
        for (let facet = 0; facet < count; facet += 3) {
          const { point, normal } = placeOf(mesh, facet, 0.4, 0.25);
          if (isCovered(stroke, point, normal)) assert.ok(whole.has(facet) || rim.has(facet));
          if (whole.has(facet)) assert.ok(isCovered(wider, point, normal));
        }
      },
    ),
    { numRuns: 15 },
  );
});

test("the size of areas is that of discs, strips and caps, counted once where they overlap, and on one side of a thin plate", () => {
  const plate = packed(box([60, 60, 0.5]));
  const up: Vec3 = [0, 0, 1];
  const top = plate.box.max[2];
  const [x, y] = [(plate.box.min[0] + plate.box.max[0]) / 2, (plate.box.min[1] + plate.box.max[1]) / 2];
  const disc = (dx: number): AreaShape => ({ kind: "BALL", centre: [x + dx, y, top], normal: up, radius: 4 });
  const strip: AreaShape = {
    kind: "STROKE",
    points: [
      [x - 10, y, top],
      [x + 10, y, top],
    ],
    normals: [up, up],
    radius: 4,
  };
  const face: AreaShape = { kind: "FACE", point: [x + 1, y + 2, top], normal: up, angleDeg: 15 };
  const isAbout = (shapes: readonly AreaShape[], expected: number, mesh = plate): void => {
    const area = coveredArea(mesh, shapes);
    assert.ok(Math.abs(area - expected) < 0.01 * expected, `${area} instead of ${expected}`);
  };
  isAbout([disc(0)], 16 * Math.PI);
  isAbout([disc(0), disc(20)], 32 * Math.PI);
  isAbout([strip], 16 * Math.PI + 160);
  isAbout([strip, disc(3), disc(-5)], 16 * Math.PI + 160);
  isAbout([face], 3600);
  isAbout([face, strip], 3600);
  // A ball of radius d about a point of a sphere cuts off a cap of area πd² (Archimedes).
  const sphere = packed(uvSphere(15, 96, 48));
  const at: Vec3 = times(unit([1, 2, 0.7]), 15);
  assert.ok(length(at) > 14.9);
  isAbout([{ kind: "BALL", centre: at, normal: unit(at), radius: 6 }], 36 * Math.PI, sphere);
});
