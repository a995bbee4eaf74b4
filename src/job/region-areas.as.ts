// AssemblyScript, part of the kernel `shape-kernel.as.ts`: areas of the regions of a layer, which are sets of lit pixels that are connected by
// their sides. A grey pixel counts by its value. Takes time in proportion to the number of runs.

import { endOf, firstRun, height, startOf, valueOf } from "./layer-runs.as";

/** 4 bytes for each run: another run of its region, the root refers to itself. */
export let parents: usize;
/** 8 bytes for each run. */
export let areas: usize;

/** Areas in pixels, of all regions, of the largest and of the smallest one; 0 without regions. */
export let solid: f64;
export let largest: f64;
export let smallest: f64;
export let regions: u32;
/** First and last column and row with lit pixels, if there are regions. */
export let minX: u32;
export let maxX: u32;
export let minY: u32;
export let maxY: u32;

/** Sets the results of the layer. */
export function joinRegions(): void {
  minX = u32.MAX_VALUE;
  minY = u32.MAX_VALUE;
  maxX = 0;
  maxY = 0;
  for (let row: u32 = 0; row < height; row++) joinRow(row);
  solid = 0;
  largest = 0;
  smallest = Infinity;
  regions = 0;
  // A root precedes the other runs of its region.
  for (let run = firstRun(height); run-- > 0;) {
    const area = load<f64>(areas + (run << 3));
    const parent = parentOf(run);
    if (parent !== run) {
      const to = areas + (parent << 3);
      store<f64>(to, load<f64>(to) + area);
      continue;
    }
    regions++;
    solid += area;
    largest = max(largest, area);
    smallest = min(smallest, area);
  }
  if (regions === 0) smallest = 0;
}

/** Sets the area of each run, and joins it with the run before it if they touch, and with those of the row above that share columns with it. */
function joinRow(row: u32): void {
  const first = firstRun(row);
  const end = firstRun(row + 1);
  if (first === end) return;
  minX = min(minX, startOf(first));
  maxX = max(maxX, endOf(end - 1) - 1);
  minY = min(minY, row);
  maxY = row;
  let above = row > 0 ? firstRun(row - 1) : 0;
  let before: u32 = 0;
  let last: u32 = u32.MAX_VALUE;
  for (let run = first; run < end; run++) {
    const start = startOf(run);
    const stop = endOf(run);
    store<f64>(areas + (run << 3), <f64>((stop - start) * valueOf(run)) / 255);
    // The root of the run before it, which it touches, or the run itself.
    let root = last === start ? before : run;
    setParent(run, root);
    while (above < first && endOf(above) <= start) above++;
    for (let other = above; other < first && startOf(other) < stop; other++) root = joined(root, other);
    before = root;
    last = stop;
  }
}

/** Joins the region of a root and that of another run. Returns the root of both, which is the earlier one. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function joined(root: u32, run: u32): u32 {
  const other = rootOf(run);
  if (other < root) {
    setParent(root, other);
    return other;
  }
  setParent(other, root);
  return root;
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function rootOf(run: u32): u32 {
  let at = run;
  for (let parent = parentOf(at); parent !== at; parent = parentOf(at)) {
    // Halves the path.
    const next = parentOf(parent);
    setParent(at, next);
    at = next;
  }
  return at;
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function parentOf(run: u32): u32 {
  return load<u32>(parents + (run << 2));
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function setParent(run: u32, parent: u32): void {
  store<u32>(parents + (run << 2), parent);
}
