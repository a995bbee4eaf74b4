import { type RowFunction, rounded } from "./sheet-outliner.ts";

/**
 * Struts along the four diagonals of a body-centred cubic lattice are endless cylinders of directions (u, v, 1), these of u and v. They rise at
 * 35°, and a plane cuts each family in ellipses that are alike, one for each cell.
 */
const DIAGONALS = [
  [1, 1],
  [1, -1],
  [-1, 1],
  [-1, -1],
] as const;

interface Struts {
  readonly cellMm: number;
  /** Diameter. */
  readonly wallMm: number;
}

/** A layer of an image, `zMm` above a node whose place is `middle`, pixels. */
interface StrutLayer {
  /** Pixels per mm. */
  readonly scale: readonly number[];
  readonly middle: readonly number[];
  readonly zMm: number;
}

/**
 * The struts of each diagonal along the rows of a layer. A point at (x, y) from the axis of a strut, in its plane, is in the strut of radius r where
 * x² − uv·xy + y² ≤ 1.5·r². So sections are at least 0.14 mm high, for the thinnest struts: strips of rows within a block do not miss any.
 */
export const strutRows = ({ cellMm, wallMm }: Struts, { scale, middle, zMm }: StrutLayer): RowFunction[] =>
  DIAGONALS.map(([u, v]) => {
    const period = cellMm * Math.abs(scale[0]);
    const reach = 1.5 * (wallMm / 2) ** 2;
    return {
      period,
      pixelsPerMm: Math.abs(scale[0]),
      set(border, y) {
        const across = (y - middle[1]) / scale[1] - v * zMm;
        const apart = across - cellMm * Math.round(across / cellMm);
        const peak = middle[0] + scale[0] * (u * zMm + 0.5 * u * v * apart);
        const square = reach - 0.75 * apart * apart;
        border.y = y;
        border.peak = rounded(peak - period * Math.floor(peak / period));
        border.outer = square > 0 ? rounded(Math.abs(scale[0]) * Math.sqrt(square)) : 0;
        border.inner = 0;
      },
    };
  });

/** Distance of a place, relative to a node, from the axis of the nearest strut, if it is less than a third of a cell; else more than that. */
export function strutDistanceMm(x: number, y: number, z: number, cellMm: number): number {
  let least = Infinity;
  for (const [u, v] of DIAGONALS) {
    const [dx, dy] = [x - u * z, y - v * z].map((mm) => mm - cellMm * Math.round(mm / cellMm));
    least = Math.min(least, (2 / 3) * (dx * dx - u * v * dx * dy + dy * dy));
  }
  return Math.sqrt(least);
}
