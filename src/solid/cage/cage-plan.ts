import { inputError } from "../../core/api-error.ts";
import type { Vec3 } from "../../geometry/vector.ts";

/** Lengths in millimetres. */
export interface CageShape {
  /** Least clear distance between the bars of opposite walls: x, y, z. */
  readonly innerMm: Vec3;
  /** Upper limit of the outer size: x, y, z. A cage may be larger than its parts need, so that all openings have one width. */
  readonly outerLimitMm: Vec3;
  /** Largest width and height of an opening. */
  readonly openingMm: number;
  /** Width of a bar, in the plane of its wall. */
  readonly barWidthMm: number;
  /** Thickness of a bar, through its wall. */
  readonly barThicknessMm: number;
  readonly bars: "SQUARE" | "ROUND";
  /** Only for square bars: round ones form no edges. */
  readonly roundsEdges: boolean;
}

/** A bar across an axis, by its extent along it. */
export type BarSpan = readonly [from: number, to: number];

/** Openings between bars along one axis, all of one width. Coordinates are centred. */
export interface AxisPlan {
  readonly lengthMm: number;
  /** Ascending; the first and last are those along the edges of the cage. */
  readonly bars: readonly BarSpan[];
}

/** Width of the bars along the edges of the cage, and least width of an opening: openings that are narrower than bars would not stay open. */
export const edgeBarMm = ({ barWidthMm, barThicknessMm }: Pick<CageShape, "barWidthMm" | "barThicknessMm">): number =>
  Math.max(barWidthMm, barThicknessMm);

/** How far bars reach into the cage from its outer faces. */
export const frameMm = (shape: Pick<CageShape, "barWidthMm" | "barThicknessMm" | "bars">): number =>
  shape.bars === "SQUARE" ? shape.barThicknessMm : edgeBarMm(shape);

/** Tolerance for rounding if openings divide a length exactly. */
const ROUNDING_MM = 1e-9;

/** The bars along each axis. Throws INPUT_ERROR for openings that are narrower than the bars. */
export function planCage(shape: CageShape): readonly [AxisPlan, AxisPlan, AxisPlan] {
  if (shape.openingMm < edgeBarMm(shape) - ROUNDING_MM) {
    throw inputError(`Openings of ${shape.openingMm} mm are narrower than the bars, ${edgeBarMm(shape)} mm.`);
  }
  const plan = (axis: number): AxisPlan => planAxis(shape.innerMm[axis], shape.outerLimitMm[axis], shape);
  return [plan(0), plan(1), plan(2)];
}

function planAxis(innerMm: number, outerLimitMm: number, shape: CageShape): AxisPlan {
  const { openingMm, barWidthMm: barMm } = shape;
  const edgeMm = edgeBarMm(shape);
  const betweenMm = Math.max(innerMm + 2 * frameMm(shape) - 2 * edgeMm, openingMm);
  const count = Math.ceil((betweenMm + barMm) / (openingMm + barMm) - ROUNDING_MM);
  const eachIn = (lengthMm: number): number => (lengthMm + barMm) / count - barMm;
  const eachMm = Math.max(eachIn(betweenMm), Math.min(edgeMm, eachIn(outerLimitMm - 2 * edgeMm)));
  const lengthMm = 2 * edgeMm + count * eachMm + (count - 1) * barMm;
  const half = lengthMm / 2;
  const inner = Array.from({ length: count - 1 }, (_, i): BarSpan => {
    const from = -half + edgeMm + (i + 1) * eachMm + i * barMm;
    return [from, from + barMm];
  });
  return { lengthMm, bars: [[-half, -half + edgeMm], ...inner, [half - edgeMm, half]] };
}

/** Openings of all six walls. */
export const openingCount = (plan: readonly AxisPlan[]): number => {
  const [x, y, z] = plan.map(({ bars }) => bars.length - 1);
  return 2 * (x * y + y * z + z * x);
};
