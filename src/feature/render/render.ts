import { extname } from "node:path";
import type { Progress, TaskProgress } from "../../core/progress.ts";
import { writeFileAtomically } from "../../core/write-file.ts";
import { type Picture, encodePng } from "../../codec/png.ts";
import { animatedWebp, encodeWebp } from "../../codec/webp.ts";
import { DEFAULT_DIRECTION, type ViewDirection, viewMatrix } from "../../render/camera.ts";
import { draw, releaseSampleMemory } from "../../render/draw.ts";
import {
  type FlyaroundFrame,
  type Framing,
  flyaroundFrames,
  frameOf,
  interpolateKeyframes,
} from "../../render/flyaround.ts";
import { type PixelSize, frameWithin, framedRectangle } from "../../render/framing.ts";
import { type PreparedScene, prepare } from "../../render/prepare.ts";
import type { RenderScene } from "../../render/render-scene.ts";

interface PictureRequest {
  /** Path that ends in `.png` or `.webp`, in any case. */
  readonly file: string;
  readonly scene: RenderScene;
  readonly framing: Framing;
  readonly direction: ViewDirection;
}

/** Shares of the progress at which the scene is prepared and the picture drawn. The rest encodes it. */
const PICTURE_SHARES = { prepared: 0.4, drawn: 0.8 };

/** Draws one picture into a file. */
export async function renderPicture(
  { file, scene, framing, direction }: PictureRequest,
  progress: TaskProgress,
): Promise<void> {
  const { prepared, drawn } = PICTURE_SHARES;
  const preparedScene = prepare(scene, "onePicture", progress.part(0, prepared));
  const frame = frameOf(scene, framing, direction);
  const picture = draw(preparedScene, direction, frame, progress.part(prepared, drawn));
  const encoding = progress.part(drawn, 1);
  encoding.report(0);
  const isPng = extname(file).toLowerCase() === ".png";
  const chunks = isPng ? encodePng(picture, encoding) : [await encodeWebp(picture, "still")];
  writeFileAtomically(file, chunks, progress.commit);
}

interface ThumbnailsRequest {
  readonly scene: RenderScene;
  readonly sizes: readonly PixelSize[];
}

interface Thumbnail extends Picture {
  /** The picture as the chunks of a PNG file. */
  readonly png: readonly Uint8Array[];
}

/** Share of the progress at which the scene is prepared, and share of one thumbnail at which it is drawn. */
const THUMBNAIL_SHARES = { prepared: 0.3, drawn: 0.9 };

/** Opaque pictures of all bodies of a scene for the headers of print jobs: one per size, in the given order. */
export function renderThumbnails({ scene, sizes }: ThumbnailsRequest, progress: Progress): Thumbnail[] {
  const { prepared, drawn } = THUMBNAIL_SHARES;
  const preparedScene = prepare(scene, "onePicture", progress.part(0, prepared));
  const subject = framedRectangle(scene, "ZOOM_ON_MODELS", viewMatrix(DEFAULT_DIRECTION));
  const drawing = progress.part(prepared, 1);
  const thumbnails = sizes.map((size, i) => {
    const part = drawing.part(i / sizes.length, (i + 1) / sizes.length);
    const picture = draw(preparedScene, DEFAULT_DIRECTION, frameWithin(subject, size), part.part(0, drawn));
    return { ...picture, png: encodePng(picture, part.part(drawn, 1)) };
  });
  // The thread continues with the layers of the job.
  releaseSampleMemory();
  return thumbnails;
}

export interface FlyaroundRequest {
  readonly scene: RenderScene;
  readonly framing: Framing;
  readonly keyframes: readonly ViewDirection[];
  readonly frameCount: number;
  readonly constantSize: boolean;
}

/** Input from which a thread draws any frame of a flyaround. */
interface Flyaround {
  readonly preparedScene: PreparedScene;
  /** Frames with one common canvas. */
  readonly frames: readonly FlyaroundFrame[];
}

/** Share of the preparation at which the bodies are prepared. The rest computes the frames. */
const BODIES_PREPARED = 0.9;

/** Computes the data that all frames of a flyaround need. */
export function prepareFlyaround(request: FlyaroundRequest, progress: Progress): Flyaround {
  const { scene, framing, keyframes, frameCount, constantSize } = request;
  const preparedScene = prepare(scene, "manyPictures", progress.part(0, BODIES_PREPARED));
  const directions = interpolateKeyframes(keyframes, frameCount);
  const sorted = { ...scene, items: preparedScene.bodies };
  const framesProgress = progress.part(BODIES_PREPARED, 1);
  return { preparedScene, frames: flyaroundFrames(sorted, framing, directions, constantSize, framesProgress) };
}

interface FramesRequest {
  readonly flyaround: Flyaround;
  /** The frames to draw: `from` included, `to` excluded. */
  readonly from: number;
  readonly to: number;
}

/**
 * Draws a range of frames, so that threads can share a flyaround. Each frame is a still WebP file of the flyaround's canvas. Reports
 * the progress of all frames, since threads draw them approximately in order.
 */
export async function renderFrames({ flyaround, from, to }: FramesRequest, progress: Progress): Promise<Uint8Array[]> {
  const { preparedScene, frames } = flyaround;
  const files: Uint8Array[] = [];
  for (const [i, { direction, frame }] of [...frames.entries()].slice(from, to)) {
    const frameProgress = progress.part(i / frames.length, (i + 1) / frames.length);
    const picture = draw(preparedScene, direction, frame, frameProgress);
    files.push(shared(await encodeWebp(picture, "moving")));
  }
  return files;
}

/** A copy in shared memory: the frames of an animation pass through two more threads. */
function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

interface AnimationRequest {
  readonly file: string;
  readonly canvas: PixelSize;
  /** Still WebP files of the canvas's size. */
  readonly frames: readonly Uint8Array[];
}

/** 20 frames per second. */
const FRAME_MS = 50;

/** Writes frames as one animated WebP file. */
export const writeAnimation = ({ file, canvas, frames }: AnimationRequest, progress: TaskProgress): void =>
  writeFileAtomically(file, animatedWebp(frames, canvas.width, canvas.height, FRAME_MS), progress.commit);
