import assert from "node:assert/strict";
import { test } from "node:test";
import { type HeightGrid, TILE_SQUARES, heightFacets } from "../../../src/solid/dental/height-facets.ts";
import { randomFrom } from "../../fixture/random.ts";
import { box } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";
import { NO_DRAINS, assertClosedManifold, makeDental } from "./dental-cases.ts";

const TOLERANCE = 0.01;

/** A grid of `across` × `along` tiles, with the height of each node from its column and row. */
function gridOf(across: number, along: number, heightAt: (x: number, y: number) => number): HeightGrid {
  const [columns, rows] = [across * TILE_SQUARES + 1, along * TILE_SQUARES + 1];
  const heights = Float64Array.from({ length: columns * rows }, (_, node) =>
    heightAt(node % columns, Math.floor(node / columns)),
  );
  return { columns, rows, heights };
}

/** The heights of the facets at each node, from all facets that have it inside or on their rim. */
function heightsOnFacets({ columns, heights }: HeightGrid, facets: Uint32Array): number[][] {
  const found: number[][] = Array.from(heights, () => []);
  for (let at = 0; at < facets.length; at += 3) {
    const [a, b, c] = [...facets.subarray(at, at + 3)].map((node) => ({
      x: node % columns,
      y: Math.floor(node / columns),
      z: heights[node],
    }));
    const area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    assert.ok(area > 0, "a facet faces up");
    for (let y = Math.min(a.y, b.y, c.y); y <= Math.max(a.y, b.y, c.y); y++) {
      for (let x = Math.min(a.x, b.x, c.x); x <= Math.max(a.x, b.x, c.x); x++) {
        const ofB = ((x - a.x) * (c.y - a.y) - (c.x - a.x) * (y - a.y)) / area;
        const ofC = ((b.x - a.x) * (y - a.y) - (x - a.x) * (b.y - a.y)) / area;
        if (Math.min(ofB, ofC, 1 - ofB - ofC) > -1e-9)
          found[y * columns + x].push(a.z + ofB * (b.z - a.z) + ofC * (c.z - a.z));
      }
    }
  }
  return found;
}

/** Sides of facets that no other facet has in the opposite direction. */
function openSides(facets: Uint32Array): number[][] {
  const sides = new Map<string, number[]>();
  for (let at = 0; at < facets.length; at += 3) {
    for (let k = 0; k < 3; k++) {
      const [from, to] = [facets[at + k], facets[at + ((k + 1) % 3)]];
      if (!sides.delete(`${to} ${from}`)) sides.set(`${from} ${to}`, [from, to]);
    }
  }
  return [...sides.values()];
}

const random = randomFrom(28);
const bumps = Array.from({ length: 12 }, () => [
  random() * 2 * TILE_SQUARES,
  random() * TILE_SQUARES,
  3 + 8 * random(),
]);
const FIELDS: Record<string, (x: number, y: number) => number> = {
  flat: () => 5,
  slope: (x, y) => 0.3 * x - 0.2 * y,
  cliff: (x, y) => (2 * x + y > 1.3 * TILE_SQUARES ? 40 : 3),
  bumps: (x, y) => Math.max(0, ...bumps.map(([cx, cy, r]) => r - ((x - cx) ** 2 + (y - cy) ** 2) / r)),
  noise: () => random(),
};

for (const [name, heightAt] of Object.entries(FIELDS)) {
  test(`facets over ${name} cover the grid without gaps and keep the tolerance`, () => {
    const grid = gridOf(2, 1, heightAt);
    const counts = (node: number): boolean => name !== "bumps" || node % 7 !== 0;
    const facets = heightFacets(grid, counts, TOLERANCE);
    const onRim = (from: number, to: number): boolean =>
      [from % grid.columns, to % grid.columns].every((x) => x === 0) ||
      [from % grid.columns, to % grid.columns].every((x) => x === grid.columns - 1) ||
      Math.max(from, to) < grid.columns ||
      Math.min(from, to) >= grid.columns * (grid.rows - 1);
    assert.deepEqual(
      openSides(facets).filter(([from, to]) => !onRim(from, to)),
      [],
    );
    for (const [node, found] of heightsOnFacets(grid, facets).entries()) {
      assert.ok(found.length > 0, `node ${node} is covered`);
      const most = Math.max(...found.map((height) => Math.abs(height - grid.heights[node])));
      if (counts(node)) assert.ok(most <= 2 * TOLERANCE + 1e-9, `node ${node} is off by ${most}`);
    }
    // If the field is flat, two facets for each tile suffice.
    if (name === "flat" || name === "slope") assert.equal(facets.length / 3, 4);
  });
}

test("the hollow of a block has few facets, however large the block is", async () => {
  for (const size of [30, 60]) {
    const { mesh, solid } = await makeDental(meshOf(box([size, size, 20])), {
      hollow: { shellMm: 2.5, drains: NO_DRAINS },
    });
    assertClosedManifold(mesh);
    const hollowMm3 = (size - 5) ** 2 * 12.5;
    assert.ok(Math.abs(solid!.volumeMm3 - mesh.volumeMm3 - hollowMm3) < 1e-3 * hollowMm3);
    assert.ok(mesh.triangles.length / 3 < 600, `${mesh.triangles.length / 3}`);
  }
});
