import type { Box } from "../geometry/box.ts";
import type { Pose } from "../geometry/pose.ts";
import { type Transform, poseTransform } from "../geometry/transform.ts";
import { type Vec3, triangleNormal } from "../geometry/vector.ts";

/**
 * Triangles as read from a file: any vertex order, with duplicates and defects. Coordinates in the unit of the file.
 * Corners of triangle t are `triangles[3t]`, `[3t+1]`, `[3t+2]`, counter-clockwise seen from outside.
 */
export interface Surface {
  readonly vertices: Float32Array | Float64Array;
  readonly triangles: Uint32Array;
}

/**
 * An immutable triangle mesh in millimetres, in canonical form: vertices are single precision, without −0, sorted by
 * (x, y, z) and unique by position; each triangle starts at its smallest index; triangles are sorted. So the same
 * surface has the same bytes whatever file it came from, and `hash` (lower-case hex SHA-256 over those bytes) identifies
 * it. All arrays are in shared memory: sending a mesh to another thread copies nothing.
 */
export interface Mesh {
  readonly hash: string;
  /** x, y, z of each vertex. */
  readonly vertices: Float32Array;
  /** Three vertex indices per triangle, counter-clockwise seen from outside. */
  readonly triangles: Uint32Array;
  readonly box: Box;
  /** Sum of signed tetrahedra; negative for a mesh that is inside out. */
  readonly volumeMm3: number;
  /** Volume of the repaired solid; only if the mesh has gaps, or facets or bodies that face the wrong way, or infill. */
  readonly solidVolumeMm3?: number;
  readonly areaMm2: number;
  /**
   * One integer with what is known of the vertices and triangles so far (`mesh-facts.ts`). Any thread adds to it what it finds, so that
   * no other computes it again. It is no part of the value: it changes no result, and no file holds it.
   */
  readonly facts: Int32Array;
  /** What fills the cavity of a hollow mesh. Its facets do not show it: layers have it (`slice/infill/infill-outlines.ts`). */
  readonly infill?: Infill | undefined;
  /** Lattices of struts for which this mesh stands in, everywhere but in layers (`latticed-mesh.ts`). */
  readonly latticed?: Latticed | undefined;
  /** The mesh without its infill, if it has one (`filled-mesh.ts`). */
  readonly bare?: Mesh | undefined;
}

/** Sheets along triply periodic surfaces. */
export const SHEET_KINDS = ["GYROID", "SCHWARZ_P", "SCHWARZ_D"] as const;
export type SheetKind = (typeof SHEET_KINDS)[number];
/** `STRUTS`: those of a body-centred cubic lattice. */
export const INFILL_KINDS = [...SHEET_KINDS, "STRUTS"] as const;
export type InfillKind = (typeof INFILL_KINDS)[number];

/**
 * A periodic pattern. Lengths are those of the scene, whatever the scale of the part, and cells are upright in every pose: they carry
 * themselves while they are printed, and their outlines have a closed form.
 */
export interface InfillRule {
  readonly kind: InfillKind;
  /** Side of a cell. */
  readonly cellMm: number;
  /** Mean thickness of sheets, or diameter of struts. */
  readonly wallMm: number;
  /** Height of the arches on which sheets stand on floors and under roofs, so that all spaces between them are one. Struts leave one space: 0. */
  readonly clearanceMm: number;
}

export interface Infill extends InfillRule {
  /** The space to fill, in the coordinates of the mesh: a closed surface that faces outward. */
  readonly cavity: Mesh;
}

/**
 * The union of struts and balls, which is sliced without a mesh. A strut is a frustum between two vertices, with a cap at each end. All
 * arrays are in shared memory. Lengths in mm, in the coordinates of the lattice.
 */
export interface StrutLattice {
  /** x, y, z of each vertex. */
  readonly vertices: Float32Array;
  /** The two vertices of each strut. */
  readonly struts: Uint32Array;
  /** The radii at the two ends of each strut; or one number, the radius of all. */
  readonly radii: Float32Array;
  /** The caps of each strut (`capCode` of `strut-lattice.ts`); or one number, those of all. */
  readonly caps: Uint8Array;
  /** The vertex of each ball. */
  readonly balls: Uint32Array;
  /** The radius of each ball; or one number, that of all. */
  readonly ballRadii: Float32Array;
  /** From the coordinates of the lattice to those of the part. It may shear and stretch, which makes struts elliptical. */
  readonly transform: Transform;
  /** A solid, in the coordinates of the part: only what is inside, or outside, of it belongs to the lattice. */
  readonly clip?: LatticeClip | undefined;
}

export interface LatticeClip {
  readonly mesh: Mesh;
  readonly keeps: "inside" | "outside";
}

/** What layers have instead of a mesh that stands in for lattices. */
export interface Latticed {
  readonly lattices: readonly StrutLattice[];
  /** The triangles of the part beside its lattices; absent if it has none. */
  readonly skin?: Mesh | undefined;
}

/** The {@link Mesh.facts} of a new mesh: nothing is known. */
export const newFacts = (): Int32Array => new Int32Array(new SharedArrayBuffer(4));

/** Adds what is known of an equal mesh, which another request made. */
export function addFacts({ facts }: Mesh, equal: Mesh): void {
  Atomics.or(facts, 0, Atomics.load(equal.facts, 0));
}

/** Other vertices and triangles under the hash and the measures of a mesh, for kernels that need these; without infill. */
export const withOtherSurface = (
  mesh: Mesh,
  { vertices, triangles }: Pick<Mesh, "vertices" | "triangles">,
  facts = newFacts(),
): Mesh => ({ ...mesh, vertices, triangles, facts, infill: undefined, bare: undefined, latticed: undefined });

export const vertexCount = (surface: Surface): number => surface.vertices.length / 3;
export const triangleCount = (surface: Surface): number => surface.triangles.length / 3;

/** The volume of the solid that a mesh represents, after repair if it needs any, mm³. */
export const solidVolumeMm3 = (mesh: Mesh): number => mesh.solidVolumeMm3 ?? Math.abs(mesh.volumeMm3);

/** The bits of −0 in single precision, as a signed integer. No mesh holds this value. */
export const NEGATIVE_ZERO = -0x8000_0000;

/** The position of a vertex. */
export const vertexAt = ({ vertices }: Surface, vertex: number): Vec3 => [
  vertices[3 * vertex],
  vertices[3 * vertex + 1],
  vertices[3 * vertex + 2],
];

/** The positions of the three corners of a facet, in order. */
export const cornersOf = (surface: Surface, facet: number): [a: Vec3, b: Vec3, c: Vec3] => [
  vertexAt(surface, surface.triangles[3 * facet]),
  vertexAt(surface, surface.triangles[3 * facet + 1]),
  vertexAt(surface, surface.triangles[3 * facet + 2]),
];

/**
 * The outward normal of a facet, twice as long as its area. Allocates: loops over all facets of a large mesh call
 * {@link setFacetNormal}.
 */
export const facetNormal = (surface: Surface, facet: number): Vec3 => triangleNormal(...cornersOf(surface, facet));

/** Writes {@link facetNormal} to x, y, z of `normal`. */
export function setFacetNormal(
  normal: Float64Array,
  vertices: Float32Array | Float64Array,
  triangles: Uint32Array,
  facet: number,
): void {
  const a = 3 * triangles[3 * facet];
  const b = 3 * triangles[3 * facet + 1];
  const c = 3 * triangles[3 * facet + 2];
  const ux = vertices[b] - vertices[a];
  const uy = vertices[b + 1] - vertices[a + 1];
  const uz = vertices[b + 2] - vertices[a + 2];
  const vx = vertices[c] - vertices[a];
  const vy = vertices[c + 1] - vertices[a + 1];
  const vz = vertices[c + 2] - vertices[a + 2];
  normal[0] = uy * vz - uz * vy;
  normal[1] = uz * vx - ux * vz;
  normal[2] = ux * vy - uy * vx;
}

/** Whether the corners of a facet are collinear. Exact for single-precision vertices, except for the rounding of differences. */
export function isDegenerateFacet({ vertices, triangles }: Surface, facet: number): boolean {
  setFacetNormal(degenerateNormal, vertices, triangles, facet);
  return degenerateNormal[0] === 0 && degenerateNormal[1] === 0 && degenerateNormal[2] === 0;
}

/** Memory of {@link isDegenerateFacet}, which runs for every facet. */
const degenerateNormal = new Float64Array(3);

/** Several surfaces, all in the same unit, as one; vertices are not welded. */
export function concatenateSurfaces(surfaces: readonly Surface[]): Surface {
  if (surfaces.length === 1) return surfaces[0];
  const total = (pick: (surface: Surface) => ArrayLike<number>): number =>
    surfaces.reduce((sum, surface) => sum + pick(surface).length, 0);
  const vertexValues = total(({ vertices }) => vertices);
  const areSingle = surfaces.every(({ vertices }) => vertices instanceof Float32Array);
  const vertices = areSingle ? new Float32Array(vertexValues) : new Float64Array(vertexValues);
  const triangles = new Uint32Array(total((surface) => surface.triangles));
  let vertexAt = 0;
  let cornerAt = 0;
  for (const surface of surfaces) {
    const firstVertex = vertexAt / 3;
    vertices.set(surface.vertices, vertexAt);
    vertexAt += surface.vertices.length;
    for (const corner of surface.triangles) triangles[cornerAt++] = corner + firstVertex;
  }
  return { vertices, triangles };
}

/** The facets of a mesh in scene coordinates, in single precision: within 10 µm at 100 mm. */
export function placedSurface(placed: { readonly mesh: Mesh; readonly pose: Pose }): Surface {
  const { mesh } = placed;
  const [a, d, g, b, e, h, c, f, i, u, v, w] = poseTransform(placed);
  const vertices = new Float32Array(mesh.vertices.length);
  for (let at = 0; at < vertices.length; at += 3) {
    const x = mesh.vertices[at];
    const y = mesh.vertices[at + 1];
    const z = mesh.vertices[at + 2];
    vertices[at] = a * x + b * y + c * z + u;
    vertices[at + 1] = d * x + e * y + f * z + v;
    vertices[at + 2] = g * x + h * y + i * z + w;
  }
  return { vertices, triangles: mesh.triangles };
}

/** The surface with only the facets for which `keep` is true; the same object when that is all of them. */
export function filterFacets(surface: Surface, keep: (facet: number) => boolean): Surface {
  const kept = new Uint32Array(surface.triangles.length);
  let size = 0;
  for (let facet = 0; facet < triangleCount(surface); facet++) {
    if (!keep(facet)) continue;
    for (let at = 3 * facet; at < 3 * facet + 3; at++) kept[size++] = surface.triangles[at];
  }
  return size === kept.length ? surface : { vertices: surface.vertices, triangles: kept.slice(0, size) };
}

/** The surface with the facets for which `flip` is true facing the other way; the same object when there are none. */
export function flipFacets(surface: Surface, flip: (facet: number) => boolean): Surface {
  const triangles = surface.triangles.slice();
  let isChanged = false;
  for (let facet = 0; facet < triangleCount(surface); facet++) {
    if (!flip(facet)) continue;
    triangles[3 * facet + 1] = surface.triangles[3 * facet + 2];
    triangles[3 * facet + 2] = surface.triangles[3 * facet + 1];
    isChanged = true;
  }
  return isChanged ? { vertices: surface.vertices, triangles } : surface;
}
