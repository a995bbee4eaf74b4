import type { Mat3 } from "../core/geometry.ts";
import { turn } from "../mesh/pose.ts";
import { type Direction, viewMatrix } from "./camera.ts";
import { extentOf } from "./extent.ts";
import { type Frame, frameAround, subjectOf, type ViewType } from "./framing.ts";
import type { Stage } from "./item.ts";
import type { Watch } from "../core/watch.ts";

/** How pictures are framed. */
export interface Framing {
  readonly viewType: ViewType;
  /** The larger side of the canvas. */
  readonly sizePx: number;
  /** Whether the canvas ends a margin beyond its subject; otherwise it is square. */
  readonly cropped: boolean;
}

/** One picture of a flight. */
export interface Shot {
  readonly direction: Direction;
  readonly frame: Frame;
}

/** The frame of a single picture. */
export const frameOf = (stage: Stage, { viewType, sizePx, cropped }: Framing, direction: Direction): Frame =>
  frameAround(subjectOf(stage, viewType, viewMatrix(direction)), sizePx, cropped);

/**
 * The pictures of a flight, all on one canvas. At constant size all have one scale, and the middle of what is shown
 * stands still in the middle of the canvas; otherwise each has the frame that it would have alone, centred.
 */
export function shotsOf(
  stage: Stage,
  framing: Framing,
  directions: readonly Direction[],
  constantSize: boolean,
  watch: Watch,
): Shot[] {
  const done = (i: number): void => watch.report(i / directions.length);
  if (constantSize) return steadyShots(stage, framing, directions, done);
  const shots = directions.map((direction, i): Shot => {
    done(i);
    return { direction, frame: frameOf(stage, framing, direction) };
  });
  const width = Math.max(...shots.map(({ frame }) => frame.width));
  const height = Math.max(...shots.map(({ frame }) => frame.height));
  return shots.map(({ direction, frame }) => ({ direction, frame: { ...frame, width, height } }));
}

function steadyShots(
  stage: Stage,
  { viewType, sizePx, cropped }: Framing,
  directions: readonly Direction[],
  done: (i: number) => void,
): Shot[] {
  const pivot = middleOf(stage, viewType);
  let [halfWidth, halfHeight] = [0, 0];
  const centres = directions.map((direction, i) => {
    done(i);
    const view = viewMatrix(direction);
    const [x, y] = turn(view, pivot);
    const { minX, minY, maxX, maxY } = subjectOf(stage, viewType, view);
    halfWidth = Math.max(halfWidth, x - minX, maxX - x);
    halfHeight = Math.max(halfHeight, y - minY, maxY - y);
    return [x, y] as const;
  });
  const subject = { minX: -halfWidth, minY: -halfHeight, maxX: halfWidth, maxY: halfHeight };
  const frame = frameAround(subject, sizePx, cropped);
  return directions.map((direction, i) => ({ direction, frame: { ...frame, centre: centres[i] } }));
}

/** World x, y to the picture's x, y; and world y, z. */
const FROM_ABOVE: Mat3 = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const FROM_THE_SIDE: Mat3 = [0, 1, 0, 0, 0, 1, 1, 0, 0];

function middleOf({ items, volume }: Stage, viewType: ViewType): [x: number, y: number, z: number] {
  if (items.length === 0 || viewType !== "ZOOM_ON_MODELS") return [0, 0, volume.dimensionsMm[2] / 2];
  const [above, side] = [extentOf(items, FROM_ABOVE), extentOf(items, FROM_THE_SIDE)];
  return [(above.minX + above.maxX) / 2, (above.minY + above.maxY) / 2, (side.minY + side.maxY) / 2];
}
