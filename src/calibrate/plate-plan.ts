import { bodyBlock } from "./body-block.ts";
import { padBlock } from "./pad-block.ts";
import {
  type Bar,
  type Block,
  type PlateFacts,
  type PlateLevels,
  type PlateShape,
  type Reading,
  type Snap,
} from "./plate-shape.ts";
import { rulerBlock } from "./ruler-block.ts";

/** The plate by which a resin is calibrated. */
export interface Plate extends Block {
  readonly layerCount: number;
  readonly levels: PlateLevels;
  /** Whether x of the plate is y of the printer, and y of the plate −x, since the panel is deeper than wide. */
  readonly isTurned: boolean;
}

export const PLATE_MM = [92, 54.6] as const;

/** Thicknesses of the base plate, of the space below pads, and of what stands above the layer of the first normal exposure, mm. */
const [BASE_MM, SPACE_MM, UPPER_MM] = [0.3, 0.5, 1];
/** Least numbers of their layers: bottom layers, and layers after which light no longer reaches an edge. */
const [BASE_LAYERS, UPPER_LAYERS] = [4, 20];
/** Layers from the timed pads to the normal exposure: with eight times that, each step is half of it. */
const FADING_LAYERS = 14;
const LEGEND_MM = 0.5;

export function plateLevels({
  layerMm,
  timeRatio,
  cornerLayers,
}: Pick<PlateFacts, "layerMm" | "timeRatio" | "cornerLayers">): PlateLevels {
  const layers = (mm: number): number => Math.ceil(mm / layerMm - 1e-6);
  const base = Math.max(BASE_LAYERS, layers(BASE_MM));
  const timed = base + layers(SPACE_MM);
  const normal = timed + (timeRatio > 1 ? FADING_LAYERS : 0);
  const top = normal + Math.max(UPPER_LAYERS, layers(UPPER_MM));
  return { base, timed, normal, top, corners: top + cornerLayers, legend: base + layers(LEGEND_MM) };
}

/** Exposures of the layers, in those of normal ones: of the bottom layers, and in equal steps from there to the normal ones. */
export function timedExposures({ normal, timed }: PlateLevels, timeRatio: number) {
  const bottomLayers = BASE_LAYERS;
  const transitionLayers = normal - bottomLayers;
  // Layer k after them has 1 + (bottom − 1) · (normal − k) / (transitionLayers + 1).
  const step = (timeRatio - 1) / (normal - timed);
  return { bottomLayers, transitionLayers, bottom: 1 + step * (transitionLayers + 1) };
}

/** The plate lies in the middle of the panel, with all edges of bars between pixels. Undefined if the panel is too small. */
export function planPlate(facts: PlateFacts): Plate | undefined {
  const { grid } = facts;
  const [width = 0, depth = 0] = grid.pixels.map((count, axis) => count * (grid.pixelMm[axis] ?? 0));
  const isTurned = depth > width;
  const [long, short] = isTurned ? [depth, width] : [width, depth];
  if (long < PLATE_MM[0] || short < PLATE_MM[1]) return undefined;
  const axes = isTurned ? ([1, 0] as const) : ([0, 1] as const);
  const snaps = axes.map((axis) => snapOf(grid.pixels[axis], grid.pixelMm[axis])) as [Snap, Snap];
  const levels = plateLevels(facts);
  const context = { ...facts, levels, axes };
  const pads = padBlock(context);
  const bodies = bodyBlock(context, snaps, pads.next);
  const rulers = rulerBlock(context, snaps, bodies.next);
  const base: Bar = {
    kind: "bar",
    x: [-PLATE_MM[0] / 2, PLATE_MM[0] / 2],
    y: [-PLATE_MM[1] / 2, PLATE_MM[1] / 2],
    from: 0,
    to: levels.base,
    grey: 255,
  };
  const shapes: PlateShape[] = [base, ...pads.shapes, ...bodies.shapes, ...rulers.shapes];
  const readings: Reading[] = [...pads.readings, ...bodies.readings, ...rulers.readings];
  return { layerCount: levels.corners, levels, isTurned, shapes, readings };
}

/** The middle of the panel lies between two pixels of an even number, and within the middle one of an odd number. */
const snapOf =
  (pixels: number, pixelMm: number): Snap =>
  (mm) => {
    const shift = (pixels % 2) / 2;
    return (Math.round(mm / pixelMm - shift) + shift) * pixelMm;
  };
