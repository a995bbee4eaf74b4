import type { Progress } from "../core/progress.ts";
import { releaseArrays } from "../core/typed-arrays.ts";
import { MAX_COORDINATE_MM } from "../core/limits.ts";
import { type Box, boxCentre, boxOf, boxSize, unionBoxes } from "../geometry/box.ts";
import type { Vec3 } from "../geometry/vector.ts";
import type { Surface } from "../mesh/mesh.ts";
import type { ModelFile, ReadOptions } from "./model-reader.ts";

/** Single precision has steps of 0.06 µm at 1 m: coordinates nearer to the origin than this are kept. */
const MIN_FAR_MM = 500;
/**
 * Rounding to single precision changes a length by up to 2⁻²³ of the coordinates: less than a millionth of the size up to this ratio
 * of distance to size.
 */
const MAX_DISTANCE_TO_SIZE = 8;

/**
 * A point near the middle of surfaces, in their unit. With it as the origin they keep their size and facets in single precision.
 * Undefined if their own origin is near enough, or if they exceed the range of coordinates. It is a multiple of a power of two, so
 * that subtracting it from single-precision coordinates is exact.
 */
export function nearOrigin(surfaces: readonly Surface[], unitMm: number): Vec3 | undefined {
  if (surfaces.every(({ vertices }) => farthestMm(boxOf(vertices), unitMm) < MIN_FAR_MM)) return undefined;
  const box = surfaces.map(boxOfFacets).reduce(unionBoxes);
  const farMm = farthestMm(box, unitMm);
  const size = Math.max(...boxSize(box));
  if (
    !(farMm >= MIN_FAR_MM && farMm <= MAX_COORDINATE_MM && farMm > MAX_DISTANCE_TO_SIZE * size * unitMm && size > 0)
  ) {
    return undefined;
  }
  let step = 1;
  while (2 * step <= size) step *= 2;
  while (step > size) step /= 2;
  const [x, y, z] = boxCentre(box).map((middle) => step * Math.round(middle / step));
  return [x, y, z];
}

const farthestMm = ({ min, max }: Box, unitMm: number): number => unitMm * Math.max(...[...min, ...max].map(Math.abs));

/** The box of the vertices that facets use. */
function boxOfFacets({ vertices, triangles }: Surface): Box {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < triangles.length; i++) {
    for (let axis = 0; axis < 3; axis++) {
      const value = vertices[3 * triangles[i] + axis];
      if (value < min[axis]) min[axis] = value;
      if (value > max[axis]) max[axis] = value;
    }
  }
  return { min, max };
}

/** The surface in millimetres, relative to another origin. */
export function moveToOrigin({ vertices, triangles }: Surface, origin: Vec3, unitMm: number): Surface {
  return { vertices: Float64Array.from(vertices, (value, i) => (value - origin[i % 3]) * unitMm), triangles };
}

/**
 * Reads a file whose surfaces have single precision. If they turn out to be far from the origin, the file is read once more in double
 * precision relative to a nearer origin.
 */
export function readNearOrigin(
  { unitMm = 1 }: Pick<ReadOptions, "unitMm">,
  progress: Progress,
  read: (progress: Progress, origin?: Vec3) => ModelFile,
): ModelFile {
  const file = read(progress);
  const surfaces = file.parts.map(({ surface }) => surface);
  const origin = nearOrigin(surfaces, unitMm);
  if (!origin) return file;
  for (const { vertices, triangles } of surfaces) releaseArrays(vertices, triangles);
  return { ...read(progress.silent(), origin), origin };
}
