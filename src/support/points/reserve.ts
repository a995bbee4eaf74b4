import type { SpanGrid } from "../../slice/span-layers.ts";
import type { SurfacePoint } from "./surface-point.ts";

/** A place that may be held although it carries itself. */
export interface SparePlace extends SurfacePoint {
  readonly pixel: number;
  /** The layer since which its pixel is solid. */
  readonly since: number;
  /** How far apart points are there. */
  readonly spacingMm: number;
}

interface Entry {
  readonly place: SparePlace;
  /** To the nearest of the first `looked` points, squared: mm². */
  square: number;
  looked: number;
}

/** Places on overhanging faces that only the pull of the film asks to be held. */
export class Reserve {
  readonly #leastMm: number;
  #entries: Entry[] = [];

  /** Places nearer to a point than `leastMm` are never given. */
  constructor(leastMm: number) {
    this.#leastMm = leastMm;
  }

  /** Whether a pixel is one of those whose places are worth keeping: one of each square as wide as the least distance. */
  wants(pixel: number, { columns, pixelMm }: SpanGrid): boolean {
    const side = Math.max(1, Math.round(this.#leastMm / pixelMm));
    const row = Math.floor(pixel / columns);
    return row % side === 0 && (pixel - row * columns) % side === 0;
  }

  add(place: SparePlace): void {
    this.#entries.push({ place, square: Infinity, looked: 0 });
  }

  /** The place that lies the most spacings away from all points; the first of equal ones. `points` may only grow. */
  farthestFrom(points: readonly SurfacePoint[]): SparePlace | undefined {
    let farthest: SparePlace | undefined;
    let most = 0;
    let kept = 0;
    for (const entry of this.#entries) {
      lookAt(entry, points);
      // Distances only fall: what is too near stays so.
      if (entry.square < this.#leastMm * this.#leastMm) continue;
      this.#entries[kept++] = entry;
      const { place } = entry;
      const need = entry.square / (place.spacingMm * place.spacingMm);
      if (need <= most) continue;
      most = need;
      farthest = place;
    }
    this.#entries.length = kept;
    return farthest;
  }
}

function lookAt(entry: Entry, points: readonly SurfacePoint[]): void {
  const { position } = entry.place;
  for (; entry.looked < points.length; entry.looked++) {
    const other = points[entry.looked].position;
    const x = other[0] - position[0];
    const y = other[1] - position[1];
    const z = other[2] - position[2];
    entry.square = Math.min(entry.square, x * x + y * y + z * z);
  }
}
