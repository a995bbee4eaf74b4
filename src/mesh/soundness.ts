import type { Watch } from "../core/watch.ts";
import { newDisjointSets } from "./disjoint-sets.ts";
import { type Surface, vertexCount } from "./mesh.ts";

/** What is wrong with a surface whose facets should bound a solid from outside. */
export interface Soundness {
  /** Whether any part has gaps, or facets that face against their neighbours. */
  readonly isOpen: boolean;
  /** Whether any part, joined by shared vertices, faces inward: one that is inside out, or the wall of a cavity. */
  readonly hasInward: boolean;
}

/** Odd constants with well mixed bits: the first two of xxHash32. */
const MIX_LOW = 0x9e3779b1;
const MIX_HIGH = 0x85ebca77;

const FACETS_PER_REPORT = 65_536;

/** Looks a surface over in one pass, without a table of its edges. */
export function soundnessOf(surface: Surface, watch: Watch): Soundness {
  const { vertices, triangles } = surface;
  const sets = newDisjointSets(vertexCount(surface));
  for (let at = 0; at < triangles.length; at += 3) {
    if (at % (3 * FACETS_PER_REPORT) === 0) watch.report((0.5 * at) / triangles.length);
    sets.join(triangles[at], triangles[at + 1]);
    sets.join(triangles[at], triangles[at + 2]);
  }
  const volumes = new Float64Array(vertexCount(surface));
  // Every closed edge adds and takes away the same number, so a sum that is not 0 tells a gap.
  let balance = 0;
  for (let at = 0; at < triangles.length; at += 3) {
    if (at % (3 * FACETS_PER_REPORT) === 0) watch.report(0.5 + (0.5 * at) / triangles.length);
    const a = triangles[at];
    const b = triangles[at + 1];
    const c = triangles[at + 2];
    volumes[sets.find(a)] += signedVolume(vertices, a, b, c);
    balance = (balance + edgeNumber(a, b) + edgeNumber(b, c) + edgeNumber(c, a)) | 0;
  }
  return { isOpen: balance !== 0, hasInward: volumes.some((volume) => volume < 0) };
}

/** A number that is as good as unique to the edge, negative for the way back; 0 for none. */
function edgeNumber(from: number, to: number): number {
  if (from === to) return 0;
  if (from > to) return -edgeNumber(to, from) | 0;
  let mixed = Math.imul(from, MIX_LOW) ^ Math.imul(to, MIX_HIGH);
  mixed = Math.imul(mixed ^ (mixed >>> 15), MIX_HIGH);
  return mixed ^ (mixed >>> 13);
}

/** Six times the volume between a facet and the origin. */
function signedVolume(vertices: Surface["vertices"], a: number, b: number, c: number): number {
  const bx = vertices[3 * b];
  const by = vertices[3 * b + 1];
  const bz = vertices[3 * b + 2];
  const cx = vertices[3 * c];
  const cy = vertices[3 * c + 1];
  const cz = vertices[3 * c + 2];
  return (
    vertices[3 * a] * (by * cz - bz * cy) +
    vertices[3 * a + 1] * (bz * cx - bx * cz) +
    vertices[3 * a + 2] * (bx * cy - by * cx)
  );
}
