import type { BuildVolume, Mat3 } from "../core/geometry.ts";
import { type Frame, toScreen } from "./framing.ts";

/** A value that changes evenly over the screen: a · x + b · y + c at pixel place (x, y). */
export type Slope = readonly [a: number, b: number, c: number];

export const slopeAt = (slope: Slope, x: number, y: number): number => slope[0] * x + slope[1] * y + slope[2];

/** The plane of the platform as the screen shows it: which place, mm, and how near. */
export interface Ground {
  readonly x: Slope;
  readonly y: Slope;
  readonly nearness: Slope;
  /** Whether its upper side is seen. */
  readonly fromAbove: boolean;
}

/** Below this sine of the pitch the platform is no more than a line. */
const LEVEL = 1e-3;

/** Undefined where the platform is seen from its edge. */
export function groundOf(frame: Frame, view: Mat3): Ground | undefined {
  if (Math.abs(view[8]) < LEVEL) return undefined;
  const {
    linear: [a, b, , d, e, , g, h],
    offset: [u, v],
  } = toScreen(frame, view);
  const det = a * e - b * d;
  const x: Slope = [e / det, -b / det, (b * v - e * u) / det];
  const y: Slope = [-d / det, a / det, (d * u - a * v) / det];
  const nearness = x.map((value, i) => g * value + h * y[i]) as unknown as Slope;
  return { x, y, nearness, fromAbove: view[8] > 0 };
}

/** How far a point of the platform's plane lies outside the platform, mm; negative inside. */
export function outsidePlatform({ dimensionsMm, filletRadiusMm }: BuildVolume, x: number, y: number): number {
  const width = dimensionsMm[0];
  const depth = dimensionsMm[1];
  const r = Math.min(filletRadiusMm, width / 2, depth / 2);
  const across = Math.abs(x) - width / 2 + r;
  const along = Math.abs(y) - depth / 2 + r;
  if (across > 0 && along > 0) return Math.sqrt(across * across + along * along) - r;
  return Math.max(across, along) - r;
}
