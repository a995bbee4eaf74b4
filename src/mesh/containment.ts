import type { Vec3 } from "../core/geometry.ts";
import { cross, dot, subtract } from "../core/geometry.ts";
import type { Watch } from "../core/watch.ts";
import type { Bodies } from "./bodies.ts";
import { bodyBoxes, encloses } from "./body-boxes.ts";
import type { Surface } from "./mesh.ts";

const STEPS_PER_REPORT = 65_536;
/** Of heights: more than rounding may bring the height at which an edge is passed beyond its ends. */
const ROUNDING = 2 ** -48;

/**
 * The closed bodies that each of the bodies in `asked` lies inside, by the parity of crossings of a ray towards −x from
 * the body's corner of least x. What stands out of another's box does not lie inside it, wherever that corner is.
 */
export function containersOf(
  surface: Surface,
  bodies: Bodies,
  isClosed: Uint8Array,
  asked: readonly number[],
  watch: Watch,
): Map<number, Set<number>> {
  const containers = new Map(asked.map((body) => [body, new Set<number>()]));
  const { vertices, triangles } = surface;
  const rays = raysByY(surface, bodies, asked);
  const ys = Float64Array.from(rays, ({ y }) => y);
  const zs = Float64Array.from(rays, ({ z }) => z);
  let steps = 0;
  for (let facet = 0; facet < bodies.bodyOf.length; facet++) {
    const body = bodies.bodyOf[facet];
    if (isClosed[body] === 0) continue;
    const a = triangles[3 * facet];
    const b = triangles[3 * facet + 1];
    const c = triangles[3 * facet + 2];
    const [ya, yb, yc] = [vertices[3 * a + 1], vertices[3 * b + 1], vertices[3 * c + 1]];
    const [za, zb, zc] = [vertices[3 * a + 2], vertices[3 * b + 2], vertices[3 * c + 2]];
    const [leastZ, mostZ] = [Math.min(za, zb, zc), Math.max(za, zb, zc)];
    const slack = ROUNDING * (Math.abs(leastZ) + Math.abs(mostZ));
    const first = firstAtLeast(ys, Math.min(ya, yb, yc));
    const lastY = Math.max(ya, yb, yc);
    for (let i = first; ; i++) {
      if (++steps % STEPS_PER_REPORT === 0) watch.report(facet / bodies.bodyOf.length);
      if (i === ys.length || ys[i] > lastY) break;
      if (zs[i] < leastZ - slack || zs[i] > mostZ + slack) continue;
      const ray = rays[i];
      if (ray.body !== body && crosses(vertices, a, b, c, ray)) toggle(containers.get(ray.body)!, body);
    }
  }
  const boxes = bodyBoxes(surface, bodies);
  for (const [inner, outers] of containers) {
    for (const outer of outers) if (!encloses(boxes, outer, inner)) outers.delete(outer);
  }
  return containers;
}

interface Ray {
  readonly body: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

function raysByY({ vertices, triangles }: Surface, bodies: Bodies, asked: readonly number[]): Ray[] {
  const lowest = new Map<number, number>();
  const wanted = new Set(asked);
  for (let at = 0; at < triangles.length; at++) {
    const body = bodies.bodyOf[(at - (at % 3)) / 3];
    if (!wanted.has(body)) continue;
    const best = lowest.get(body);
    if (best === undefined || vertices[3 * triangles[at]] < vertices[3 * best]) lowest.set(body, triangles[at]);
  }
  return [...lowest]
    .map(([body, v]) => ({ body, x: vertices[3 * v], y: vertices[3 * v + 1], z: vertices[3 * v + 2] }))
    .sort((a, b) => a.y - b.y);
}

/** In ascending values, how many are less. */
function firstAtLeast(values: Float64Array, least: number): number {
  let [from, to] = [0, values.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (values[middle] < least) from = middle + 1;
    else to = middle;
  }
  return from;
}

/**
 * Seen along x, the ray is a point and the facet a triangle: even–odd over its edges, each computed the same way for
 * both of its facets, so that a ray through an edge or a corner still counts once.
 */
function crosses(vertices: Surface["vertices"], a: number, b: number, c: number, ray: Ray): boolean {
  const [p, q, r] = [3 * a, 3 * b, 3 * c];
  if (vertices[p] >= ray.x && vertices[q] >= ray.x && vertices[r] >= ray.x) return false;
  const passes = passesAbove(vertices, a, b, ray) + passesAbove(vertices, b, c, ray) + passesAbove(vertices, c, a, ray);
  if (passes % 2 === 0) return false;
  if (vertices[p] < ray.x && vertices[q] < ray.x && vertices[r] < ray.x) return true;
  const corner = (at: number): Vec3 => [vertices[at], vertices[at + 1], vertices[at + 2]];
  const normal = cross(subtract(corner(q), corner(p)), subtract(corner(r), corner(p)));
  const side = dot(subtract(corner(p), [ray.x, ray.y, ray.z]), normal);
  return side * normal[0] < 0;
}

/** 1 when the edge, seen along x, crosses the half-line from the ray's point towards +z, else 0. */
function passesAbove(vertices: Surface["vertices"], a: number, b: number, { y, z }: Ray): 0 | 1 {
  const [p, q] = a < b ? [3 * a, 3 * b] : [3 * b, 3 * a];
  const [py, qy] = [vertices[p + 1], vertices[q + 1]];
  if (py > y === qy > y) return 0;
  return z < vertices[p + 2] + ((y - py) / (qy - py)) * (vertices[q + 2] - vertices[p + 2]) ? 1 : 0;
}

function toggle(set: Set<number>, member: number): void {
  if (!set.delete(member)) set.add(member);
}
