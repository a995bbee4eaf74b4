import type { Watch } from "../../core/watch.ts";
import { draw } from "../../render/draw.ts";
import { encodeWebp } from "../../render/webp.ts";
import { type Flight, PREPARED } from "./prepare-flight.ts";

export interface FramesRequest {
  readonly flight: Flight;
  /** Which of the frames to draw: from `from` to before `to`. */
  readonly from: number;
  readonly to: number;
}

/**
 * Draws some frames of a flight, each a still WebP file of the flight's canvas, so that threads can share a flight. The
 * progress told is that of the whole flight: frames are drawn about in their order.
 */
export async function renderFrames({ flight, from, to }: FramesRequest, watch: Watch): Promise<Uint8Array[]> {
  const { prepared, shots } = flight;
  const drawing = watch.part(PREPARED, 1);
  const files: Uint8Array[] = [];
  for (let i = from; i < to; i++) {
    const part = drawing.part(i / shots.length, (i + 1) / shots.length);
    files.push(await encodeWebp(draw(prepared, shots[i].direction, shots[i].frame, part), "moving"));
  }
  return files;
}
