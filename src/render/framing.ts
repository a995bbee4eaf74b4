import type { Mat3 } from "../core/geometry.ts";
import type { Affine } from "./affine.ts";
import { around, extentOf, extentOfVolume, type Rectangle } from "./extent.ts";
import type { Stage } from "./item.ts";

/**
 * What of a stage fills the picture: its bodies, the build volume with all bodies, or the platform from side to side.
 * Without bodies it is always the build volume.
 */
export type ViewType = "ZOOM_ON_MODELS" | "FULL_BUILD_VOLUME" | "FULL_PLATFORM_WIDTH";

/** The empty border around what is framed, as a share of the canvas's smaller side. */
const MARGIN = 0.04;

/** What is framed is taken to be at least so large, so that a body of one point has a picture. */
const LEAST_MM = 0.01;

/** Sides that come out this much above a whole number of pixels are that number: the rest is rounding. */
const ROUNDING_PX = 1e-6;

export interface Canvas {
  readonly width: number;
  readonly height: number;
}

/** A canvas and the part of the view plane that it shows. */
export interface Frame extends Canvas {
  /** The point of the view plane in the middle of the canvas, mm. */
  readonly centre: readonly [x: number, y: number];
  readonly pixelsPerMm: number;
}

/** The rectangle of the view plane that a view type is about. */
export function subjectOf({ items, volume }: Stage, viewType: ViewType, view: Mat3): Rectangle {
  const whole = (): Rectangle => extentOfVolume(volume, volume.dimensionsMm[2], view);
  if (items.length === 0) return whole();
  const bodies = extentOf(items, view);
  if (viewType === "ZOOM_ON_MODELS") return bodies;
  if (viewType === "FULL_BUILD_VOLUME") return around(bodies, whole());
  const platform = extentOfVolume(volume, 0, view);
  const { minY, maxY } = around(bodies, platform);
  return { ...platform, minY, maxY };
}

export const marginOf = ({ width, height }: Canvas): number => Math.round(MARGIN * Math.min(width, height));

/** The whole subject as large as a canvas can show it. */
export function frameWithin(subject: Rectangle, canvas: Canvas): Frame {
  const margins = 2 * marginOf(canvas);
  const [widthMm, heightMm] = sizeOf(subject);
  return {
    ...canvas,
    centre: [(subject.minX + subject.maxX) / 2, (subject.minY + subject.maxY) / 2],
    pixelsPerMm: Math.min((canvas.width - margins) / widthMm, (canvas.height - margins) / heightMm),
  };
}

/**
 * The frame around a subject: its larger side has `sizePx` pixels. Cropped, the canvas ends a margin beyond the subject
 * on all sides; otherwise it is square.
 */
export function frameAround(subject: Rectangle, sizePx: number, cropped: boolean): Frame {
  const square = frameWithin(subject, { width: sizePx, height: sizePx });
  if (!cropped) return square;
  const side = (mm: number): number =>
    Math.min(sizePx, Math.ceil(mm * square.pixelsPerMm - ROUNDING_PX) + 2 * marginOf(square));
  const [widthMm, heightMm] = sizeOf(subject);
  return { ...square, width: side(widthMm), height: side(heightMm) };
}

const sizeOf = ({ minX, minY, maxX, maxY }: Rectangle): [widthMm: number, heightMm: number] => [
  Math.max(maxX - minX, LEAST_MM),
  Math.max(maxY - minY, LEAST_MM),
];

/**
 * From the world to the screen: x to the right and y down from the top left corner, z toward the camera, all in pixels.
 */
export function toScreen({ width, height, centre: [x, y], pixelsPerMm: s }: Frame, view: Mat3): Affine {
  const [a, b, c, d, e, f, g, h, i] = view.map((value) => value * s);
  return { linear: [a, b, c, -d, -e, -f, g, h, i], offset: [width / 2 - x * s, height / 2 + y * s, 0] };
}
