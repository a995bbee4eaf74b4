import type { Watch } from "../../core/watch.ts";
import { DEFAULT_DIRECTION, viewMatrix } from "../../render/camera.ts";
import { draw } from "../../render/draw.ts";
import { type Canvas, frameWithin, subjectOf } from "../../render/framing.ts";
import type { Picture, Stage } from "../../render/item.ts";
import { encodePng } from "../../render/png.ts";
import { prepare } from "../../render/prepare.ts";

export interface ThumbnailsRequest {
  readonly stage: Stage;
  readonly sizes: readonly Canvas[];
}

export interface Thumbnail extends Picture {
  /** The same picture as a PNG file, in pieces. */
  readonly png: readonly Uint8Array[];
}

/** Share of the progress of a job that its thumbnails are; slicing it is the rest. */
const OF_JOB = 0.05;
/** Of that, the preparations. */
const PREPARED = 0.3;
/** Of a thumbnail: the rest is encoding. */
const DRAWN = 0.9;

/** Opaque pictures of all bodies of a stage, one of exactly each size, in the order given: for the headers of jobs. */
export function renderThumbnails({ stage, sizes }: ThumbnailsRequest, watch: Watch): Thumbnail[] {
  const job = watch.part(0, OF_JOB);
  const prepared = prepare(stage, "onePicture", job.part(0, PREPARED));
  const subject = subjectOf(stage, "ZOOM_ON_MODELS", viewMatrix(DEFAULT_DIRECTION));
  const drawing = job.part(PREPARED, 1);
  return sizes.map((size, i) => {
    const part = drawing.part(i / sizes.length, (i + 1) / sizes.length);
    const picture = draw(prepared, DEFAULT_DIRECTION, frameWithin(subject, size), part.part(0, DRAWN));
    return { ...picture, png: encodePng(picture, part.part(DRAWN, 1)) };
  });
}
