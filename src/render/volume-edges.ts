import { type BuildVolume, volumeRim } from "../geometry/build-volume.ts";
import { rotateVector } from "../geometry/pose.ts";
import type { Vec3 } from "../geometry/vector.ts";
import type { Affine } from "./camera.ts";
import { FRAME_LINE } from "./colour.ts";
import type { FrameBuffer } from "./frame-buffer.ts";

const OPACITY = 0.5;
const LINE_WIDTH_PX = 1.3;
/** Segments of each rounded corner. */
const CORNER_SEGMENTS = 8;
/** Pixels. An edge that is farther from the camera than a surface by at most this is on the surface and drawn. */
const SLACK_PX = 1;

type Segment = readonly [from: Vec3, to: Vec3];

/** Draws the edges of the build volume, translucent, where no body hides them. */
export function drawVolumeEdges(volume: BuildVolume, toScreen: Affine, frameBuffer: FrameBuffer): void {
  const { width, height, rgba } = frameBuffer;
  // Coverage first, so that pixels where segments meet are painted once.
  const cover = new Uint8Array(width * height);
  for (const [from, to] of edgesOf(volume)) {
    coverSegment(toPixels(from, toScreen), toPixels(to, toScreen), frameBuffer, cover);
  }
  for (let at = 0; at < cover.length; at++) {
    if (cover[at] === 0) continue;
    const opacity = (OPACITY * cover[at]) / 255;
    for (let channel = 0; channel < 3; channel++) {
      rgba[4 * at + channel] += Math.round(opacity * (FRAME_LINE[channel] - rgba[4 * at + channel]));
    }
  }
}

function toPixels(point: Vec3, { linear, offset }: Affine): Vec3 {
  const [x, y, z] = rotateVector(linear, point);
  return [x + offset[0], y + offset[1], z + offset[2]];
}

/** The lower and the upper outline, and a vertical edge in the middle of each rounded corner. */
function edgesOf(volume: BuildVolume): Segment[] {
  const outline = volumeRim(volume, CORNER_SEGMENTS);
  const at = (i: number, z: number): Vec3 => [...outline[i % outline.length], z];
  const top = volume.dimensionsMm[2];
  const rings = [0, top].flatMap((z) => outline.map((_, i): Segment => [at(i, z), at(i + 1, z)]));
  const verticals = [0, 1, 2, 3].map((corner) => corner * (CORNER_SEGMENTS + 1) + CORNER_SEGMENTS / 2);
  return [...rings, ...verticals.map((i): Segment => [at(i, 0), at(i, top)])];
}

/** Sets the coverage of pixels by a segment, 0 to 255, pixel by pixel along its major axis, where no surface hides it. */
function coverSegment(from: Vec3, to: Vec3, { width, height, nearness }: FrameBuffer, cover: Uint8Array): void {
  const isFlat = Math.abs(to[0] - from[0]) >= Math.abs(to[1] - from[1]);
  const [main, other] = isFlat ? [0, 1] : [1, 0];
  const [a, b] = from[main] <= to[main] ? [from, to] : [to, from];
  const span = b[main] - a[main];
  if (!(span > 0)) return;
  const slope = (b[other] - a[other]) / span;
  const reach = (LINE_WIDTH_PX / 2) * Math.sqrt(1 + slope * slope);
  const [count, breadth] = isFlat ? [width, height] : [height, width];
  const first = Math.max(0, Math.round(a[main]));
  const end = Math.min(count, Math.max(Math.round(b[main]), Math.round(a[main]) + 1));
  for (let i = first; i < end; i++) {
    const along = i + 0.5 - a[main];
    const middle = a[other] + slope * along;
    const near = a[2] + ((b[2] - a[2]) / span) * along + SLACK_PX;
    for (let j = Math.max(0, Math.floor(middle - reach - 0.5)); j <= Math.min(breadth - 1, middle + reach + 0.5); j++) {
      const at = isFlat ? j * width + i : i * width + j;
      if (nearness[at] > near) continue;
      const covered = Math.min(1, Math.max(0, reach + 0.5 - Math.abs(j + 0.5 - middle)));
      cover[at] = Math.max(cover[at], 255 * covered);
    }
  }
}
