import { type Box, boxCentre, boxSize, unionBoxes } from "../../geometry/box.ts";
import { rotateVector } from "../../geometry/pose.ts";
import { type Vec3, add, matrixRow, times } from "../../geometry/vector.ts";
import { DEFAULT_DIRECTION, type ViewDirection, viewMatrix } from "../../render/camera.ts";
import type { Marker, Viewpoint } from "./view.ts";

/** Pose of the camera. The projection is orthographic, as in the pictures of `scene/render`. */
export interface Orbit extends ViewDirection {
  /** The point in the middle of the picture, about which the view rotates. */
  readonly target: Vec3;
  /** Height of the visible part of the scene, mm. */
  readonly heightMm: number;
}

/** Size of the picture, CSS pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** A point in the picture, CSS pixels from its upper left corner. */
export interface Pixel {
  readonly x: number;
  readonly y: number;
}

export interface Ray {
  readonly origin: Vec3;
  /** Unit length. */
  readonly direction: Vec3;
}

const VIEWPOINTS: Readonly<Record<Viewpoint, ViewDirection>> = {
  home: DEFAULT_DIRECTION,
  front: { yawDeg: 90, pitchDeg: 0 },
  back: { yawDeg: 270, pitchDeg: 0 },
  left: { yawDeg: 180, pitchDeg: 0 },
  right: { yawDeg: 0, pitchDeg: 0 },
  // Oriented so that x points right.
  top: { yawDeg: 90, pitchDeg: 90 },
  bottom: { yawDeg: 90, pitchDeg: -90 },
};

/** Limits of the zoom: below, errors of single precision become visible; above, the build volume is only a dot. */
const [MIN_HEIGHT_MM, MAX_HEIGHT_MM] = [0.5, 20_000];
const ROTATE_DEG_PER_PX = 0.4;
/** Share of the picture's smaller side that framed boxes take. */
const FRAMED_SHARE = 0.8;

/** Distance of the camera and of ray origins from the target; larger than any scene. */
export const CAMERA_DISTANCE_MM = 10_000;

export const lookFrom = (orbit: Orbit, viewpoint: Viewpoint): Orbit => ({ ...orbit, ...VIEWPOINTS[viewpoint] });

/** Rotates the view so that the scene follows a pointer movement of (x, y) pixels. */
export const rotated = (orbit: Orbit, { x, y }: Pixel): Orbit => ({
  ...orbit,
  yawDeg: (((orbit.yawDeg + ROTATE_DEG_PER_PX * x) % 360) + 360) % 360,
  pitchDeg: Math.max(-90, Math.min(90, orbit.pitchDeg + ROTATE_DEG_PER_PX * y)),
});

/** Moves the view so that the scene follows a pointer movement of `by` pixels. */
export function panned(orbit: Orbit, by: Pixel, size: PictureSize): Orbit {
  const view = viewMatrix(orbit);
  const mmPerPx = orbit.heightMm / size.height;
  const step = add(times(matrixRow(view, 0), -by.x * mmPerPx), times(matrixRow(view, 1), by.y * mmPerPx));
  return { ...orbit, target: add(orbit.target, step) };
}

/** Multiplies the visible height by `factor`; the point of the scene at the pixel `about` stays there. */
export function zoomed(orbit: Orbit, factor: number, about: Pixel, size: PictureSize): Orbit {
  const heightMm = Math.max(MIN_HEIGHT_MM, Math.min(MAX_HEIGHT_MM, orbit.heightMm * factor));
  const share = heightMm / orbit.heightMm - 1;
  const fromMiddle = { x: (about.x - size.width / 2) * share, y: (about.y - size.height / 2) * share };
  return { ...panned(orbit, fromMiddle, size), heightMm };
}

/** Moves and zooms the view so that boxes are in its middle and take 80 % of its smaller side; keeps the direction. Unchanged without boxes. */
export function framing(orbit: Orbit, boxes: readonly Box[], size: PictureSize): Orbit {
  if (boxes.length === 0) return orbit;
  const view = viewMatrix(orbit);
  // Coordinates in the view: to the right, up, toward the viewer.
  const frame = boxes
    .flatMap(boxCorners)
    .map((corner): Box => {
      const point = rotateVector(view, corner);
      return { min: point, max: point };
    })
    .reduce(unionBoxes);
  const [right, up, toward] = boxCentre(frame);
  const inPlane = add(times(matrixRow(view, 0), right), times(matrixRow(view, 1), up));
  const target = add(inPlane, times(matrixRow(view, 2), toward));
  const [width, height] = boxSize(frame);
  const heightMm = (Math.max(width, height) * size.height) / (FRAMED_SHARE * Math.min(size.width, size.height));
  return { ...orbit, target, heightMm: Math.max(MIN_HEIGHT_MM, Math.min(MAX_HEIGHT_MM, heightMm)) };
}

/** Margin around a place, so that the user sees where on the part it is. */
const PLACE_CONTEXT_MM = 8;
/** Pitch of the view for places on the lower side of a part. */
const FROM_BELOW_DEG = -25;

/** Frames places, from below if all of them are on the lower sides of parts. */
export function framingPlaces(orbit: Orbit, places: readonly Marker[], size: PictureSize): Orbit {
  const isBelow = places.every((place) => place.isBelow);
  const boxes = places.map(({ point: [x, y, z], radiusMm }): Box => {
    const reach = radiusMm + PLACE_CONTEXT_MM;
    return { min: [x - reach, y - reach, z - reach], max: [x + reach, y + reach, z + reach] };
  });
  return framing(
    isBelow && orbit.pitchDeg > FROM_BELOW_DEG ? { ...orbit, pitchDeg: FROM_BELOW_DEG } : orbit,
    boxes,
    size,
  );
}

export const boxCorners = ({ min, max }: Box): Vec3[] =>
  [min[2], max[2]].flatMap((z) => [min[1], max[1]].flatMap((y) => [min[0], max[0]].map((x): Vec3 => [x, y, z])));

/** Line of sight through a pixel, from in front of the scene into it. */
export function rayThrough(orbit: Orbit, pixel: Pixel, size: PictureSize): Ray {
  const view = viewMatrix(orbit);
  const toward = matrixRow(view, 2);
  const middle = { x: size.width / 2 - pixel.x, y: size.height / 2 - pixel.y };
  const { target } = panned(orbit, middle, size);
  return { origin: add(target, times(toward, CAMERA_DISTANCE_MM)), direction: times(toward, -1) };
}

/** Projects a point of the scene to a pixel. */
export function projected(orbit: Orbit, point: Vec3, size: PictureSize): Pixel {
  const [a, b] = rotateVector(viewMatrix(orbit), [
    point[0] - orbit.target[0],
    point[1] - orbit.target[1],
    point[2] - orbit.target[2],
  ]);
  const pxPerMm = size.height / orbit.heightMm;
  return { x: size.width / 2 + a * pxPerMm, y: size.height / 2 - b * pxPerMm };
}
