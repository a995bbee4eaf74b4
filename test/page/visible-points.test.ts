import assert from "node:assert/strict";
import { test } from "node:test";
import { boxOf } from "../../src/geometry/box.ts";
import { type Vec3, add, cross, dot, matrixRow, subtract, times, unit } from "../../src/geometry/vector.ts";
import { type Mat4, type Instance, transformed } from "../../src/page/view/instances.ts";
import { type Orbit, projected } from "../../src/page/view/orbit.ts";
import type { PackedMesh } from "../../src/page/view/packed-mesh.ts";
import type { Pickable } from "../../src/page/view/picks.ts";
import { visiblePointsWithin } from "../../src/page/view/visible-points.ts";
import { viewMatrix } from "../../src/render/camera.ts";
import { fc } from "../fixture/property.ts";
import { type Shape, box, mug, torus } from "../fixture/shapes.ts";

const SIZE = { width: 800, height: 600 };
/** Evenly distributed, unlike `fc.double`. */
const between = (min: number, max: number) =>
  fc.integer({ min: 0, max: 999_999 }).map((i) => min + ((i + 0.37) / 1e6) * (max - min));

function packed({ vertices, triangles }: Shape): PackedMesh {
  const positions = Float32Array.from(vertices);
  return { positions, triangles: Uint32Array.from(triangles), box: boxOf(positions) };
}
const MESHES: ReadonlyMap<string, PackedMesh> = new Map([
  ["mug", packed(mug(8, 20, 24))],
  ["torus", packed(torus(14, 4, 24, 12))],
  ["support", packed(box([80, 80, 1]))],
]);

const at = ([x, y, z]: Vec3): Mat4 => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];

type Triangle = readonly [Vec3, Vec3, Vec3];

const trianglesOf = (hash: string, matrix: Mat4): Triangle[] => {
  const { positions, triangles } = MESHES.get(hash)!;
  return Array.from({ length: triangles.length / 3 }, (_, facet) =>
    [0, 1, 2].map((k) => {
      const p = 3 * triangles[3 * facet + k];
      return transformed(matrix, [positions[p], positions[p + 1], positions[p + 2]]);
    }),
  ) as never;
};

/** How far the line beyond `from` along `way` passes inside a triangle, as the least share of its corners; negative: outside. */
function insideness([a, b, c]: Triangle, from: Vec3, way: Vec3): number {
  const normal = cross(subtract(b, a), subtract(c, a));
  const facing = dot(normal, way);
  const along = dot(normal, subtract(a, from)) / facing;
  if (!(along > 0)) return -1;
  const hit = add(from, times(way, along));
  const square = dot(normal, normal);
  const share = (p: Vec3, q: Vec3): number => dot(cross(subtract(q, p), subtract(hit, p)), normal) / square;
  return Math.min(share(a, b), share(b, c), share(c, a));
}

test("a rectangle takes the points in it that no part hides, or the feet of whose tips none hides", () => {
  const orbits = fc.record({ yawDeg: between(0, 360), pitchDeg: between(-90, 90) });
  const cases = { seen: 0, byFoot: 0, hidden: 0 };
  fc.assert(
    fc.property(
      orbits,
      between(-12, 12),
      fc.array(between(0, 1), { minLength: 40, maxLength: 40 }),
      (turn, aside, shares) => {
        const orbit: Orbit = { ...turn, target: [0, 0, 0], heightMm: 90 };
        const toward = matrixRow(viewMatrix(orbit), 2);
        const [mugAt, torusAt] = [at([aside, 0, 0]), at([0, 22, aside])];
        const instances = new Map<string, Instance[]>([
          ["mug", [{ modelId: "a", role: "part", inBounds: true, triangles: 0, matrix: mugAt }]],
          ["torus", [{ modelId: "b", role: "part", inBounds: true, triangles: 0, matrix: torusAt }]],
          ["support", [{ modelId: "a", role: "support", inBounds: true, triangles: 0, matrix: at([0, 0, 60]) }]],
        ]);
        const bodies: Pickable = { instances, mesh: (hash) => MESHES.get(hash), cuts: [] };
        const facets = [...trianglesOf("mug", mugAt), ...trianglesOf("torus", torusAt)];
        const own = trianglesOf("mug", mugAt);
        const points = shares.map((share, key) => {
          const facet = Math.floor(share * (own.length - 1));
          const [a, b, c] = own[facet];
          const normal = unit(cross(subtract(b, a), subtract(c, a)));
          const point = times(add(add(a, b), c), 1 / 3);
          return { key, point, normal, foot: add(point, times(normal, 3)), hasTip: facet % 2 === 0 };
        });
        const struts = points
          .filter(({ hasTip }) => hasTip)
          .map(({ point, normal, foot }) => [...add(point, times(normal, 0.2)), 0.3, ...foot, 0.4, "TIP"] as never);
        const corners = [
          { x: 250, y: 500 },
          { x: 560, y: 120 },
        ] as const;
        const taken = new Set(visiblePointsWithin(corners, points, { orbit, size: SIZE, bodies, struts }));
        for (const { key, point, normal, foot, hasTip } of points) {
          const { x, y } = projected(orbit, point, SIZE);
          if (x < 250 || x > 560 || y < 120 || y > 500) {
            assert.ok(!taken.has(key));
            continue;
          }
          const most = (from: Vec3): number => Math.max(...facets.map((facet) => insideness(facet, from, toward)));
          const [own, byFoot] = [most(add(point, times(normal, 0.01))), hasTip ? most(foot) : 1];
          // Lines that pass along an edge, or along the facet of the point, may be seen either way.
          if ([own, byFoot].some((share) => Math.abs(share) < 1e-3) || Math.abs(dot(normal, toward)) < 1e-3) continue;
          const isSeen = own < 0 || byFoot < 0;
          cases[own < 0 ? "seen" : byFoot < 0 ? "byFoot" : "hidden"]++;
          assert.equal(taken.has(key), isSeen, `point ${key}`);
        }
      },
    ),
    { numRuns: 15 },
  );
  assert.ok(Math.min(...Object.values(cases)) > 20, JSON.stringify(cases));
});
