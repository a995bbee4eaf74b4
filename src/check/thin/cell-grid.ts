import { boxCentre, boxOf, boxSize } from "../../geometry/box.ts";
import { IDENTITY_POSE, rotateVector, transpose } from "../../geometry/pose.ts";
import {
  type Vec3,
  add,
  dot,
  exactLength,
  mapMat3,
  subtract,
  times,
  triangleNormal,
  unit,
} from "../../geometry/vector.ts";
import type { Bvh } from "../../mesh/bvh/bvh.ts";
import type { ClosestPoint } from "../../mesh/bvh/closest-point.ts";
import { windingNumber } from "../../mesh/bvh/winding-number.ts";
import { type Mesh, type Surface, cornersOf, withOtherSurface } from "../../mesh/mesh.ts";
import { countLayers } from "../../slice/layer-heights.ts";
import type { StackRequest } from "../../slice/stack.ts";
import { medialBall } from "./medial-ball.ts";

/** Cubic cells over a rotated solid, in layers of rows like those of slices. Lengths are in model space. */
export interface CellGrid {
  readonly cellMm: number;
  readonly columns: number;
  readonly rows: number;
  readonly layers: number;
  /** The surface of the solid in grid coordinates. */
  readonly surface: Surface;
  /** The request that rasterises the cells: layer k of the slices is layer k of the grid, seen from above. */
  readonly slicing: StackRequest;
  /** Converts grid coordinates to model space. */
  toModel(point: Vec3): Vec3;
}

/**
 * The rotation of the quaternion 19 + 4i + 7j + 3k. Walls mostly run along the axes of their model. Rotated walls meet cells in many
 * different ways, so that the cells that they cover add up to their volume. Made of integers, because engines differ in the last bits
 * of sines.
 */
const ASKEW = mapMat3([319, -58, 290, 170, 385, -110, -242, 194, 305], (value) => value / 435);

/** Empty cells around the solid on each side. */
const MARGIN = 2;

/** A grid over a solid. Uses only the box and the hash of `mesh`. */
export function cellGridOver(mesh: Mesh, solid: Surface, cellMm: number): CellGrid {
  const centre = boxCentre(mesh.box);
  const rotated = mapVertices(solid.vertices, (point) => rotateVector(ASKEW, subtract(point, centre)));
  const box = boxOf(rotated);
  const [columns, rows, layers] = boxSize(box).map((mm) => countLayers(mm, cellMm) + 2 * MARGIN);
  const [x, y] = boxCentre(box);
  const toGrid: Vec3 = [-x, -y, MARGIN * cellMm - box.min[2]];
  const vertices = mapVertices(rotated, (point) => add(point, toGrid));
  const surface = { vertices, triangles: solid.triangles };
  const gridBox = boxOf(vertices);
  const back = transpose(ASKEW);
  return {
    cellMm,
    columns,
    rows,
    layers,
    surface,
    slicing: {
      placed: [
        {
          mesh: { ...withOtherSurface(mesh, surface), box: gridBox },
          pose: { ...IDENTITY_POSE, position: boxCentre(gridBox) },
        },
      ],
      boundariesMm: Float64Array.from({ length: layers + 1 }, (_, k) => k * cellMm),
      grid: { pixels: [columns, rows], pixelMm: [cellMm, cellMm], mirrorX: false, portrait: false },
    },
    toModel: (point) => add(rotateVector(back, subtract(point, toGrid)), centre),
  };
}

function mapVertices(vertices: Surface["vertices"], map: (point: Vec3) => Vec3): Float32Array {
  const mapped = new Float32Array(vertices.length);
  for (let at = 0; at < mapped.length; at += 3) {
    mapped.set(map([vertices[at], vertices[at + 1], vertices[at + 2]]), at);
  }
  return mapped;
}

/** The centre of a cell, grid coordinates. */
export const cellCentre = ({ cellMm, columns, rows }: CellGrid, column: number, row: number, layer: number): Vec3 => [
  (column + 0.5 - columns / 2) * cellMm,
  (rows / 2 - row - 0.5) * cellMm,
  (layer + 0.5) * cellMm,
];

/** A surface that bounds a solid, and its hierarchy. */
export interface BoundedSolid {
  readonly surface: Surface;
  readonly tree: Bvh;
}

/** The point of a solid's surface that belongs to a cell. */
interface SurfaceFoot {
  readonly foot: Vec3;
  /** Unit vector from the foot into the solid. */
  readonly inward: Vec3;
  /** Distance from the foot to the centre of the cell, if the centre is inside: its distance to the surface. */
  readonly depthMm?: number;
}

/**
 * A foot is moved away from the edges of its facet by this share of a cell, but at most by this share of the way to the centroid of
 * the facet.
 */
const OFF_EDGE = 0.1;
const MAX_CENTROID_SHARE = 0.3;

/** Cosine of 3°: a point in the direction of the normal of a facet is in front of the facet or behind it, not beyond its edge. */
const ALONG_NORMAL = 0.9985;

/**
 * The point of the surface nearest to the centre of a cell if the centre is inside the solid, otherwise a point close to it on the
 * same facet. `isFull`: the whole cell is solid. Undefined if the nearest facet has no area.
 */
export function surfaceFoot(
  { surface, tree }: BoundedSolid,
  centre: Vec3,
  { point, facet, distanceMm }: ClosestPoint,
  isFull: boolean,
  cellMm: number,
): SurfaceFoot | undefined {
  const [a, b, c] = cornersOf(surface, facet);
  const normal = triangleNormal(a, b, c);
  const size = exactLength(normal);
  const away = subtract(centre, point);
  const height = size === 0 ? 0 : dot(normal, away) / size;
  const isBeside = Math.abs(height) < ALONG_NORMAL * distanceMm;
  const isInside = isFull || (isBeside || height === 0 ? windingNumber(tree, centre) > 0 : height < 0);
  if (isInside && distanceMm > 0) return { foot: point, inward: unit(away), depthMm: distanceMm };
  if (size === 0) return undefined;
  const toCentroid = subtract(times(add(add(a, b), c), 1 / 3), point);
  const centroidMm = exactLength(toCentroid);
  const share = centroidMm === 0 ? 0 : Math.min(MAX_CENTROID_SHARE, (OFF_EDGE * cellMm) / centroidMm);
  return { foot: add(point, times(toCentroid, share)), inward: times(normal, -1 / size) };
}

/** Largest depth of the sample point of a cell whose centre is not solid, in cells. */
const MAX_DEPTH_CELLS = 0.5;

/** The point of a solid that represents a cell: the centre of the cell, or a point behind its foot whose nearest surface is the foot. */
export const samplePoint = (tree: Bvh, { foot, inward, depthMm }: SurfaceFoot, cellMm: number): Vec3 =>
  add(foot, times(inward, depthMm ?? medialBall(tree, foot, inward, MAX_DEPTH_CELLS * cellMm).radiusMm));
