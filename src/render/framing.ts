import { memoize } from "../core/memoize.ts";
import { EMPTY_RECTANGLE, type Rectangle, unionRectangles } from "../geometry/box.ts";
import type { BuildVolume } from "../geometry/build-volume.ts";
import { rotateVector } from "../geometry/pose.ts";
import type { Mat3 } from "../geometry/vector.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { type Affine, meshToWorld, multiplyMatrices } from "./camera.ts";
import type { RenderItem, RenderScene } from "./render-scene.ts";

/**
 * The subject of the picture: the bodies, the build volume and all bodies, or the width of the platform. Without bodies it is always
 * the build volume.
 */
export type ViewType = "ZOOM_ON_MODELS" | "FULL_BUILD_VOLUME" | "FULL_PLATFORM_WIDTH";

/** The empty border around the subject, as a share of the canvas's smaller side. */
const MARGIN = 0.04;

/** Least size of a subject, so that a body of one point can be framed. */
const MIN_SIZE_MM = 0.01;

/** Tolerance of rounding errors when a side is rounded up to whole pixels. */
const ROUNDING_PX = 1e-6;

export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** A canvas and the part of the view plane that it shows. */
export interface Frame extends PixelSize {
  /** The point of the view plane in the middle of the canvas, mm. */
  readonly centre: readonly [x: number, y: number];
  readonly pixelsPerMm: number;
}

/** The subject of a view type: a rectangle of the view plane, x to the right, y up. */
export function framedRectangle({ items, volume }: RenderScene, viewType: ViewType, view: Mat3): Rectangle {
  const whole = (): Rectangle => volumeExtent(volume, volume.dimensionsMm[2], view);
  if (items.length === 0) return whole();
  const bodies = silhouetteExtent(items, view);
  if (viewType === "ZOOM_ON_MODELS") return bodies;
  if (viewType === "FULL_BUILD_VOLUME") return unionRectangles(bodies, whole());
  const platform = volumeExtent(volume, 0, view);
  const { minY, maxY } = unionRectangles(bodies, platform);
  return { ...platform, minY, maxY };
}

export const marginOf = ({ width, height }: PixelSize): number => Math.round(MARGIN * Math.min(width, height));

/** The frame in which the whole subject is as large as possible on a canvas. */
export function frameWithin(subject: Rectangle, canvas: PixelSize): Frame {
  const margins = 2 * marginOf(canvas);
  const [widthMm, heightMm] = sizeOf(subject);
  return {
    ...canvas,
    centre: [(subject.minX + subject.maxX) / 2, (subject.minY + subject.maxY) / 2],
    pixelsPerMm: Math.min((canvas.width - margins) / widthMm, (canvas.height - margins) / heightMm),
  };
}

/**
 * The frame around a subject on a canvas whose larger side has `sizePx` pixels. A cropped canvas ends a margin beyond the
 * subject on all sides; otherwise it is square.
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
  Math.max(maxX - minX, MIN_SIZE_MM),
  Math.max(maxY - minY, MIN_SIZE_MM),
];

/** From the world to the screen: x to the right and y down from the top left corner, z toward the camera, in pixels. */
export function toScreen({ width, height, centre: [x, y], pixelsPerMm: s }: Frame, view: Mat3): Affine {
  const [a, b, c, d, e, f, g, h, i] = view.map((value) => value * s);
  return { linear: [a, b, c, -d, -e, -f, g, h, i], offset: [width / 2 - x * s, height / 2 + y * s, 0] };
}

/** The rectangle of the view plane around the silhouettes of bodies. */
export const silhouetteExtent = (items: readonly RenderItem[], view: Mat3): Rectangle =>
  items.map((item) => itemExtent(item, view)).reduce(unionRectangles, EMPTY_RECTANGLE);

/** Vertices per run. A run is skipped if its box is inside; in a spatially sorted mesh most runs are. */
const RUN_VERTICES = 64;
/** Entries of a run's box: its centre, then half of its size. */
const BOX_STRIDE = 6;

function itemExtent({ mesh, pose }: RenderItem, view: Mat3): Rectangle {
  const { linear, offset } = meshToWorld(mesh, pose);
  const [a, b, c, d, e, f] = multiplyMatrices(view, linear);
  const [u, v] = rotateVector(view, offset);
  const { vertices } = mesh;
  const boxes = runBoxes(mesh);
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  const extend = (from: number, to: number): void => {
    for (let at = from; at < to; at += 3) {
      const x = a * vertices[at] + b * vertices[at + 1] + c * vertices[at + 2];
      const y = d * vertices[at] + e * vertices[at + 1] + f * vertices[at + 2];
      if (x < minX) minX = x;
      if (x > maxX) maxX = x;
      if (y < minY) minY = y;
      if (y > maxY) maxY = y;
    }
  };
  // One vertex of each run first: after that few runs can extend the rectangle.
  for (let first = 0; first < vertices.length; first += 3 * RUN_VERTICES) extend(first, first + 3);
  for (let run = 0; run < boxes.length; run += BOX_STRIDE) {
    const x = a * boxes[run] + b * boxes[run + 1] + c * boxes[run + 2];
    const y = d * boxes[run] + e * boxes[run + 1] + f * boxes[run + 2];
    const [p, q, r] = [boxes[run + 3], boxes[run + 4], boxes[run + 5]];
    const reachX = Math.abs(a) * p + Math.abs(b) * q + Math.abs(c) * r;
    const reachY = Math.abs(d) * p + Math.abs(e) * q + Math.abs(f) * r;
    if (x - reachX >= minX && x + reachX <= maxX && y - reachY >= minY && y + reachY <= maxY) continue;
    const first = (run / BOX_STRIDE) * 3 * RUN_VERTICES;
    extend(first, Math.min(vertices.length, first + 3 * RUN_VERTICES));
  }
  return { minX: minX + u, minY: minY + v, maxX: maxX + u, maxY: maxY + v };
}

/** The box of each run of {@link RUN_VERTICES} vertices. */
const runBoxes = memoize(({ vertices }: Mesh): Float64Array => {
  const boxes = new Float64Array(BOX_STRIDE * Math.ceil(vertices.length / (3 * RUN_VERTICES)));
  for (let run = 0; run * RUN_VERTICES * 3 < vertices.length; run++) {
    const end = Math.min(vertices.length, (run + 1) * RUN_VERTICES * 3);
    for (let axis = 0; axis < 3; axis++) {
      let [min, max] = [Infinity, -Infinity];
      for (let at = run * RUN_VERTICES * 3 + axis; at < end; at += 3) {
        if (vertices[at] < min) min = vertices[at];
        if (vertices[at] > max) max = vertices[at];
      }
      boxes[BOX_STRIDE * run + axis] = (min + max) / 2;
      boxes[BOX_STRIDE * run + 3 + axis] = (max - min) / 2;
    }
  }
  return boxes;
});

/** The rectangle around the lowest `heightMm` of a build volume, without the rounding of its corners. */
function volumeExtent({ dimensionsMm: [width, depth] }: BuildVolume, heightMm: number, view: Mat3): Rectangle {
  const corners = [0, heightMm].flatMap((z) =>
    [-width / 2, width / 2].flatMap((x) => [-depth / 2, depth / 2].map((y) => rotateVector(view, [x, y, z]))),
  );
  return corners.map(([x, y]) => ({ minX: x, minY: y, maxX: x, maxY: y })).reduce(unionRectangles);
}
