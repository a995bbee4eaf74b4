import { type Box, unionBoxes } from "../geometry/box.ts";
import type { SpanGrid } from "../geometry/spans.ts";
import { spanGridOver } from "../slice/span-layers.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";

/** A model, or the supports of one. */
export interface GroupBody {
  readonly placed: PlacedMesh;
  /** Around the placed body. */
  readonly box: Box;
  /** Index, within the group, of the model that it is, or that it supports. */
  readonly model: number;
  readonly isSupport: boolean;
}

/**
 * Bodies of a scene that are printed together and may form cups or support one another, by themselves: seen from above no
 * other body comes near the hull of each. What a check finds at them depends on nothing else.
 */
export interface BodyGroup {
  /** Without duplicates at the same place. */
  readonly bodies: readonly GroupBody[];
  readonly modelCount: number;
  /** Layer k reaches from entry k to entry k + 1; ascending, from 0, up to the top of the bodies. */
  readonly boundariesMm: Float64Array;
  /** Around the bodies and their neighbours, within the build volume, beyond which nothing is checked. It sets the grid. */
  readonly gridBox: Box;
}

/** The part that the bodies of a group may touch of the grid over its `gridBox`, shifted by `shiftMm` to the left and back. */
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
