import type { Watch } from "../../core/watch.ts";
import { writeFileAtomically } from "../../core/write-file.ts";
import type { Canvas } from "../../render/framing.ts";
import { animatedWebp } from "../../render/webp-container.ts";

export interface AnimationRequest {
  readonly file: string;
  readonly canvas: Canvas;
  /** Still WebP files of the canvas's size. */
  readonly frames: readonly Uint8Array[];
}

/** 20 frames a second: a turn of 60 takes three. */
const FRAME_MS = 50;

/** Writes frames as one animated WebP file. */
export const writeAnimation = ({ file, canvas, frames }: AnimationRequest, watch: Watch): void =>
  writeFileAtomically(file, [animatedWebp(frames, canvas.width, canvas.height, FRAME_MS)], () => watch.report(1));
