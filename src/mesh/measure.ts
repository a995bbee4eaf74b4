import { type Box, boxCentre, boxOf } from "../geometry/box.ts";
import { setFacetNormal } from "./mesh.ts";

export interface MeshMeasures {
  readonly box: Box;
  readonly volumeMm3: number;
  readonly areaMm2: number;
}

/** Bounding box of all vertices, signed volume and area of the facets, in double precision. */
export function measureMesh(vertices: Float32Array, triangles: Uint32Array): MeshMeasures {
  const box = boxOf(vertices);
  // The tetrahedra have their apex in the centre of the box, so that a model far from the origin loses no digits.
  const [x, y, z] = boxCentre(box);
  const normal = new Float64Array(3);
  let volume6 = 0;
  let area2 = 0;
  for (let at = 0; at < triangles.length; at += 3) {
    const a = 3 * triangles[at];
    setFacetNormal(normal, vertices, triangles, at / 3);
    const nx = normal[0];
    const ny = normal[1];
    const nz = normal[2];
    volume6 += (vertices[a] - x) * nx + (vertices[a + 1] - y) * ny + (vertices[a + 2] - z) * nz;
    area2 += Math.sqrt(nx * nx + ny * ny + nz * nz);
  }
  return { box, volumeMm3: volume6 / 6, areaMm2: area2 / 2 };
}

/** Distance of neighbouring single-precision numbers from 1 to 2: the greatest relative distance. */
const FLOAT32_EPSILON = 2 ** -23;

/**
 * An upper bound of the distance between neighbouring single-precision coordinates in the box: twice the greatest error
 * of rounding a coordinate.
 */
export const float32SpacingMm = ({ min, max }: Box): number =>
  FLOAT32_EPSILON * Math.max(...min.map(Math.abs), ...max.map(Math.abs));
