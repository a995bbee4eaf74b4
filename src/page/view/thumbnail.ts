import { DEFAULT_DIRECTION, multiplyMatrices, viewMatrix } from "../../render/camera.ts";
import type { Mat3 } from "../../geometry/vector.ts";
import type { Mat4 } from "./instances.ts";
import type { PackedMesh } from "./packed-mesh.ts";
import { rgbOf } from "./palette.ts";

/** Size of a thumbnail in the list, device pixels: twice that of its place, for sharp screens. */
export const THUMBNAIL = { width: 92, height: 84 } as const;

/** Each pixel is the mean of 2 × 2 samples, which makes edges smooth. */
const SAMPLES = 2;
const [COLUMNS, ROWS] = [THUMBNAIL.width * SAMPLES, THUMBNAIL.height * SAMPLES];
/** Empty rim, samples. */
const RIM = 6;

/**
 * Draws a mesh as the view draws it from its home viewpoint, on a transparent ground: RGBA, rows from the top. `matrix` is the placement
 * of the mesh; its size and position have no influence, since the picture is filled. With 5,000 triangles this takes 2 to 4 ms.
 */
export function drawThumbnail(mesh: PackedMesh, matrix: Mat4, colour: number): Pixels {
  const seen = project(mesh, multiplyMatrices(viewMatrix(DEFAULT_DIRECTION), rowsOf(matrix)));
  const light = new Float32Array(COLUMNS * ROWS);
  const depth = new Float32Array(COLUMNS * ROWS).fill(-Infinity);
  for (let at = 0; at < mesh.triangles.length; at += 3) drawTriangle(seen, mesh.triangles, at, light, depth);
  return resolve(light, rgbOf(colour));
}

const rowsOf = (m: Mat4): Mat3 => [m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]];

/** Vertices in samples: right, down, and toward the viewer. */
function project({ positions }: PackedMesh, [a, b, c, d, e, f, g, h, i]: Mat3): Float32Array {
  const seen = new Float32Array(positions.length);
  const min = [Infinity, Infinity];
  const max = [-Infinity, -Infinity];
  for (let at = 0; at < positions.length; at += 3) {
    const [x, y, z] = [positions[at]!, positions[at + 1]!, positions[at + 2]!];
    const [right, down] = [a * x + b * y + c * z, -(d * x + e * y + f * z)];
    [seen[at], seen[at + 1], seen[at + 2]] = [right, down, g * x + h * y + i * z];
    [min[0], max[0]] = [Math.min(min[0]!, right), Math.max(max[0]!, right)];
    [min[1], max[1]] = [Math.min(min[1]!, down), Math.max(max[1]!, down)];
  }
  const [width, height] = [max[0]! - min[0]!, max[1]! - min[1]!];
  const scale = Math.min((COLUMNS - 2 * RIM) / (width || 1), (ROWS - 2 * RIM) / (height || 1));
  const [left, top] = [(COLUMNS - scale * width) / 2, (ROWS - scale * height) / 2];
  for (let at = 0; at < seen.length; at += 3) {
    seen[at] = left + scale * (seen[at]! - min[0]!);
    seen[at + 1] = top + scale * (seen[at + 1]! - min[1]!);
    seen[at + 2]! *= scale;
  }
  return seen;
}

/** Draws a triangle into the samples that it covers and that nothing nearer has. `light` of an empty sample is 0. */
function drawTriangle(
  seen: Float32Array,
  triangles: Uint32Array,
  at: number,
  light: Float32Array,
  depth: Float32Array,
): void {
  const [p, q, r] = [3 * triangles[at]!, 3 * triangles[at + 1]!, 3 * triangles[at + 2]!];
  const [ax, ay, az] = [seen[p]!, seen[p + 1]!, seen[p + 2]!];
  const [bx, by, bz] = [seen[q]! - ax, seen[q + 1]! - ay, seen[q + 2]! - az];
  const [cx, cy, cz] = [seen[r]! - ax, seen[r + 1]! - ay, seen[r + 2]! - az];
  const area = bx * cy - by * cx;
  if (area === 0) return;
  const shade = shadeOf(by * cz - bz * cy, bz * cx - bx * cz, area);
  const lowest = Math.max(0, Math.ceil(ay + Math.min(0, by, cy) - 0.5));
  const highest = Math.min(ROWS - 1, Math.floor(ay + Math.max(0, by, cy) - 0.5));
  const first = Math.max(0, Math.ceil(ax + Math.min(0, bx, cx) - 0.5));
  const last = Math.min(COLUMNS - 1, Math.floor(ax + Math.max(0, bx, cx) - 0.5));
  for (let row = lowest; row <= highest; row++) {
    for (let column = first; column <= last; column++) {
      const [x, y] = [column + 0.5 - ax, row + 0.5 - ay];
      const [u, v] = [(x * cy - y * cx) / area, (bx * y - by * x) / area];
      if (u < 0 || v < 0 || u + v > 1) continue;
      const sample = row * COLUMNS + column;
      const near = az + u * bz + v * cz;
      if (near <= depth[sample]!) continue;
      depth[sample] = near;
      light[sample] = shade;
    }
  }
}

/** Brightness of a face with this normal (right, down, toward the viewer): light from above on the left, as in the view. */
function shadeOf(x: number, y: number, z: number): number {
  const side = z < 0 ? -1 : 1;
  const length = Math.hypot(x, y, z) || 1;
  const toLight = (side * (-0.35 * x - 0.62 * y + 0.7 * z)) / length;
  return 0.42 + 0.6 * Math.max(0, toLight);
}

/** Pixels from samples: the mean shade of the covered ones, and their share as the opacity. */
function resolve(light: Float32Array, [red, green, blue]: readonly [number, number, number]): Pixels {
  const pixels = new Uint8ClampedArray(4 * THUMBNAIL.width * THUMBNAIL.height);
  for (let row = 0; row < ROWS; row += SAMPLES) {
    for (let column = 0; column < COLUMNS; column += SAMPLES) {
      let [sum, covered] = [0, 0];
      for (let i = 0; i < SAMPLES * SAMPLES; i++) {
        const shade = light[(row + Math.floor(i / SAMPLES)) * COLUMNS + column + (i % SAMPLES)]!;
        sum += shade;
        if (shade > 0) covered++;
      }
      if (covered === 0) continue;
      const at = (4 * ((row / SAMPLES) * THUMBNAIL.width + column / SAMPLES)) | 0;
      const mean = (255 * sum) / covered;
      pixels[at] = mean * red;
      pixels[at + 1] = mean * green;
      pixels[at + 2] = mean * blue;
      pixels[at + 3] = (255 * covered) / (SAMPLES * SAMPLES);
    }
  }
  return pixels;
}

type Pixels = Uint8ClampedArray<ArrayBuffer>;
