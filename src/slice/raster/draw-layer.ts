import type { LayerRuns } from "../../format/job/layer-runs.ts";
import { TOUCH, turnsOfCrossing } from "./crossing.ts";
import { deposit } from "./deposit.ts";
import { type Gathered, newGatherer } from "./gather-row.ts";
import { cutIntoRows, newPieces } from "./pieces.ts";
import { resolveOverlap } from "./resolve-overlap.ts";
import { RunWriter } from "./run-writer.ts";
import type { Segments } from "./segments.ts";
import { Winding } from "./winding.ts";

const ROWS_PER_POLL = 64;

/**
 * `winding` is that of a place outside of everything, and is so again afterwards. `poll` is called every few rows; what it
 * throws ends the drawing.
 */
export type LayerDrawer = (segments: Segments, winding: Winding, poll: () => void) => DrawnLayer;

export interface DrawnLayer {
  /** Good until the next layer is drawn. */
  readonly runs: LayerRuns;
  /** Exact, not rounded to levels of grey. */
  readonly areaPixels: number;
}

/**
 * Draws layers of `width` × `height` pixels: each pixel gets the exact share of it that lies inside the union of the
 * models, 0 to 255.
 *
 * A row is swept from left to right over clusters of pieces of outline: pieces whose extents in x touch. Between clusters
 * nothing changes over the row's height, so `winding` tells whether the place is inside. A cluster that is one outline on its
 * way through the row parts inside from outside as a whole, or not at all; only where outlines turn or come together is
 * worked out what is inside in between.
 */
export function newLayerDrawer(width: number, height: number): LayerDrawer {
  const pieces = newPieces(height);
  const gather = newGatherer(pieces);
  const runs = new RunWriter(width, height);
  const cover = new Float64Array(width + 2);

  let winding = new Winding(0, -1);
  /** The pixels that clusters have touched and that are not written yet: none while `touchedTo` is −1. */
  let touchedFrom = 0;
  let touchedTo = -1;
  /** Whether the place left of them is inside, and how far the row is written. */
  let isInsideBefore = false;
  let written = 0;

  function touch(left: number, right: number): void {
    const from = Math.max(0, Math.min(width - 1, Math.floor(left)));
    const to = Math.max(0, Math.min(width - 1, Math.floor(right)));
    // The pixel after the last one still gets a part of the cover.
    if (touchedTo >= 0 && from <= touchedTo + 1) {
      touchedTo = Math.max(touchedTo, to);
      return;
    }
    writeTouched();
    touchedFrom = from;
    touchedTo = to;
  }

  function writeTouched(): void {
    if (touchedTo >= 0) {
      if (isInsideBefore && touchedFrom > written) runs.full(written, touchedFrom);
      let sum = isInsideBefore ? 1 : 0;
      for (let pixel = touchedFrom; pixel <= touchedTo; pixel++) {
        sum += cover[pixel];
        cover[pixel] = 0;
        runs.pixel(pixel, sum < 0 ? 0 : sum > 1 ? 1 : sum);
      }
      cover.fill(0, touchedTo + 1, touchedTo + 3);
      written = touchedTo + 1;
      touchedTo = -1;
    }
    isInsideBefore = winding.isInside;
  }

  /** Adds the cluster of `members` from `from` to before `to`. */
  function addCluster({ members, lefts }: Gathered, from: number, to: number, right: number): void {
    const { x0, x1, y0, y1, models } = pieces;
    const model = models[members[from]];
    const turns = turnsOfCrossing(pieces, members, from, to);
    if (turns === 0 || lefts[from] < -TOUCH || right > width + TOUCH) {
      touch(lefts[from], right);
      resolveOverlap(pieces, members.subarray(from, to), right, winding, cover);
      return;
    }
    const before = winding.isInside;
    winding.turn(model, turns);
    if (winding.isInside === before) return;
    winding.turn(model, -turns);
    touch(lefts[from], right);
    winding.turn(model, turns);
    for (let i = from; i < to; i++) {
      const piece = members[i];
      if (y0[piece] !== y1[piece]) deposit(cover, x0[piece], x1[piece], y1[piece] - y0[piece]);
    }
  }

  function drawRow(row: Gathered): void {
    touchedTo = -1;
    isInsideBefore = false;
    written = 0;
    const { x0, x1 } = pieces;
    const { members, lefts, count } = row;
    for (let from = 0; from < count;) {
      let right = -Infinity;
      let to = from;
      do {
        const piece = members[to];
        const pieceRight = x0[piece] > x1[piece] ? x0[piece] : x1[piece];
        if (pieceRight > right) right = pieceRight;
        to++;
      } while (to < count && lefts[to] <= right + TOUCH);
      addCluster(row, from, to, right);
      from = to;
    }
    writeTouched();
  }

  return (segments, windingOfLayer, poll) => {
    winding = windingOfLayer;
    cutIntoRows(segments, pieces);
    runs.begin();
    for (let row = pieces.firstRow; row < pieces.endRow; row++) {
      if (row % ROWS_PER_POLL === 0) poll();
      runs.endRowsBefore(row);
      drawRow(gather(row));
    }
    runs.endRowsBefore(height);
    return { runs: runs.runs, areaPixels: runs.areaPixels };
  };
}
