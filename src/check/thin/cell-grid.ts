import { toSharedMemory } from "../../core/typed-arrays.ts";
import { boxCentre, boxOf, boxSize } from "../../geometry/box.ts";
import { IDENTITY_POSE, rotateVector, transpose } from "../../geometry/pose.ts";
import { type Vec3, add, mapMat3, subtract } from "../../geometry/vector.ts";
import { solidFacts } from "../../mesh/mesh-facts.ts";
import { type Mesh, type Surface, withOtherSurface } from "../../mesh/mesh.ts";
import { countLayers } from "../../slice/layer-heights.ts";
import type { StackRequest } from "../../slice/stack.ts";

/** Cubic cells over a rotated solid, in layers of rows like those of slices. Lengths are in model space. */
export interface CellGrid {
  readonly cellMm: number;
  readonly columns: number;
  readonly rows: number;
  readonly layers: number;
  /** The centre of the rotation, in model space, and the move from there to grid coordinates. */
  readonly centre: Vec3;
  readonly offset: Vec3;
}

/**
 * The rotation of the quaternion 19 + 4i + 7j + 3k. Walls mostly run along the axes of their model. Rotated walls meet cells in many
 * different ways, so that the cells that they cover add up to their volume. Made of integers, because engines differ in the last bits
 * of sines.
 */
const ASKEW = mapMat3([319, -58, 290, 170, 385, -110, -242, 194, 305], (value) => value / 435);
const BACK = transpose(ASKEW);

/** Empty cells around the solid on each side. */
const MARGIN = 2;

/** A grid over a solid that is rotated about `centre`, and the surface of the solid in grid coordinates, in shared memory. */
export function cellGridOver(
  solid: Surface,
  centre: Vec3,
  cellMm: number,
): { readonly grid: CellGrid; readonly surface: GridSurface } {
  const vertices = new Float32Array(new SharedArrayBuffer(4 * solid.vertices.length));
  const [a, b, c, d, e, f, g, h, i] = ASKEW;
  for (let at = 0; at < vertices.length; at += 3) {
    const x = solid.vertices[at] - centre[0];
    const y = solid.vertices[at + 1] - centre[1];
    const z = solid.vertices[at + 2] - centre[2];
    vertices[at] = a * x + b * y + c * z;
    vertices[at + 1] = d * x + e * y + f * z;
    vertices[at + 2] = g * x + h * y + i * z;
  }
  const box = boxOf(vertices);
  const [columns, rows, layers] = boxSize(box).map((mm) => countLayers(mm, cellMm) + 2 * MARGIN);
  const [x, y] = boxCentre(box);
  const offset: Vec3 = [-x, -y, MARGIN * cellMm - box.min[2]];
  for (let at = 0; at < vertices.length; at++) vertices[at] += offset[at % 3];
  const surface = { vertices, triangles: toSharedMemory(solid.triangles) };
  return { grid: { cellMm, columns, rows, layers, centre, offset }, surface };
}

/** A surface in grid coordinates. */
export type GridSurface = Pick<Mesh, "vertices" | "triangles">;

/** The request that rasterises the cells: layer k of the slices is layer k of the grid, seen from above. Uses only the hash of `mesh`. */
export function gridSlicing(
  { cellMm, columns, rows, layers }: CellGrid,
  mesh: Mesh,
  surface: GridSurface,
): StackRequest {
  const box = boxOf(surface.vertices);
  return {
    placed: [
      {
        mesh: { ...withOtherSurface(mesh, surface, solidFacts()), box },
        pose: { ...IDENTITY_POSE, position: boxCentre(box) },
      },
    ],
    boundariesMm: Float64Array.from({ length: layers + 1 }, (_, k) => k * cellMm),
    grid: { pixels: [columns, rows], pixelMm: [cellMm, cellMm], mirrorX: false, portrait: false },
  };
}

/** The point of model space at grid coordinates. */
export const fromGrid = ({ centre, offset }: CellGrid, point: Vec3): Vec3 =>
  add(rotateVector(BACK, subtract(point, offset)), centre);

/** The centre of a cell, grid coordinates. */
export const cellCentre = ({ cellMm, columns, rows }: CellGrid, column: number, row: number, layer: number): Vec3 => [
  (column + 0.5 - columns / 2) * cellMm,
  (rows / 2 - row - 0.5) * cellMm,
  (layer + 0.5) * cellMm,
];
