import type { Mat3, Vec3 } from "../core/geometry.ts";
import { triangleCount } from "../mesh/mesh.ts";
import { type Affine, after, multiply } from "./affine.ts";
import { TINTS } from "./colour.ts";
import type { Body } from "./prepare.ts";

/** The light of a point of a surface, and which way the surface faces: right, up and toward the camera. */
export interface Shade {
  r: number;
  g: number;
  b: number;
  right: number;
  up: number;
  toward: number;
}

/** Gives the shade of a facet where the screen place (x, y) shows it. */
export type ShadeFacet = (facet: number, x: number, y: number, into: Shade) => void;

// The lights hang at the camera, so bodies look alike from every side: a large one over the left shoulder, a faint one
// low on the right. The sky is the world's: what faces up is lighter.
const unit = ([x, y, z]: Vec3): Vec3 => {
  const length = Math.sqrt(x * x + y * y + z * z);
  return [x / length, y / length, z / length];
};
const KEY = unit([-0.5, 0.75, 0.75]);
const FILL = unit([0.85, -0.15, 0.5]);
/** Half way between the key light and the camera: surfaces that face there shine. */
const SHINE = unit([KEY[0], KEY[1], KEY[2] + 1]);
const [KEY_LIGHT, FILL_LIGHT, SHINE_LIGHT] = [0.86, 0.16, 0.08];
const [SKY_LIGHT, GROUND_LIGHT] = [0.38, 0.14];

/** `toScreen` and `view` are those of the picture; `toScreen` scales evenly. */
export function newShader(bodies: readonly Body[], toScreen: Affine, view: Mat3): ShadeFacet {
  const placed = bodies.map((body) => ({
    vertices: body.mesh.vertices,
    triangles: body.mesh.triangles,
    normals: body.normals,
    tint: TINTS[body.kind],
    firstFacet: body.firstFacet,
    endFacet: body.firstFacet + triangleCount(body.mesh),
    toScreen: after(body.place, toScreen),
    toView: multiply(view, body.place.linear),
  }));
  let body = placed[0];
  return (facet, x, y, into) => {
    if (facet < body.firstFacet || facet >= body.endFacet) body = placed[lastAtMost(placed, facet)];
    const {
      vertices,
      triangles,
      normals,
      tint,
      toScreen: { linear, offset },
      toView,
    } = body;
    const corner = 3 * (facet - body.firstFacet);
    const a = 3 * triangles[corner];
    const b = 3 * triangles[corner + 1];
    const c = 3 * triangles[corner + 2];
    const ax = linear[0] * vertices[a] + linear[1] * vertices[a + 1] + linear[2] * vertices[a + 2] + offset[0] - x;
    const ay = linear[3] * vertices[a] + linear[4] * vertices[a + 1] + linear[5] * vertices[a + 2] + offset[1] - y;
    const bx = linear[0] * vertices[b] + linear[1] * vertices[b + 1] + linear[2] * vertices[b + 2] + offset[0] - x;
    const by = linear[3] * vertices[b] + linear[4] * vertices[b + 1] + linear[5] * vertices[b + 2] + offset[1] - y;
    const cx = linear[0] * vertices[c] + linear[1] * vertices[c + 1] + linear[2] * vertices[c + 2] + offset[0] - x;
    const cy = linear[3] * vertices[c] + linear[4] * vertices[c + 1] + linear[5] * vertices[c + 2] + offset[1] - y;
    // Shares of the corners, with the sign that the facet's turning gives all of them. A pixel's middle may lie a little
    // outside of a facet that covers one of its samples; the nearest inside will do.
    const turning = ax * (by - cy) + bx * (cy - ay) + cx * (ay - by) < 0 ? -1 : 1;
    const p = Math.max(0, turning * (bx * cy - by * cx));
    const q = Math.max(0, turning * (cx * ay - cy * ax));
    const r = Math.max(0, turning * (ax * by - ay * bx));
    const n = 3 * corner;
    const nx = p * normals[n] + q * normals[n + 3] + r * normals[n + 6];
    const ny = p * normals[n + 1] + q * normals[n + 4] + r * normals[n + 7];
    const nz = p * normals[n + 2] + q * normals[n + 5] + r * normals[n + 8];
    const right = toView[0] * nx + toView[1] * ny + toView[2] * nz;
    const up = toView[3] * nx + toView[4] * ny + toView[5] * nz;
    const toward = toView[6] * nx + toView[7] * ny + toView[8] * nz;
    const length = Math.sqrt(right * right + up * up + toward * toward);
    // Whatever is seen is seen from its front; a facet without area faces the camera.
    const side = toward < 0 ? -1 / length : 1 / length;
    into.right = length > 0 ? right * side : 0;
    into.up = length > 0 ? up * side : 0;
    into.toward = length > 0 ? toward * side : 1;
    const shine = shineOf(into);
    const lit = lightOn(into, view);
    into.r = lit * tint[0] + shine;
    into.g = lit * tint[1] + shine;
    into.b = lit * tint[2] + shine;
  };
}

function lightOn({ right, up, toward }: Shade, view: Mat3): number {
  const sky = 0.5 + 0.5 * (view[5] * up + view[8] * toward);
  const key = Math.max(0, KEY[0] * right + KEY[1] * up + KEY[2] * toward);
  const fill = Math.max(0, FILL[0] * right + FILL[1] * up + FILL[2] * toward);
  return GROUND_LIGHT + (SKY_LIGHT - GROUND_LIGHT) * sky + KEY_LIGHT * key + FILL_LIGHT * fill;
}

/** Blinn's highlight, to the power of 32. */
function shineOf({ right, up, toward }: Shade): number {
  const cosine = Math.max(0, SHINE[0] * right + SHINE[1] * up + SHINE[2] * toward);
  const p2 = cosine * cosine;
  const p8 = p2 * p2 * p2 * p2;
  return SHINE_LIGHT * p8 * p8 * p8 * p8;
}

/** The body that a facet's number falls to. */
function lastAtMost(bodies: readonly { readonly firstFacet: number }[], facet: number): number {
  let [low, high] = [0, bodies.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (bodies[middle].firstFacet <= facet) low = middle;
    else high = middle - 1;
  }
  return low;
}
