import type { LayerThickness } from "./setting.ts";

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Thicknesses closer than a nanometre are one: clients send 0.1 in single precision, or add it up. */
const SAME_MM = 1e-6;

/**
 * A layer thickness as requests give it: a number, `ADAPTIVE`, or a number written as a string. Undefined for
 * anything else.
 */
export function parseLayerThickness(given: number | string): LayerThickness | undefined {
  if (given === "ADAPTIVE" || typeof given === "number") return given;
  return NUMBER.test(given) ? Number(given) : undefined;
}

export const isSameThickness = (a: LayerThickness, b: LayerThickness): boolean =>
  typeof a === "number" && typeof b === "number" ? Math.abs(a - b) < SAME_MM : a === b;
