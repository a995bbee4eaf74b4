import type { Box } from "../core/geometry.ts";

/** Of two neighbouring single-precision numbers from 1 to 2; elsewhere of their size, at most. */
const STEP = 2 ** -23;

/** What rounding to single precision can move a vertex in the box by along an axis, at most, and twice over. */
export const singleStepMm = ({ min, max }: Box): number => STEP * Math.max(...min.map(Math.abs), ...max.map(Math.abs));
