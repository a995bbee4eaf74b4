import { type Vec3, cross, dot, subtract } from "../../geometry/vector.ts";
import type { Surface } from "../../mesh/mesh.ts";

/** Facets that are added one by one, without shared corners: {@link canonicalMesh} welds equal ones. */
export interface FacetList {
  /** Adds a triangle that faces `outward`, whatever the order of its corners. */
  triangle(a: Vec3, b: Vec3, c: Vec3, outward: Vec3): void;
  /** Adds two triangles. The corners run around the quadrilateral in either sense. */
  quad(a: Vec3, b: Vec3, c: Vec3, d: Vec3, outward: Vec3): void;
  toSurface(): Surface;
}

export function newFacetList(): FacetList {
  const vertices: number[] = [];
  const triangle = (a: Vec3, b: Vec3, c: Vec3, outward: Vec3): void => {
    const facesOutward = dot(cross(subtract(b, a), subtract(c, a)), outward) > 0;
    vertices.push(...a, ...(facesOutward ? b : c), ...(facesOutward ? c : b));
  };
  return {
    triangle,
    quad(a, b, c, d, outward) {
      triangle(a, b, c, outward);
      triangle(a, c, d, outward);
    },
    toSurface: () => ({
      vertices: Float64Array.from(vertices),
      triangles: Uint32Array.from({ length: vertices.length / 3 }, (_, i) => i),
    }),
  };
}

/** Segments of a quarter of a circle, in bars and rounded edges alike: circles have 16. */
export const QUARTER_SEGMENTS = 4;

/** Sine of `i` of {@link QUARTER_SEGMENTS} parts of a right angle, symmetric and exact at its ends, so that arcs meet to the last bit. */
export const quarterSine = (i: number): number => SINES[i];

const SINES = [0, Math.fround(Math.sin(Math.PI / 8)), Math.fround(Math.SQRT1_2), Math.fround(Math.cos(Math.PI / 8)), 1];

/**
 * Adds an eighth of a ball, bounded by quarters of circles across the axes. `place` gives the coordinate along an axis at a share
 * (0 to 1) of the radius from the centre.
 */
export function addBallOctant(facets: FacetList, place: (axis: number, share: number) => number, outward: Vec3): void {
  const n = QUARTER_SEGMENTS;
  const point = (i: number, j: number): Vec3 => {
    const steps = [i, j, n - i - j];
    const sines = steps.map(quarterSine);
    // On the rim the sines are already exactly those of an arc.
    const size = steps.includes(0) ? 1 : Math.sqrt(sines.reduce((sum, sine) => sum + sine * sine, 0));
    return [place(0, sines[0] / size), place(1, sines[1] / size), place(2, sines[2] / size)];
  };
  for (let i = 0; i < n; i++) {
    for (let j = 0; i + j < n; j++) {
      facets.triangle(point(i, j), point(i + 1, j), point(i, j + 1), outward);
      if (i + j + 1 < n) facets.triangle(point(i + 1, j), point(i + 1, j + 1), point(i, j + 1), outward);
    }
  }
}
