import type { BuildVolume } from "../core/geometry.ts";
import type { Watch } from "../core/watch.ts";
import type { Affine } from "./affine.ts";
import { boxBlur } from "./box-blur.ts";
import { facetCount, type Placed, placeOnScreen } from "./place-on-screen.ts";
import { rasteriseBodies } from "./rasterise-bodies.ts";
import { newSampleMemory, SAMPLES } from "./samples.ts";

/** How dark bodies make the platform below them: 0 to 1 for each cell of a grid, row by row along x from the least y; in shared memory. */
export interface GroundShadow {
  readonly columns: number;
  readonly rows: number;
  readonly cellMm: number;
  readonly darkness: Float32Array;
}

/** Cells along the longer side. */
const CELLS = 320;
/** A surface so high above the platform darkens it half as much as one that lies on it. */
const HALF_DARK_MM = 12;
/** Share of the progress at which the vertices are placed. */
const PLACED = 0.2;
/** Radii of the two blurs that are mixed: a firm shadow under an edge in the middle of a wide, soft one. */
const BLURS_MM = [1, 5] as const;

/** The shadow of a wide, even light from above. */
export function groundShadow(bodies: readonly Placed[], { dimensionsMm }: BuildVolume, watch: Watch): GroundShadow {
  const [widthMm, depthMm] = dimensionsMm;
  const cellMm = Math.max(widthMm, depthMm) / CELLS;
  const [columns, rows] = [Math.ceil(widthMm / cellMm), Math.ceil(depthMm / cellMm)];
  const samples = newSampleMemory()(columns, 0, rows, facetCount(bodies));
  const s = 1 / cellMm;
  // Seen from below: the lowest surface above each cell is the nearest.
  const fromBelow: Affine = { linear: [s, 0, 0, 0, s, 0, 0, 0, -1], offset: [(widthMm / 2) * s, (depthMm / 2) * s, 0] };
  const onScreen = placeOnScreen(bodies, fromBelow, watch.part(0, PLACED));
  rasteriseBodies(onScreen, samples, watch.part(PLACED, 1));
  const dark = new Float32Array(columns * rows);
  for (let at = 0; at < samples.nearness.length; at++) {
    const heightMm = Math.max(0, -samples.nearness[at]) / HALF_DARK_MM;
    dark[Math.floor(at / SAMPLES)] += 1 / (SAMPLES * (1 + heightMm * heightMm));
  }
  const [firm, soft] = BLURS_MM.map((mm) => boxBlur(dark, columns, Math.max(1, Math.round(mm / cellMm))));
  const darkness = new Float32Array(new SharedArrayBuffer(dark.byteLength));
  for (let at = 0; at < darkness.length; at++) darkness[at] = (firm[at] + soft[at]) / 2;
  return { columns, rows, cellMm, darkness };
}

/** The darkness at a place of the platform, mm from its least corner, between the four cells around it. */
export function darknessAt({ columns, rows, cellMm, darkness }: GroundShadow, xMm: number, yMm: number): number {
  const x = Math.min(columns - 1.001, Math.max(0, xMm / cellMm - 0.5));
  const y = Math.min(rows - 1.001, Math.max(0, yMm / cellMm - 0.5));
  const column = x | 0;
  const row = y | 0;
  const at = row * columns + column;
  const u = x - column;
  const v = y - row;
  const near = darkness[at] + u * (darkness[at + 1] - darkness[at]);
  const far = darkness[at + columns] + u * (darkness[at + columns + 1] - darkness[at + columns]);
  return near + v * (far - near);
}
