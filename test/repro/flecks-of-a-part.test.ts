import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { before, test } from "node:test";
import { interfere, meshTree, placeMeshTree } from "../../src/mesh/bvh/interfere.ts";
import { noProgress } from "../../src/core/progress.ts";
import { boxOf, boxSize } from "../../src/geometry/box.ts";
import { IDENTITY_POSE, type Pose } from "../../src/geometry/pose.ts";
import { type Vec3, cross, dot, length, subtract } from "../../src/geometry/vector.ts";
import { visitNearbyTriangles } from "../../src/mesh/bvh/placed-bvh.ts";
import { squaredTriangleDistance } from "../../src/mesh/bvh/segment-distance.ts";
import { type Mesh, placedSurface } from "../../src/mesh/mesh.ts";
import { type PackedPart, type Room, areFacetsApart, extentOf, settle } from "../../src/pack/clearance.ts";
import { orientBvh } from "../../src/pack/oriented-bvh.ts";
import type { PlacedMesh } from "../../src/mesh/placed-mesh.ts";
import { importFile } from "../../src/feature/import/import-file.ts";
import { cornersOfFacets } from "../fixture/facet-distance.ts";
import { READ_OPTIONS } from "../fixture/read-model.ts";
import { box } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { moved } from "../fixture/surface-edits.ts";

// A body of the corpus scaled to 20 mm has separate flecks of a tenth of a millimetre. The check of interferences reports a pair where
// a fleck is inside the other part, though no facets are near each other there. Flecks cover no cell: a part whose cells fitted was
// moved by millimetres to bring its flecks into the chamber, and then compared with the neighbours of its previous place.

let flecked: PlacedMesh;
let solid: Mesh;
before(async () => {
  const read = async (name: string): Promise<Mesh> => {
    const file = fileURLToPath(new URL(`../fixture/corpus/${name}`, import.meta.url));
    const input = { file, repairBehavior: "REPAIR", split: false, options: READ_OPTIONS } as const;
    return (await importFile(input, noProgress)).parts[0].mesh;
  };
  const mesh = await read("mf-Offset1-x0.04.stl");
  const orientation = { x: 180, y: 180, z: 270 };
  flecked = { mesh, pose: { ...IDENTITY_POSE, orientation, scale: 20 / Math.max(...boxSize(mesh.box)) } };
  solid = await read("thingi-472042.stl");
});

/** Winding number of a surface around a point, by the solid angles of its facets (A. van Oosterom, J. Strackee, 1983). */
function windingBySolidAngles(surface: ReturnType<typeof placedSurface>, point: Vec3): number {
  let sum = 0;
  for (const corners of cornersOfFacets(surface)) {
    const [a, b, c] = corners.map((corner) => subtract(corner, point));
    const [p, q, r] = [length(a), length(b), length(c)];
    sum += 2 * Math.atan2(dot(a, cross(b, c)), p * q * r + dot(a, b) * r + dot(b, c) * p + dot(c, a) * q);
  }
  return sum / (4 * Math.PI);
}

test("a fleck of a part that is completely inside another part is an interference, although the facets are apart", () => {
  const pose: Pose = {
    position: [-3.064166468102485, 1.1217119288630784, 13.227295149117708],
    orientation: { x: 270, y: 90, z: 90 },
    scale: 20 / Math.max(...boxSize(solid.box)),
  };
  const [one, other] = [flecked, { mesh: solid, pose }].map((placed) =>
    placeMeshTree(placed, meshTree(placed.mesh, noProgress), flecked.pose),
  );
  let squared = Infinity;
  visitNearbyTriangles(one, other, 1, noProgress, (_a, _b, p, i, q, j) => {
    squared = Math.min(squared, squaredTriangleDistance(p, i, q, j, squared));
    return true;
  });
  assert.ok(squared > 0.05 ** 2, `${Math.sqrt(squared)}`);
  const around = placedSurface({ mesh: solid, pose });
  const { min, max } = boxOf(around.vertices);
  const { vertices } = placedSurface(flecked);
  const isInside = (_: unknown, corner: number): boolean => {
    const point: Vec3 = [vertices[3 * corner], vertices[3 * corner + 1], vertices[3 * corner + 2]];
    const isInBox = point.every((value, axis) => min[axis] < value && value < max[axis]);
    return isInBox && windingBySolidAngles(around, point) > 0.5;
  };
  assert.ok(Array.from({ length: vertices.length / 3 }).some(isInside));
  assert.equal(interfere(one, other, 0, noProgress), true);
  assert.equal(interfere(other, one, 0, noProgress), true);
});

test("a part that is moved into the chamber from afar is compared with its new neighbours", () => {
  const partOf = (mesh: Mesh, position: Vec3): PackedPart => {
    const pose = { ...IDENTITY_POSE, position };
    const bvh = orientBvh(meshTree(mesh, noProgress).tree, mesh, pose.orientation, 1, noProgress);
    return { mesh, pose, extent: extentOf(mesh, pose, noProgress), bvh };
  };
  // The body of the part is at the left, its fleck 20 mm farther right.
  const part = partOf(meshOf(box([8, 8, 8]), moved(box([0.2, 0.2, 0.2]), [20, 0, 0])), [30, 0, 4]);
  const neighbour = partOf(meshOf(box([4, 8, 8])), [-6, 0, 4]);
  const room: Room = { min: [-20, -20, 0], max: [15, 20, 30], footprint: { a: 17.5, b: 20, r: 0 } };
  const settled = settle(part, [neighbour], room, { spacingMm: 2, cellMm: 1, hits: new Map() }, noProgress);
  assert.ok(settled === undefined || areFacetsApart(settled, neighbour, 2, noProgress));
});
