import type { Watch } from "../../core/watch.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { type Frame, toFrame } from "./frame.ts";

const STEPS_PER_REPORT = 65_536;

// On which sides of the square around the axis a vertex lies (Cohen and Sutherland's codes).
const RIGHT = 1;
const LEFT = 2;
const FRONT = 4;
const BACK = 8;

/** The facets whose boxes seen along the axis come within `radiusMm` of it: u, v, s of their three corners. */
export function facetsAlong(
  { vertices, triangles }: Surface,
  frame: Frame,
  radiusMm: number,
  watch: Watch,
): Float64Array {
  const sides = sidesOf(vertices, frame, radiusMm, watch.part(0, 0.5));
  const found: number[] = [];
  for (let at = 0; at < triangles.length; at += 3) {
    if (at % (3 * STEPS_PER_REPORT) === 0) watch.report(0.5 + (0.5 * at) / triangles.length);
    if ((sides[triangles[at]] & sides[triangles[at + 1]] & sides[triangles[at + 2]]) !== 0) continue;
    for (let corner = at; corner < at + 3; corner++) {
      const v = 3 * triangles[corner];
      found.push(...toFrame(frame, [vertices[v], vertices[v + 1], vertices[v + 2]]));
    }
  }
  return Float64Array.from(found);
}

function sidesOf(vertices: Surface["vertices"], { origin, u, v }: Frame, radiusMm: number, watch: Watch): Uint8Array {
  const [ox, oy, oz] = origin;
  const [ux, uy, uz] = u;
  const [vx, vy, vz] = v;
  const sides = new Uint8Array(vertices.length / 3);
  for (let i = 0; i < sides.length; i++) {
    if (i % STEPS_PER_REPORT === 0) watch.report(i / sides.length);
    const x = vertices[3 * i] - ox;
    const y = vertices[3 * i + 1] - oy;
    const z = vertices[3 * i + 2] - oz;
    const across = x * ux + y * uy + z * uz;
    const other = x * vx + y * vy + z * vz;
    sides[i] =
      (across > radiusMm ? RIGHT : across < -radiusMm ? LEFT : 0) |
      (other > radiusMm ? BACK : other < -radiusMm ? FRONT : 0);
  }
  return sides;
}
