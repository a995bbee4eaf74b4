import { add, type Box, centreOf, type Mat3, sizeOf, subtract, type Vec3 } from "../../core/geometry.ts";
import { boxOf } from "../../mesh/measure.ts";
import type { Mesh, Surface } from "../../mesh/mesh.ts";
import { HOME, transposed, turn } from "../../mesh/pose.ts";
import { countLayers } from "../../slice/layer-heights.ts";
import type { StackRequest } from "../../slice/stack.ts";

/** A solid turned and put among cubic cells, in layers of rows as slices have them. Lengths are those of the raw mesh. */
export interface Lattice {
  readonly cellMm: number;
  readonly columns: number;
  readonly rows: number;
  readonly layers: number;
  /** The solid's surface among the cells. */
  readonly surface: Surface;
  /** How the cells are drawn: layer k holds the cells of layer k, seen from above. */
  readonly slicing: StackRequest;
  /** The place in the raw mesh of one among the cells. */
  toRaw(place: Vec3): Vec3;
}

/**
 * The rotation of the quaternion 19 + 4i + 7j + 3k. Walls mostly run along the axes of their model; turned like this they meet cells
 * in ever new ways, so that the cells that they cover add up to their volume. Whole numbers: no engine's sines differ.
 */
const ASKEW = [319, -58, 290, 170, 385, -110, -242, 194, 305].map((value) => value / 435) as unknown as Mat3;

/** Cells kept free around the solid. */
const MARGIN = 2;

/** Cells as large as asked for over a solid that has the hash and nothing else of `mesh`. */
export function latticeOver(mesh: Mesh, solid: Surface, cellMm: number): Lattice {
  const middle = centreOf(mesh.box);
  const turned = moved(solid.vertices, ([x, y, z]) => turn(ASKEW, subtract([x, y, z], middle)));
  const box = boxOf(turned);
  const size = sizeOf(box);
  const [columns, rows, layers] = size.map((mm) => countLayers(mm, cellMm) + 2 * MARGIN);
  const [x, y] = centreOf(box);
  const toCells: Vec3 = [-x, -y, MARGIN * cellMm - box.min[2]];
  const vertices = moved(turned, (place) => add(place, toCells));
  const back = transposed(ASKEW);
  return {
    cellMm,
    columns,
    rows,
    layers,
    surface: { vertices, triangles: solid.triangles },
    slicing: {
      placed: [asPlaced({ ...mesh, vertices, triangles: solid.triangles }, boxOf(vertices))],
      boundariesMm: Float64Array.from({ length: layers + 1 }, (_, k) => k * cellMm),
      grid: { pixels: [columns, rows], pixelMm: [cellMm, cellMm], mirrorX: false, portrait: false },
    },
    toRaw: (place) => add(turn(back, subtract(place, toCells)), middle),
  };
}

/** The middle of a cell. */
export const middleOf = ({ cellMm, columns, rows }: Lattice, column: number, row: number, layer: number): Vec3 => [
  (column + 0.5 - columns / 2) * cellMm,
  (rows / 2 - row - 0.5) * cellMm,
  (layer + 0.5) * cellMm,
];

const asPlaced = (mesh: Mesh, box: Box) => ({ mesh: { ...mesh, box }, pose: { ...HOME, position: centreOf(box) } });

function moved(vertices: Surface["vertices"], move: (place: Vec3) => Vec3): Float32Array {
  const places = new Float32Array(vertices.length);
  for (let at = 0; at < places.length; at += 3) {
    places.set(move([vertices[at], vertices[at + 1], vertices[at + 2]]), at);
  }
  return places;
}
