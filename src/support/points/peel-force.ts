import type { SpanGrid, SpanLayer } from "../../geometry/spans.ts";
import { PEEL_STRESS, touchStrengthN } from "../../hold/strengths.ts";
import type { SupportSettings } from "../support-settings.ts";
import type { SurfacePoint } from "./underside.ts";

/** The number of touchpoints that hold the layers so far against the peel force of the film. */
export class PeelForce {
  readonly #pixelMm: number;
  readonly #heldPerPointMm2: number;
  /** Of the layers so far, from the platform up. */
  readonly areasMm2: number[] = [];
  #largestMm2 = 0;

  constructor(pixelMm: number, { touchpointSizeMm, density }: SupportSettings) {
    this.#pixelMm = pixelMm;
    this.#heldPerPointMm2 = touchStrengthN(touchpointSizeMm) / (PEEL_STRESS * density);
  }

  /** Adds the next layer from the platform up. The platform holds as much area as the first layer has. */
  addLayer(layer: SpanLayer): void {
    const areaMm2 = coveredAreaMm2(layer, this.#pixelMm);
    this.areasMm2.push(areaMm2);
    this.#largestMm2 = Math.max(this.#largestMm2, areaMm2);
  }

  /** How many touchpoints the largest layer so far needs in addition to the given number. */
  missing(points: number): number {
    return Math.max(0, Math.ceil((this.#largestMm2 - this.areasMm2[0]) / this.#heldPerPointMm2) - points);
  }
}

/** The area of a layer of solid pixels. */
export function coveredAreaMm2({ starts, ends }: SpanLayer, pixelMm: number): number {
  let pixels = 0;
  for (let i = 0; i < starts.length; i++) pixels += ends[i] - starts[i];
  return pixels * pixelMm ** 2;
}

/** A point of an overhanging face that needs no touchpoint for itself, but may get one against the peel force. */
export interface Candidate extends SurfacePoint {
  readonly pixel: number;
  /** The layer at which the pixel became solid. */
  readonly since: number;
  /** Distance between touchpoints on this face. */
  readonly spacingMm: number;
}

interface Entry {
  readonly candidate: Candidate;
  /** Squared distance to the nearest of the first `seen` points, mm². */
  square: number;
  seen: number;
}

/** Candidates for touchpoints against the peel force, for farthest-first selection. */
export class CandidatePool {
  readonly #minDistanceMm: number;
  #entries: Entry[] = [];

  /** Candidates nearer than `minDistanceMm` to a point are never returned. */
  constructor(minDistanceMm: number) {
    this.#minDistanceMm = minDistanceMm;
  }

  /** Whether a pixel is a sample: one pixel of each square with sides of the minimum distance is. */
  isSample(pixel: number, { columns, pixelMm }: SpanGrid): boolean {
    const side = Math.max(1, Math.round(this.#minDistanceMm / pixelMm));
    const row = Math.floor(pixel / columns);
    return row % side === 0 && (pixel - row * columns) % side === 0;
  }

  add(candidate: Candidate): void {
    this.#entries.push({ candidate, square: Infinity, seen: 0 });
  }

  /**
   * The candidate farthest from all points, counted in its spacings; the first of equal ones. `points` may only grow.
   */
  farthestFrom(points: readonly SurfacePoint[]): Candidate | undefined {
    let farthest: Candidate | undefined;
    let maxRatio = 0;
    let kept = 0;
    for (const entry of this.#entries) {
      updateDistance(entry, points);
      // Distances only fall: a candidate that is too near stays so.
      if (entry.square < this.#minDistanceMm * this.#minDistanceMm) continue;
      this.#entries[kept++] = entry;
      const { candidate } = entry;
      const ratio = entry.square / (candidate.spacingMm * candidate.spacingMm);
      if (ratio <= maxRatio) continue;
      maxRatio = ratio;
      farthest = candidate;
    }
    this.#entries.length = kept;
    return farthest;
  }
}

function updateDistance(entry: Entry, points: readonly SurfacePoint[]): void {
  const { position } = entry.candidate;
  for (; entry.seen < points.length; entry.seen++) {
    const other = points[entry.seen].position;
    const x = other[0] - position[0];
    const y = other[1] - position[1];
    const z = other[2] - position[2];
    entry.square = Math.min(entry.square, x * x + y * y + z * z);
  }
}
