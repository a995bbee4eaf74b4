// AssemblyScript, part of the kernel `raster-kernel.as.ts`: winding numbers.

import { rounded } from "./coverage.as";
import { member, modelOf, y0, y1 } from "./row-pieces.as";

/** Pieces at a smaller distance, pixels, belong to one cluster. It exceeds the resolution of `sortByLeft`. */
export const TOUCH_DISTANCE_PX: f64 = 1e-5;

/** Winding number of each model's outlines at the current point of the sweep of a row (4 bytes), and the number of models. */
export let turns: usize;
export let models: i32;
/** The model whose outline clips all others; −1 for none. */
export let boundary: i32;
/** Number of models, without the boundary, with a winding number above 0. */
let modelsInside: i32;

export function resetWinding(): void {
  memory.fill(turns, 0, models << 2);
  modelsInside = 0;
}

/** Whether the point is solid: inside the boundary, and inside of at least one model. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function isInside(): bool {
  return modelsInside > 0 && (boundary < 0 || load<i32>(turns + (boundary << 2)) > 0);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
export function turn(model: i32, step: i32): void {
  const at = turns + (model << 2);
  const before = load<i32>(at);
  const after = before + step;
  store<i32>(at, after);
  if (model !== boundary) modelsInside += <i32>(after > 0) - <i32>(before > 0);
}

/** Largest rounding error of the height, in rows, of an outline that crosses a row once. */
const LENGTH_ROUNDING: f64 = 1e-9;

/**
 * The change of the winding number from the left to the right of the cluster of the members from `from` to before `to`, if that is one
 * outline that crosses the row once; 0 if the cluster has several outlines or one that turns back.
 */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function windingChange(from: i32, to: i32): i32 {
  const model = modelOf(member(from));
  let height: f64 = 0;
  let path: f64 = 0;
  for (let i = from; i < to; i++) {
    const piece = member(i);
    if (modelOf(piece) !== model) return 0;
    const step = y1(piece) - y0(piece);
    height += step;
    path += abs(step);
  }
  return path > 1 + LENGTH_ROUNDING ? 0 : rounded(height);
}
