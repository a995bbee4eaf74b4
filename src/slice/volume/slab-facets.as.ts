// AssemblyScript, part of the kernel `volume-kernel.as.ts`: the facets of a chunk, cut at the borders of layers.

import { addCorner, addPolygon, beginPolygon, beginSlab } from "./slab-polygons.as";

/** The corners of each facet from the lowest to the highest, x, y, z of each (8 bytes); x and y in pixels, z in mm. */
export let corners: usize;
const CORNERS_BYTES: usize = 72;
/**
 * For each facet (4 bytes): four times its body, plus 1 if the order of its corners reverses its winding, plus 2 if its solid has gaps.
 * Facets ascend by bodies.
 */
export let facetTags: usize;
/** Facets, by the first slab that they meet (4 bytes), and the start in them of those of each slab, and their number (4 bytes). */
export let facetOrder: usize;
export let slabFirsts: usize;
/** The facets that the slab meets, and memory for those of the next one (4 bytes); both ascend. */
export let activeFacets: usize;
export let nextActiveFacets: usize;
let activeCount: i32 = 0;

/** Begins with the facets of a chunk. */
export function startFacets(): void {
  activeCount = 0;
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function cornersOf(facet: u32): usize {
  return corners + <usize>facet * CORNERS_BYTES;
}

/** Cuts the facets that meet the slab from `bottom` to `top`, mm. Slabs ascend. */
export function cutSlab(slab: i32, bottom: f64, top: f64): void {
  activate(slab, bottom);
  beginSlab();
  for (let i = 0; i < activeCount; i++) cutFacet(load<u32>(activeFacets + (i << 2)), bottom, top);
}

/** Joins the facets that begin in the slab with those of the one before that reach into it, in their order: bodies stay together. */
function activate(slab: i32, bottom: f64): void {
  let next = load<i32>(slabFirsts + (slab << 2));
  const end = load<i32>(slabFirsts + (slab << 2), 4);
  let count = 0;
  for (let i = 0; i < activeCount; i++) {
    const facet = load<u32>(activeFacets + (i << 2));
    if (load<f64>(cornersOf(facet), 64) <= bottom) continue;
    for (; next < end && load<u32>(facetOrder + (next << 2)) < facet; next++) {
      store<u32>(nextActiveFacets + (count++ << 2), load<u32>(facetOrder + (next << 2)));
    }
    store<u32>(nextActiveFacets + (count++ << 2), facet);
  }
  for (; next < end; next++) store<u32>(nextActiveFacets + (count++ << 2), load<u32>(facetOrder + (next << 2)));
  const held = activeFacets;
  activeFacets = nextActiveFacets;
  nextActiveFacets = held;
  activeCount = count;
}

/**
 * Makes the polygon of a facet between two planes, with z from 0 to 1. A point on an edge is computed from the edge's lower end, so that
 * facets that share an edge have the same points.
 */
function cutFacet(facet: u32, bottom: f64, top: f64): void {
  const low = cornersOf(facet);
  const mid = low + 24;
  const high = low + 48;
  const midZ = load<f64>(mid, 16);
  const highZ = load<f64>(high, 16);
  const perMm = 1 / (top - bottom);
  beginPolygon();
  const isCutBelow = load<f64>(low, 16) < bottom;
  if (isCutBelow) addCut(low, high, bottom, 0);
  else addCorner(load<f64>(low), load<f64>(low, 8), (load<f64>(low, 16) - bottom) * perMm);
  const isCutAbove = highZ > top;
  if (isCutAbove) {
    addCut(low, high, top, 1);
    if (midZ >= top) addCut(low, mid, top, 1);
    else addCut(mid, high, top, 1);
  } else addCorner(load<f64>(high), load<f64>(high, 8), (highZ - bottom) * perMm);
  if ((midZ > bottom || !isCutBelow) && (midZ < top || !isCutAbove)) addCorner(load<f64>(mid), load<f64>(mid, 8), (midZ - bottom) * perMm);
  if (isCutBelow) {
    if (midZ > bottom) addCut(low, mid, bottom, 0);
    else addCut(mid, high, bottom, 0);
  }
  addPolygon(load<u32>(facetTags + (<usize>facet << 2)));
}

/** Adds the point at the height `z`, mm, of the edge from `from` up to `to`; `slabZ` is its height in the slab. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function addCut(from: usize, to: usize, z: f64, slabZ: f64): void {
  const fromZ = load<f64>(from, 16);
  const along = (z - fromZ) / (load<f64>(to, 16) - fromZ);
  addCorner(
    load<f64>(from) + along * (load<f64>(to) - load<f64>(from)),
    load<f64>(from, 8) + along * (load<f64>(to, 8) - load<f64>(from, 8)),
    slabZ,
  );
}
