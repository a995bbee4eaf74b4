import { type Box, unionBoxes } from "../geometry/box.ts";
import type { SpanGrid } from "../geometry/spans.ts";
import { spanGridOver } from "../slice/span-layers.ts";
import { bareMesh } from "../mesh/filled-mesh.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";

/** A model, or the supports of one. */
export interface GroupBody {
  readonly placed: PlacedMesh;
  /** Box around the placed body. */
  readonly box: Box;
  /** Index, in the group, of the model that this body is or supports. */
  readonly model: number;
  readonly isSupport: boolean;
}

/**
 * Bodies of a scene that are printed together and may form cups or support one another. Seen from above, no body of another group
 * comes near the hull of one of them, so the findings of a check depend on these bodies alone.
 */
export interface BodyGroup {
  /** Without duplicates at the same place. */
  readonly bodies: readonly GroupBody[];
  readonly modelCount: number;
  /** Boundaries of the layers: layer k reaches from entry k to entry k + 1. Ascending, from 0 to the top of the bodies. */
  readonly boundariesMm: Float64Array;
  /** Box around the bodies and their neighbours, within the build volume. It sets the grid; nothing beyond it is checked. */
  readonly gridBox: Box;
}

/**
 * A body without its infill. Below arches and beside slits some walls of infill begin in mid-air and join others within about a millimetre, which no
 * support can change.
 */
export const bareBody = ({ placed: { mesh, pose } }: GroupBody): PlacedMesh => ({ mesh: bareMesh(mesh), pose });

/** The part of the grid over `gridBox` that the bodies of a group may touch, shifted by `shiftMm` to the left and back. */
export function groupGrid({ bodies, gridBox }: BodyGroup, pixelMm: number, shiftMm = 0): SpanGrid {
  const centred = spanGridOver(gridBox, pixelMm);
  const grid = { ...centred, leftMm: centred.leftMm - shiftMm, backMm: centred.backMm + shiftMm };
  return windowOver(bodies.map(({ box }) => box).reduce(unionBoxes), grid).grid;
}

/** A rectangle of a grid and its first column and row in it. */
export interface Window {
  readonly grid: SpanGrid;
  readonly column: number;
  readonly row: number;
}

/** The part of a grid that a body may touch, with a free pixel on each side where the grid has one. */
export function windowOver({ min, max }: Box, { columns, rows, pixelMm, leftMm, backMm }: SpanGrid): Window {
  const clamped = (pixels: number, most: number): number => Math.min(most, Math.max(0, Math.floor(pixels)));
  const column = clamped((min[0] - leftMm) / pixelMm - 1, columns - 1);
  const row = clamped((backMm - max[1]) / pixelMm - 1, rows - 1);
  const grid = {
    columns: clamped((max[0] - leftMm) / pixelMm + 2, columns) - column,
    rows: clamped((backMm - min[1]) / pixelMm + 2, rows) - row,
    pixelMm,
    leftMm: leftMm + column * pixelMm,
    backMm: backMm - row * pixelMm,
  };
  return { grid, column, row };
}
