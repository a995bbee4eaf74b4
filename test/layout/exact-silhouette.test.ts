import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { seededRandom } from "../../src/core/random.ts";
import { boxCentre } from "../../src/geometry/box.ts";
import { polygonsArea } from "../../src/geometry/polygon.ts";
import { exactSilhouetteOf } from "../../src/layout/exact-silhouette.ts";
import type { Mesh, Surface } from "../../src/mesh/mesh.ts";
import { arch } from "../fixture/arch.ts";
import { edgesOf, pointToEdge, windsAbout } from "../fixture/polygons.ts";
import { box, cylinder, torus, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { surfaceOfStl } from "../fixture/surface-edits.ts";

const TOLERANCE_MM = 0.05;
/** Corners of the corpus and of the library are rounded by less. */
const EXACT_MM = 1e-6;

/**
 * Each point is in the silhouette where a facet is above or below it, but for a seam of the tolerance outside, and for the small holes that
 * it closes.
 */
async function assertExact(mesh: Mesh, points: number, { hasSmallHoles = false } = {}): Promise<void> {
  const rings = await exactSilhouetteOf(mesh, TOLERANCE_MM);
  assert.ok(rings);
  const edges = edgesOf(rings);
  const random = seededRandom(5);
  const [cx, cy] = boxCentre(mesh.box);
  const { min, max } = mesh.box;
  const corner = (v: number): [number, number] => [mesh.vertices[3 * v] - cx, mesh.vertices[3 * v + 1] - cy];
  const facets = Array.from({ length: mesh.triangles.length / 3 }, (_, t) => {
    const [a, b, c] = [...mesh.triangles.subarray(3 * t, 3 * t + 3)].map(corner);
    return [
      [a, b],
      [b, c],
      [c, a],
    ] as const;
  });
  for (let i = 0; i < points; i++) {
    const point = [(random() - 0.5) * 1.1 * (max[0] - min[0]), (random() - 0.5) * 1.1 * (max[1] - min[1])] as const;
    const toEdge = Math.min(...edges.map((edge) => pointToEdge(point, edge)));
    const isCovered = facets.some((facet) => windsAbout(facet, point) !== 0);
    const isInside = windsAbout(edges, point) !== 0;
    if (isCovered) assert.ok(isInside || toEdge < EXACT_MM, `${point} of a facet is outside`);
    else if (isInside && !hasSmallHoles)
      assert.ok(toEdge <= TOLERANCE_MM + EXACT_MM, `${point} is inside, and ${toEdge} mm from the edge`);
  }
}

/** A surface with some facets left out, and some turned over. */
function broken({ vertices, triangles }: Surface): Mesh {
  const kept = [...triangles].flatMap((_, i) => {
    if (i % 3 !== 0 || i % 21 === 0) return [];
    const [a, b, c] = triangles.subarray(i, i + 3);
    return i % 15 === 0 ? [a, c, b] : [a, b, c];
  });
  return meshOf({ vertices, triangles: Uint32Array.from(kept) });
}

const areaOf = async (mesh: Mesh): Promise<number> => polygonsArea((await exactSilhouetteOf(mesh, 0.001)) ?? []);

const ARCH = arch({ widthMm: 60, depthMm: 45, bandMm: 12, heightMm: 18 });

test("the exact silhouette of closed and of broken surfaces is what their facets cover", async () => {
  for (const surface of [box([10, 20, 30]), cylinder(8, 25), uvSphere(15), torus(20, 6), ARCH]) {
    await assertExact(meshOf(surface), 40);
  }
  for (const surface of [uvSphere(15), torus(20, 6), ARCH]) {
    await assertExact(broken(surface), 60, { hasSmallHoles: true });
    assert.ok((await areaOf(broken(surface))) < (await areaOf(meshOf(surface))) + 1e-6);
  }
  const file = new URL("../fixture/corpus/gen-65004-holes12.stl", import.meta.url);
  await assertExact(meshOf(surfaceOfStl(readFileSync(file))), 10, { hasSmallHoles: true });
});

test("the exact silhouette of a box is its rectangle, of a torus a ring, of a level sheet that sheet", async () => {
  assert.equal(await areaOf(meshOf(box([10, 20, 30]))), 200);
  const ring = await areaOf(meshOf(torus(20, 6)));
  assert.ok(ring > 0.97 * Math.PI * (26 ** 2 - 14 ** 2) && ring < Math.PI * (26 ** 2 - 14 ** 2), `${ring}`);
  const level = { vertices: Float64Array.of(0, 0, 1, 8, 0, 1, 0, 6, 1), triangles: Uint32Array.of(0, 2, 1) };
  assert.equal(await areaOf(meshOf(level)), 24);
});

test("a mesh that is a line from above has no exact silhouette", async () => {
  const sheet = { vertices: Float64Array.of(0, 0, 0, 8, 0, 0, 0, 0, 9), triangles: Uint32Array.of(0, 1, 2) };
  assert.equal(await exactSilhouetteOf(meshOf(sheet), TOLERANCE_MM), undefined);
});
