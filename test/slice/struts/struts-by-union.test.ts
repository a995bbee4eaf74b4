import assert from "node:assert/strict";
import { noProgress } from "../../../src/core/progress.ts";
import { cross, subtract, unit } from "../../../src/geometry/vector.ts";
import { union } from "../../../src/mesh/boolean.ts";
import { measureMesh } from "../../../src/mesh/measure.ts";
import type { Surface } from "../../../src/mesh/mesh.ts";
import { longTest } from "../../fixture/long.ts";
import { lathe } from "../../fixture/shapes.ts";
import { evenly, gridOf, slicedVolume } from "../../fixture/slices.ts";
import { type Strut, bodyCentred, latticeOf, placedLattice } from "../../fixture/struts.ts";

const CELL_MM = 2;
const RADIUS_MM = 0.25;
const SEGMENTS = 32;

/** A capsule of the same cross-section as its strut. */
function capsule({ from, to, radii: [radius] }: Strut): Surface {
  const equal = radius * Math.sqrt((2 * Math.PI) / SEGMENTS / Math.sin((2 * Math.PI) / SEGMENTS));
  const axis = subtract(to, from);
  const length = Math.hypot(...axis);
  const quarter = Array.from({ length: 13 }, (_, i) => ((i - 12) * Math.PI) / 24);
  const half = quarter.map((angle) => [equal * Math.cos(angle), equal * Math.sin(angle)] as const);
  const profile = [
    ...half.map(([r, z], i) => [i === 0 ? 0 : r, z] as const),
    ...half.toReversed().map(([r, z], i) => [i === 12 ? 0 : r, length - z] as const),
  ];
  const { vertices, triangles } = lathe(profile, SEGMENTS, false);
  const w = unit(axis);
  const u = unit(cross(w, Math.abs(w[0]) < 0.5 ? [1, 0, 0] : [0, 1, 0]));
  const v = cross(w, u);
  const turned = Float32Array.from(vertices, (_, i) => {
    const at = i - (i % 3);
    const k = (i % 3) as 0 | 1 | 2;
    return from[k] + vertices[at] * u[k] + vertices[at + 1] * v[k] + vertices[at + 2] * w[k];
  });
  return { vertices: turned, triangles };
}

async function unionVolume(cells: number): Promise<number> {
  const { vertices, triangles } = await union(bodyCentred(cells, CELL_MM, RADIUS_MM).map(capsule), noProgress);
  return measureMesh(Float32Array.from(vertices), triangles).volumeMm3;
}

function struttedVolume(cells: number, pixelMm: number): number {
  const sizeMm = cells * CELL_MM;
  const lattice = latticeOf({ struts: bodyCentred(cells, CELL_MM, RADIUS_MM) });
  const layers = Math.ceil((sizeMm + 1) / pixelMm);
  return slicedVolume({
    placed: [],
    lattices: [placedLattice(lattice, { position: [-sizeMm / 2, -sizeMm / 2, 0.5] })],
    boundariesMm: evenly(layers, pixelMm),
    grid: gridOf(layers, layers, pixelMm),
  });
}

function assertVolume(actual: number, expected: number): void {
  assert.ok(Math.abs(actual / expected - 1) <= 3e-3, `${actual} mm³, the union of meshes has ${expected} mm³`);
}

longTest("a cell of a body-centred lattice has the volume of the boolean union of fine tubes", async () => {
  assertVolume(struttedVolume(1, 0.04), await unionVolume(1));
});

longTest("so have 10³ cells", async () => {
  // Inner cells, faces, edges and corners of the lattice: the volume of n³ cells is a cubic polynomial in n.
  const known: number[] = [];
  for (let cells = 1; cells <= 4; cells++) known.push(await unionVolume(cells));
  const at = 10;
  const expected = known.reduce((sum, volume, i) => {
    const weight = [1, 2, 3, 4].reduce((product, n) => (n === i + 1 ? product : (product * (at - n)) / (i + 1 - n)), 1);
    return sum + weight * volume;
  }, 0);
  assertVolume(struttedVolume(at, 0.03), expected);
});
