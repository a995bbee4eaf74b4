import type { Watch } from "../core/watch.ts";
import { newDisjointSets } from "../mesh/disjoint-sets.ts";
import type { Mesh, Surface } from "../mesh/mesh.ts";
import { vertexCount } from "../mesh/mesh.ts";
import { orientBodies } from "../mesh/repair/orient-bodies.ts";
import { repair } from "../mesh/repair/repair.ts";

/** The facets that the slicer cuts for a mesh. */
export interface Solid {
  readonly vertices: Surface["vertices"];
  readonly triangles: Uint32Array;
  /** Whether it has gaps, so that its outlines may end anywhere. */
  readonly isOpen: boolean;
}

/**
 * The solid that a mesh stands for. A sound mesh is taken as it is; one with gaps or facets turned over, as `IGNORE` lets
 * them in, is repaired for the purpose, and inside-out bodies are turned outward.
 */
export function solidOf(mesh: Mesh, watch: Watch): Solid {
  const { isOpen, hasInward } = look(mesh);
  if (isOpen) return toSolid(repair(mesh, watch));
  return hasInward ? toSolid(orientBodies(mesh)) : toSolid(mesh);
}

const toSolid = ({ vertices, triangles }: Surface): Solid => ({
  vertices: shared(vertices),
  triangles: shared(triangles),
  isOpen: look({ vertices, triangles }).isOpen,
});

/** Odd constants with well mixed bits: the first two of xxHash32. */
const MIX_LOW = 0x9e3779b1;
const MIX_HIGH = 0x85ebca77;

/** Whether any part of the surface, joined by shared vertices, has gaps, and whether any faces inward. */
function look(surface: Surface): { isOpen: boolean; hasInward: boolean } {
  const { vertices, triangles } = surface;
  const sets = newDisjointSets(vertexCount(surface));
  for (let at = 0; at < triangles.length; at += 3) {
    sets.join(triangles[at], triangles[at + 1]);
    sets.join(triangles[at], triangles[at + 2]);
  }
  const volumes = new Float64Array(vertexCount(surface));
  // Every closed edge adds and takes away the same number, so a sum that is not 0 tells a gap.
  let balance = 0;
  for (let at = 0; at < triangles.length; at += 3) {
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

/** Six times the volume of the tetrahedron under a facet. */
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

/** The same numbers where every thread can read them. */
function shared<T extends Surface["vertices"] | Uint32Array>(words: T): T {
  if (words.buffer instanceof SharedArrayBuffer) return words;
  const copy = new (words.constructor as new (buffer: SharedArrayBuffer) => T)(new SharedArrayBuffer(words.byteLength));
  copy.set(words);
  return copy;
}
