import type { Progress } from "../core/progress.ts";
import { lowerBound } from "../geometry/binary-search.ts";
import { type Vec3, dot, subtract, triangleNormal } from "../geometry/vector.ts";
import { type Bodies, bodiesOf, bodyBoxes, bodyVolumes, boxEncloses, closedBodies } from "./bodies.ts";
import { type Edges, edgesOf } from "./edges.ts";
import { type Surface, isDegenerateFacet, vertexCount } from "./mesh.ts";

/** The solids of a mesh: its bodies, each with the cavities in it. */
export interface Solids {
  readonly count: number;
  /** Solid of each facet; {@link NO_SOLID} for facets without area that touch no solid. */
  readonly solidOf: Int32Array;
}

export const NO_SOLID = -1;

/**
 * The solids of a mesh, in the order of their first facets. A cavity belongs to the innermost body around it. A body in a
 * cavity is a separate solid, and so is an open body anywhere. Parts that share only vertices are separate, parts that
 * share an edge are not. Bodies without area are no solids: they belong to a solid with which they share a vertex.
 */
export function solidsOf(surface: Surface, progress: Progress): Solids {
  const edges = edgesOf(surface.triangles, vertexCount(surface));
  progress.report(0.4);
  const bodies = bodiesOf(surface, edges);
  progress.report(0.6);
  const hosts = hostsOf(surface, edges, bodies, progress.part(0.6, 0.8));
  progress.report(0.8);
  const hasArea = new Uint8Array(bodies.count);
  for (let facet = 0; facet < bodies.bodyOf.length; facet++) {
    const body = bodies.bodyOf[facet];
    if (hasArea[body] === 0 && !isDegenerateFacet(surface, facet)) hasArea[body] = 1;
  }
  const solidOfBody = new Int32Array(bodies.count).fill(NO_SOLID);
  let count = 0;
  for (const [body, host] of hosts.entries()) if (host === body && hasArea[body] === 1) solidOfBody[body] = count++;
  for (const [body, host] of hosts.entries()) solidOfBody[body] = solidOfBody[host];
  const solidOf = Int32Array.from(bodies.bodyOf, (body) => solidOfBody[body]);
  if (hasArea.includes(0)) assignDegenerateFacets(surface, solidOf);
  return { count, solidOf };
}

/** Host of each body: the body itself, or the body whose cavity it is. */
function hostsOf(surface: Surface, edges: Edges, bodies: Bodies, progress: Progress): Uint32Array {
  const hosts = Uint32Array.from({ length: bodies.count }, (_, body) => body);
  const volumes = bodyVolumes(surface, bodies);
  const isClosed = closedBodies(surface, edges, bodies);
  const closed = [...hosts].filter((body) => isClosed[body] === 1);
  const facing = (body: number): 1 | -1 => (volumes[body] < 0 ? -1 : 1);
  if (closed.every((body) => facing(body) === facing(closed[0]))) return hosts;
  const containers = enclosingBodies(surface, bodies, isClosed, closed, progress);
  const containersOf = (body: number): number[] => [...(containers.get(body) ?? [])];
  // The winding number of the surrounding bodies just outside of the body. A cavity has the opposite sign.
  const windingAt = (body: number): number => containersOf(body).reduce((sum, outer) => sum + facing(outer), 0);
  const cavities = new Set(closed.filter((body) => windingAt(body) * facing(body) < 0));
  for (const cavity of cavities) {
    const around = containersOf(cavity).filter((outer) => !cavities.has(outer));
    const [innermost] = around.sort((a, b) => Math.abs(volumes[a]) - Math.abs(volumes[b]));
    if (innermost !== undefined) hosts[cavity] = innermost;
  }
  return hosts;
}

/** Assigns facets without a solid to the first solid with which they share a vertex. */
function assignDegenerateFacets({ vertices, triangles }: Surface, solidOf: Int32Array): void {
  const solidAt = new Int32Array(vertices.length / 3).fill(NO_SOLID);
  for (let at = triangles.length - 1; at >= 0; at--) {
    const solid = solidOf[(at - (at % 3)) / 3];
    const known = solidAt[triangles[at]];
    if (solid !== NO_SOLID && (known === NO_SOLID || solid < known)) solidAt[triangles[at]] = solid;
  }
  for (let facet = 0; facet < solidOf.length; facet++) {
    for (let at = 3 * facet; at < 3 * facet + 3 && solidOf[facet] === NO_SOLID; at++)
      solidOf[facet] = solidAt[triangles[at]];
  }
}

/**
 * The closed bodies that face inward and are no cavities. A cavity is inside an odd number of other closed bodies; a body
 * that faces outward may be anywhere.
 */
export function invertedBodies(surface: Surface, edges: Edges, bodies: Bodies, progress: Progress): number[] {
  const volumes = bodyVolumes(surface, bodies);
  if (volumes.every((volume) => volume >= 0)) return [];
  const isClosed = closedBodies(surface, edges, bodies);
  const inward = [...volumes.keys()].filter((body) => volumes[body] < 0 && isClosed[body] === 1);
  if (bodies.count === 1) return inward;
  const containers = enclosingBodies(surface, bodies, isClosed, inward, progress);
  return inward.filter((body) => (containers.get(body)?.size ?? 0) % 2 === 0);
}

const STEPS_PER_REPORT = 65_536;
/** Relative bound of the rounding error of the height at which an edge is crossed. */
const ROUNDING = 2 ** -48;

/**
 * For each of the requested bodies the closed bodies that enclose it: by the parity of the crossings of a ray towards −x
 * from the body's vertex of least x. A body that is not completely inside the bounding box of another is not enclosed.
 */
export function enclosingBodies(
  surface: Surface,
  bodies: Bodies,
  isClosed: Uint8Array,
  requested: readonly number[],
  progress: Progress,
): Map<number, Set<number>> {
  const { vertices, triangles } = surface;
  progress.report(0);
  const boxes = bodyBoxes(surface, bodies);
  const { isOuter, isInner } = boxNesting(boxes, isClosed, requested, progress);
  const allRays = raysByY(surface, bodies, requested);
  const rays = allRays.filter(({ body }) => isInner[body] === 1);
  const xs = Float64Array.from(rays, ({ x }) => x);
  const ys = Float64Array.from(rays, ({ y }) => y);
  const zs = Float64Array.from(rays, ({ z }) => z);
  let steps = 0;
  for (let facet = 0; facet < bodies.bodyOf.length; facet++) {
    const body = bodies.bodyOf[facet];
    if (isOuter[body] === 0) continue;
    const a = triangles[3 * facet];
    const b = triangles[3 * facet + 1];
    const c = triangles[3 * facet + 2];
    const ya = vertices[3 * a + 1];
    const yb = vertices[3 * b + 1];
    const yc = vertices[3 * c + 1];
    const za = vertices[3 * a + 2];
    const zb = vertices[3 * b + 2];
    const zc = vertices[3 * c + 2];
    const leastX = Math.min(vertices[3 * a], vertices[3 * b], vertices[3 * c]);
    const leastZ = Math.min(za, zb, zc);
    const mostZ = Math.max(za, zb, zc);
    const slack = ROUNDING * (Math.abs(leastZ) + Math.abs(mostZ));
    const first = lowerBound(ys, Math.min(ya, yb, yc));
    const lastY = Math.max(ya, yb, yc);
    for (let i = first; ; i++) {
      if (++steps % STEPS_PER_REPORT === 0) progress.report(facet / bodies.bodyOf.length);
      if (i === ys.length || ys[i] > lastY) break;
      if (xs[i] <= leastX || zs[i] < leastZ - slack || zs[i] > mostZ + slack) continue;
      const ray = rays[i];
      if (ray.body === body || !boxEncloses(boxes, body, ray.body)) continue;
      if (rayCrossesFacet(vertices, a, b, c, ray)) toggle(ray.crossed, body);
    }
  }
  return new Map(allRays.map(({ body, crossed }) => [body, crossed]));
}

/**
 * Marks the closed bodies whose box encloses the box of another, requested body (`isOuter`), and these requested bodies (`isInner`):
 * other facets and rays need no test. Found by sweep and prune along the axis along which the boxes overlap least.
 */
function boxNesting(
  boxes: Float64Array,
  isClosed: Uint8Array,
  requested: readonly number[],
  progress: Progress,
): { readonly isOuter: Uint8Array; readonly isInner: Uint8Array } {
  const [isOuter, isInner] = [new Uint8Array(isClosed.length), new Uint8Array(isClosed.length)];
  const isRequested = new Uint8Array(isClosed.length);
  for (const body of requested) isRequested[body] = 1;
  // A body that is flat along an axis has no inside.
  const isSolid = isClosed.map((closed, body) =>
    closed === 1 && [0, 1, 2].every((axis) => boxes[6 * body + axis] < boxes[6 * body + 3 + axis]) ? 1 : 0,
  );
  const order = Array.from(isClosed.keys()).filter((body) => isSolid[body] === 1 || isRequested[body] === 1);
  const axis = leastOverlapAxis(boxes, order);
  order.sort((a, b) => boxes[6 * a + axis] - boxes[6 * b + axis] || a - b);
  const mark = (outer: number, inner: number): void => {
    if (isSolid[outer] === 0 || isRequested[inner] === 0 || !boxEncloses(boxes, outer, inner)) return;
    isOuter[outer] = 1;
    isInner[inner] = 1;
  };
  const active: number[] = [];
  let steps = 0;
  for (const body of order) {
    const from = boxes[6 * body + axis];
    let kept = 0;
    for (const other of active) {
      if (++steps % STEPS_PER_REPORT === 0) progress.report(0);
      if (boxes[6 * other + 3 + axis] < from) continue;
      active[kept++] = other;
      mark(other, body);
      if (boxes[6 * other + axis] === from) mark(body, other);
    }
    active.length = kept;
    // At equal positions along the axis a later box may enclose this one.
    active.push(body);
  }
  return { isOuter, isInner };
}

/** The axis along which the boxes are shortest for the length that they cover together. */
function leastOverlapAxis(boxes: Float64Array, bodies: readonly number[]): number {
  const overlaps = [0, 1, 2].map((axis) => {
    let [least, greatest, sum] = [Infinity, -Infinity, 0];
    for (const body of bodies) {
      const [from, to] = [boxes[6 * body + axis], boxes[6 * body + 3 + axis]];
      least = Math.min(least, from);
      greatest = Math.max(greatest, to);
      sum += to - from;
    }
    return greatest > least ? sum / (greatest - least) : Infinity;
  });
  return Math.max(0, overlaps.indexOf(Math.min(...overlaps)));
}

interface Ray {
  readonly body: number;
  /** The closed bodies that the ray has crossed an odd number of times. */
  readonly crossed: Set<number>;
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

function raysByY({ vertices, triangles }: Surface, bodies: Bodies, requested: readonly number[]): Ray[] {
  const leftmost = new Map<number, number>();
  const wanted = new Set(requested);
  for (let at = 0; at < triangles.length; at++) {
    const body = bodies.bodyOf[(at - (at % 3)) / 3];
    if (!wanted.has(body)) continue;
    const best = leftmost.get(body);
    if (best === undefined || vertices[3 * triangles[at]] < vertices[3 * best]) leftmost.set(body, triangles[at]);
  }
  return [...leftmost]
    .map(([body, v]) => ({
      body,
      crossed: new Set<number>(),
      x: vertices[3 * v],
      y: vertices[3 * v + 1],
      z: vertices[3 * v + 2],
    }))
    .sort((a, b) => a.y - b.y);
}

/**
 * Whether a ray towards −x crosses a facet that begins before it. In the projection along x the ray is a point, tested against the triangle by
 * the even–odd rule. Each edge is computed alike for both of its facets, so a ray through an edge or a corner counts once.
 */
function rayCrossesFacet(vertices: Surface["vertices"], a: number, b: number, c: number, ray: Ray): boolean {
  const [p, q, r] = [3 * a, 3 * b, 3 * c];
  const passes = passesAbove(vertices, a, b, ray) + passesAbove(vertices, b, c, ray) + passesAbove(vertices, c, a, ray);
  if (passes % 2 === 0) return false;
  if (vertices[p] < ray.x && vertices[q] < ray.x && vertices[r] < ray.x) return true;
  const corner = (at: number): Vec3 => [vertices[at], vertices[at + 1], vertices[at + 2]];
  const normal = triangleNormal(corner(p), corner(q), corner(r));
  const side = dot(subtract(corner(p), [ray.x, ray.y, ray.z]), normal);
  return side * normal[0] < 0;
}

/** 1 if the projection of the edge along x crosses the half-line from the ray's point towards +z, else 0. */
function passesAbove(vertices: Surface["vertices"], a: number, b: number, { y, z }: Ray): 0 | 1 {
  // Without arrays: it runs for each ray in the box of each facet, which may be a hundred million times.
  const p = 3 * Math.min(a, b);
  const q = 3 * Math.max(a, b);
  const py = vertices[p + 1];
  const qy = vertices[q + 1];
  if (py > y === qy > y) return 0;
  return z < vertices[p + 2] + ((y - py) / (qy - py)) * (vertices[q + 2] - vertices[p + 2]) ? 1 : 0;
}

function toggle(set: Set<number>, member: number): void {
  if (!set.delete(member)) set.add(member);
}
