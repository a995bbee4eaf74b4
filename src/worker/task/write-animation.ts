import type { Watch } from "../../core/watch.ts";
import { writeFileAtomically } from "../../core/write-file.ts";
import { animatedWebp } from "../../render/webp-container.ts";
import type { Frames } from "./render-frames.ts";

export interface AnimationRequest {
  readonly file: string;
  readonly frames: Frames;
}

/** 20 frames a second: a turn of 60 takes three. */
const FRAME_MS = 50;

/** Writes frames as one animated WebP file. */
export const writeAnimation = ({ file, frames }: AnimationRequest, watch: Watch): void =>
  writeFileAtomically(file, [animatedWebp(frames.files, frames.width, frames.height, FRAME_MS)], () => watch.report(1));
