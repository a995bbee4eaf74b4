import type { Watch } from "../../core/watch.ts";
import type { Direction } from "../../render/camera.ts";
import { draw } from "../../render/draw.ts";
import { type Framing, shotsOf } from "../../render/flight.ts";
import type { Canvas } from "../../render/framing.ts";
import type { Stage } from "../../render/item.ts";
import { flightThrough } from "../../render/keyframes.ts";
import { prepare } from "../../render/prepare.ts";
import { encodeWebp } from "../../render/webp.ts";

export interface FramesRequest {
  readonly stage: Stage;
  readonly framing: Framing;
  readonly keyframes: readonly Direction[];
  readonly frameCount: number;
  readonly constantSize: boolean;
  /** Which of the frames to draw: from `from` to before `to`. */
  readonly from: number;
  readonly to: number;
}

/** Some frames of a flight, each a still WebP file of the canvas's size. */
export interface Frames extends Canvas {
  readonly files: readonly Uint8Array[];
}

/** Share of the progress that the preparations take. */
const PREPARED = 0.1;

/** Draws some frames of a flight around a stage, so that threads can share a flight. */
export async function renderFrames(request: FramesRequest, watch: Watch): Promise<Frames> {
  const { stage, framing, keyframes, frameCount, constantSize, from, to } = request;
  const directions = flightThrough(keyframes, frameCount);
  const shots = shotsOf(stage, framing, directions, constantSize, watch.part(0, PREPARED / 2));
  const prepared = prepare(stage, watch.part(PREPARED / 2, PREPARED));
  const drawing = watch.part(PREPARED, 1);
  const files: Uint8Array[] = [];
  for (const [i, { direction, frame }] of shots.slice(from, to).entries()) {
    const part = drawing.part(i / (to - from), (i + 1) / (to - from));
    files.push(await encodeWebp(draw(prepared, direction, frame, part)));
  }
  return { width: shots[0].frame.width, height: shots[0].frame.height, files };
}
