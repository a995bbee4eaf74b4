import type { Progress } from "../core/progress.ts";
import { rotateVector } from "../geometry/pose.ts";
import type { Mat3 } from "../geometry/vector.ts";
import { type ViewDirection, viewMatrix } from "./camera.ts";
import { type Frame, type ViewType, frameAround, framedRectangle, silhouetteExtent } from "./framing.ts";
import type { RenderScene } from "./render-scene.ts";

/** How pictures are framed. */
export interface Framing {
  readonly viewType: ViewType;
  /** The larger side of the canvas. */
  readonly sizePx: number;
  /** Whether the canvas is cropped to its subject and a margin; otherwise it is square. */
  readonly cropped: boolean;
}

/** One picture of a flyaround. */
export interface FlyaroundFrame {
  readonly direction: ViewDirection;
  readonly frame: Frame;
}

/** The frame of a single picture. */
export const frameOf = (scene: RenderScene, { viewType, sizePx, cropped }: Framing, direction: ViewDirection): Frame =>
  frameAround(framedRectangle(scene, viewType, viewMatrix(direction)), sizePx, cropped);

/**
 * The pictures of a flyaround, all with the same canvas. With `constantSize` they have the same scale, and the middle of the
 * subject stays in the middle of the canvas; otherwise each has the frame of a single picture, centred on the canvas.
 */
export function flyaroundFrames(
  scene: RenderScene,
  framing: Framing,
  directions: readonly ViewDirection[],
  constantSize: boolean,
  progress: Progress,
): FlyaroundFrame[] {
  const report = (i: number): void => progress.report(i / directions.length);
  if (constantSize) return constantSizeFrames(scene, framing, directions, report);
  const frames = directions.map((direction, i): FlyaroundFrame => {
    report(i);
    return { direction, frame: frameOf(scene, framing, direction) };
  });
  const width = Math.max(...frames.map(({ frame }) => frame.width));
  const height = Math.max(...frames.map(({ frame }) => frame.height));
  return frames.map(({ direction, frame }) => ({ direction, frame: { ...frame, width, height } }));
}

function constantSizeFrames(
  scene: RenderScene,
  { viewType, sizePx, cropped }: Framing,
  directions: readonly ViewDirection[],
  report: (i: number) => void,
): FlyaroundFrame[] {
  const pivot = middleOf(scene, viewType);
  let [halfWidth, halfHeight] = [0, 0];
  const centres = directions.map((direction, i) => {
    report(i);
    const view = viewMatrix(direction);
    const [x, y] = rotateVector(view, pivot);
    const { minX, minY, maxX, maxY } = framedRectangle(scene, viewType, view);
    halfWidth = Math.max(halfWidth, x - minX, maxX - x);
    halfHeight = Math.max(halfHeight, y - minY, maxY - y);
    return [x, y] as const;
  });
  const subject = { minX: -halfWidth, minY: -halfHeight, maxX: halfWidth, maxY: halfHeight };
  const frame = frameAround(subject, sizePx, cropped);
  return directions.map((direction, i) => ({ direction, frame: { ...frame, centre: centres[i] } }));
}

/** Views in which right and up in the picture are x and y of the world, or y and z. */
const FROM_ABOVE: Mat3 = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const FROM_THE_SIDE: Mat3 = [0, 1, 0, 0, 0, 1, 1, 0, 0];

/** The middle of the bodies, or of the build volume. */
function middleOf({ items, volume }: RenderScene, viewType: ViewType): [x: number, y: number, z: number] {
  if (items.length === 0 || viewType !== "ZOOM_ON_MODELS") return [0, 0, volume.dimensionsMm[2] / 2];
  const [above, side] = [silhouetteExtent(items, FROM_ABOVE), silhouetteExtent(items, FROM_THE_SIDE)];
  return [(above.minX + above.maxX) / 2, (above.minY + above.maxY) / 2, (side.minY + side.maxY) / 2];
}

/**
 * `count` directions from the first keyframe to the last. All sections between two keyframes have the same duration. Angles are
 * interpolated linearly as numbers, so that yaw 0 to 360 is a full turn.
 */
export const interpolateKeyframes = (keyframes: readonly ViewDirection[], count: number): ViewDirection[] =>
  Array.from({ length: count }, (_, i) => {
    const along = (i * (keyframes.length - 1)) / (count - 1);
    const from = Math.min(Math.floor(along), keyframes.length - 2);
    const share = along - from;
    const between = (key: keyof ViewDirection): number =>
      keyframes[from][key] * (1 - share) + keyframes[from + 1][key] * share;
    return { yawDeg: between("yawDeg"), pitchDeg: between("pitchDeg") };
  });
