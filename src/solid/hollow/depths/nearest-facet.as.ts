// AssemblyScript: a part of `depths.as.ts`.

import { BOUNDS, measured, middle, onV, onW, SEARCHED, single, squared } from "./facet-record.as";

/** A facet whose plane is no nearer than what was found, less this many voxels, is not looked at. */
const PLANE_SLACK: f64 = 1e-4;

/** Number of the search, and what is nearest in it: its squared distance, the record and where on the facet. */
export let search: i32 = 0;
export let least: f64;
let nearest: usize = 0;
let v: f64;
let w: f64;
/** Facets are farther whose planes are; so are those that lie all beyond `end` on the way to what is nearest, one voxel long. */
let reach: f64;
let toX: f64;
let toY: f64;
let toZ: f64;
let end: f64;

/** Begins a search, with the facet that was nearest last. */
export function start(x: f64, y: f64, z: f64): void {
  search++;
  least = Infinity;
  reach = Infinity;
  end = Infinity;
  if (nearest !== 0) look(nearest, x, y, z);
}

/** A coordinate of the place that is nearest. */
@inline
export function onNearest(axis: usize): f64 {
  const a = single(nearest, axis);
  return a + v * (single(nearest, axis + 3) - a) + w * (single(nearest, axis + 6) - a);
}

/** Whether a facet lies all on the far side of the plane across the way to what is nearest. */
@inline
function isBeyond(at: usize): bool {
  return (
    toX * single(at, 0) + toY * single(at, 1) + toZ * single(at, 2) >= end &&
    toX * single(at, 3) + toY * single(at, 4) + toZ * single(at, 5) >= end &&
    toX * single(at, 6) + toY * single(at, 7) + toZ * single(at, 8) >= end
  );
}

/** Takes a facet down as the nearest, if it is. */
function measure(at: usize, x: f64, y: f64, z: f64): void {
  if (load<i32>(at + SEARCHED) === search) return;
  store<i32>(at + SEARCHED, search);
  if (isBeyond(at)) return;
  const square = measured(at, x, y, z);
  if (square >= least) return;
  least = square;
  nearest = at;
  v = onV;
  w = onW;
  const distance = Math.sqrt(square);
  reach = distance - PLANE_SLACK;
  toX = (onNearest(0) - x) / distance;
  toY = (onNearest(1) - y) / distance;
  toZ = (onNearest(2) - z) / distance;
  end = toX * x + toY * y + toZ * z + reach;
}

/** Looks whether a facet is nearer than what is nearest; what its plane or a ball around it tells to be farther is not measured. */
export function look(at: usize, x: f64, y: f64, z: f64): void {
  if (load<i32>(at, SEARCHED) === search) return;
  const toPlane = x * single(at, 9) + y * single(at, 10) + z * single(at, 11) - single(at, 12);
  if (toPlane >= reach || toPlane <= -reach) return;
  const beyond = reach + single(at, 15);
  if (squared(x - middle(at, 0), y - middle(at, 1), z - middle(at, 2)) >= beyond * beyond) return;
  measure(at, x, y, z);
}

/** The same for `count` records with their bounds, one after the other. */
export function lookAtAll(records: usize, bounds: usize, count: usize, x: f64, y: f64, z: f64): void {
  for (let n: usize = 0, at = bounds; n < count; n++, at += BOUNDS) {
    const along = x * load<f64>(at) + y * load<f64>(at, 8) + z * load<f64>(at, 16);
    const toPlane = along - load<f64>(at, 24);
    if (toPlane >= reach || toPlane <= -reach) continue;
    const beyond = reach + load<f64>(at, 56);
    if (squared(x - load<f64>(at, 32), y - load<f64>(at, 40), z - load<f64>(at, 48)) >= beyond * beyond) continue;
    measure(load<usize>(records + (n << 2)), x, y, z);
  }
}

/** How far a place is above the plane of what is nearest. */
export function aboveNearest(x: f64, y: f64, z: f64): f64 {
  return x * normalOfNearest(0) + y * normalOfNearest(1) + z * normalOfNearest(2) - single(nearest, 12);
}

/** A coordinate of that plane's normal. */
@inline
export function normalOfNearest(axis: usize): f64 {
  return single(nearest, 9 + axis);
}
