import { nextHalfedge } from "../geometry/halfedge.ts";
import type { Progress } from "../core/progress.ts";
import { appendNumbers } from "../core/typed-arrays.ts";
import {
  type Vec3,
  ORIGIN,
  cross,
  distance,
  dot,
  exactLength,
  subtract,
  triangleNormal,
  unitOrZero,
} from "../geometry/vector.ts";
import { boundaryHalfedges, cachedEdges } from "../mesh/edges.ts";
import { type Surface, vertexAt } from "../mesh/mesh.ts";
import { newEdgeSet } from "./edge-set.ts";
import { minimumAreaTriangulation } from "./minimum-area-triangulation.ts";

/** Gaps between borders that should coincide. */
export interface Slivers {
  readonly count: number;
  /** The greatest distance between such borders. */
  readonly widestMm: number;
}

/** A loop of more open edges is debris, not the borders of two faces. Its triangulation would take seconds. */
const MAX_CORNERS = 5000;
/** Longer loops are cut across first: the triangulation of minimum area takes O(n³). */
const MAX_MINIMUM_AREA_CORNERS = 32;
/** A cut leaves at least this share of the corners on each side. */
const MIN_CUT_SHARE = 0.25;
/** A surface where more open edges meet at a vertex is debris. */
const MAX_EDGES_AT_VERTEX = 64;
const STEPS_PER_CORNER = 1024;
/** A border that bends more at a vertex has a corner there. Tessellations follow a curve in steps of at most 45°. */
const MAX_BEND = Math.PI / 4 + 0.01;
/** A sliver ends where its border turns back by more. */
const MIN_TIP = (3 * Math.PI) / 4;
const NONE = -1;

/**
 * Closes the slivers between faces that were meshed separately: two faces follow the same curve with different vertices, so their
 * borders are up to `widthMm` apart, twice the deviation of the mesh. No vertex is moved. Wider holes stay open, even if a part of
 * them is narrow. The new facets may have any orientation.
 */
export function closeSlivers(
  surface: Surface,
  widthMm: number,
  progress: Progress,
): Slivers & { readonly surface: Surface } {
  const edges = cachedEdges(surface);
  const boundary = boundaryHalfedges(edges);
  const loops = narrowLoops(surface, boundary);
  const edgeSet = newEdgeSet(surface, edges);
  const added: number[] = [];
  let count = 0;
  let widestMm = 0;
  for (const [i, loop] of loops.entries()) {
    progress.report(i / loops.length, STEPS_PER_CORNER * loop.length);
    if (loop.length > MAX_CORNERS) continue;
    const facets = triangulate(surface, loop, (a, b) => a === b || edgeSet.has(a, b), progress.silent());
    const width = facets.reduce((most, facet) => Math.max(most, smallestHeightMm(surface, facet)), 0);
    if (width > Math.max(widthMm, 2 * largestSagMm(surface, loop))) continue;
    count++;
    widestMm = Math.max(widestMm, width);
    for (const [a, b, c] of facets) {
      if (a === b || b === c || c === a) continue;
      added.push(a, b, c);
      edgeSet.add(a, b);
      edgeSet.add(b, c);
      edgeSet.add(c, a);
    }
  }
  if (count === 0) return { surface, count, widestMm };
  const { vertices, triangles } = surface;
  return { surface: { vertices, triangles: appendNumbers(triangles, added) }, count, widestMm };
}

type Facet = readonly [a: number, b: number, c: number];

/** The smallest height of a facet, mm. */
function smallestHeightMm(surface: Surface, facet: Facet): number {
  const [a, b, c] = facet.map((v) => vertexAt(surface, v));
  const longest = Math.max(distance(a, b), distance(b, c), distance(c, a));
  return longest === 0 ? 0 : exactLength(triangleNormal(a, b, c)) / longest;
}

/**
 * The greatest distance between a chord of a loop and a smooth curve through its corners, estimated from the bends of the loop. 0 for
 * straight borders.
 */
function largestSagMm(surface: Surface, loop: readonly number[]): number {
  const corners = loop.map((v) => vertexAt(surface, v));
  const chords = corners.map((corner, i) => subtract(corners[(i + 1) % corners.length], corner));
  const bends = chords.map((chord, i) => angleBetween(chords.at(i - 1)!, chord));
  const sags = bends.map((bend, i) => {
    if (bend > MAX_BEND) return 0;
    const [short, long] = [exactLength(chords.at(i - 1)!), exactLength(chords[i])].toSorted((a, b) => a - b);
    return sagMm(long, (2 * bend * long) / (short + long));
  });
  return Math.max(sagOfLoneChord(chords, bends), ...sags);
}

/** The sag of a chord of a circle: length² / 8 radii. `bend` is the angle between the tangents at its ends. */
const sagMm = (lengthMm: number, bend: number): number => (lengthMm * bend) / 8;

/**
 * The sag of a border that is a single chord: the other border of the sliver shows how much the curve bends along it. 0 for other
 * slivers.
 */
function sagOfLoneChord(chords: readonly Vec3[], bends: readonly number[]): number {
  const count = chords.length;
  const lone = bends.findIndex((bend, i) => bend > MIN_TIP && bends[(i + 1) % count] > MIN_TIP);
  if (lone < 0) return 0;
  const inner = bends.filter((_, i) => i !== lone && i !== (lone + 1) % count).reduce((sum, bend) => sum + bend, 0);
  // The other border does not show half of the bend at each of its ends.
  const bend = (inner * (count - 1)) / (count - 2);
  return bend > MAX_BEND ? 0 : sagMm(exactLength(chords[lone]), bend);
}

const angleBetween = (a: Vec3, b: Vec3): number => Math.atan2(exactLength(cross(a, b)), dot(a, b));

/**
 * Loops of open edges, each as its vertices; a vertex may occur twice. If several slivers end at a vertex, the two edges that leave it
 * in the most similar directions follow each other: they are the two sides of a sliver.
 */
function narrowLoops(surface: Surface, boundary: Uint32Array): number[][] {
  const { triangles } = surface;
  /** The ends of open edge i are 2i and 2i + 1. */
  const vertexOf = (end: number): number =>
    triangles[end % 2 === 0 ? boundary[end >> 1] : nextHalfedge(boundary[end >> 1])];
  /** For each end of an open edge: the end of the next open edge at the same vertex. */
  const follower = new Int32Array(2 * boundary.length).fill(NONE);
  const atVertex = new Map<number, number[]>();
  for (let end = 0; end < follower.length; end++) {
    const v = vertexOf(end);
    const known = atVertex.get(v);
    if (known) known.push(end);
    else atVertex.set(v, [end]);
  }
  for (const [v, here] of atVertex) pairEnds(surface, v, here, (end) => vertexOf(end ^ 1), follower);
  const isDone = new Uint8Array(boundary.length);
  const loops: number[][] = [];
  for (let first = 0; first < boundary.length; first++) {
    const loop: number[] = [];
    // Leaves each edge by its end and enters the next edge.
    for (let end = 2 * first; end !== NONE && isDone[end >> 1] === 0; end = follower[end ^ 1]) {
      isDone[end >> 1] = 1;
      loop.push(vertexOf(end));
      if (follower[end ^ 1] === 2 * first && loop.length > 2) loops.push(loop);
    }
  }
  return loops;
}

/** Pairs the ends of open edges at vertex v, in order of the angles between them. `beyond` returns the other vertex of an edge. */
function pairEnds(
  surface: Surface,
  v: number,
  here: readonly number[],
  beyond: (end: number) => number,
  follower: Int32Array,
): void {
  if (here.length === 2) {
    [follower[here[0]], follower[here[1]]] = [here[1], here[0]];
    return;
  }
  if (here.length > MAX_EDGES_AT_VERTEX) return;
  const at = vertexAt(surface, v);
  const directions = here.map((end) => unitOrZero(subtract(vertexAt(surface, beyond(end)), at)));
  const pairs = here.flatMap((_, i) =>
    here.slice(i + 1).map((_, k) => ({ i, j: i + 1 + k, cosine: dot(directions[i], directions[i + 1 + k]) })),
  );
  for (const { i, j } of pairs.toSorted((p, q) => q.cosine - p.cosine)) {
    if (follower[here[i]] !== NONE || follower[here[j]] !== NONE) continue;
    follower[here[i]] = here[j];
    follower[here[j]] = here[i];
  }
}

/** Triangles between the corners of a loop. Avoids inner edges that exist already (`isTaken`). */
function triangulate(
  surface: Surface,
  loop: readonly number[],
  isTaken: (a: number, b: number) => boolean,
  progress: Progress,
): Facet[] {
  if (loop.length > MAX_MINIMUM_AREA_CORNERS) {
    const [i, j] = shortestCut(surface, loop, isTaken);
    return [loop.slice(i, j + 1), [...loop.slice(j), ...loop.slice(0, i + 1)]].flatMap((part) =>
      triangulate(surface, part, isTaken, progress),
    );
  }
  const corners = loop.map((v) => vertexAt(surface, v));
  // The facets on the other side of the borders may have any orientation.
  const normals = loop.map((): Vec3 => ORIGIN);
  return minimumAreaTriangulation(corners, normals, (i, j) => isTaken(loop[i], loop[j]), progress).map(
    (facet) => facet.map((i) => loop[i]) as unknown as Facet,
  );
}

/** The shortest line across a loop. */
function shortestCut(
  surface: Surface,
  loop: readonly number[],
  isTaken: (a: number, b: number) => boolean,
): [i: number, j: number] {
  const corners = loop.map((v) => vertexAt(surface, v));
  const least = Math.floor(MIN_CUT_SHARE * loop.length);
  let best: [number, number] = [0, loop.length >> 1];
  let shortest = Infinity;
  for (let i = 0; i < loop.length; i++) {
    for (let j = i + least; j < Math.min(loop.length, i + loop.length - least); j++) {
      const length = distance(corners[i], corners[j]);
      if (length >= shortest || isTaken(loop[i], loop[j])) continue;
      [best, shortest] = [[i, j], length];
    }
  }
  return best;
}
