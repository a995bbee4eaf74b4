import { ensureCapacity } from "../core/typed-arrays.ts";
import { type Box, boxSize } from "../geometry/box.ts";
import { type SpanGrid, type SpanLayer, subtractSpans } from "../geometry/spans.ts";

/** A layer of one of the bodies that are printed together. */
export interface BodyLayer {
  readonly layer: SpanLayer;
  /** Whether all its pixels are anchored, as those of supports are. */
  readonly isAnchored: boolean;
}

/** Connected pixels (by sides or corners) of one layer that begin in the air. */
export type Island = ReadonlySet<number>;

/** Smaller changes of a distance are not propagated; share of a pixel. */
const CHANGE_TOLERANCE = 0.005;

/**
 * The overhang distance of each solid pixel of the current layer: how far it is from the nearest anchored pixel, mm.
 * Layers are added one by one from the platform up.
 *
 * Pixels of the first layer, of supports, and those given to {@link anchor} are anchored: their distance is 0. A pixel
 * above a solid pixel of the layer below has that pixel's distance, less the rise of the layer divided by the tangent
 * of the self-supporting angle, but not below 0: solid supports what is above it within a cone of that slope. Sideways,
 * within the solid of a layer, the distance grows with the length of the path; the shortest path counts. So along a
 * downward face at the angle a from horizontal it grows by 1 − tan a / tan(self-supporting angle) per mm; along steeper
 * faces it does not grow. Where no path leads to an anchored pixel the distance is infinite.
 *
 * Paths are computed with the upwind scheme of the Eikonal equation (Sethian, "A fast marching level set method for
 * monotonically advancing fronts", PNAS 93, 1996), diagonal neighbours included; only around pixels that are new in a
 * layer.
 */
export class OverhangDistance {
  /** The pixel at column c and row r has the index c + r · columns. */
  readonly #columns: number;
  readonly #pixelMm: number;
  /** Cotangent of the self-supporting angle. */
  readonly #cotangent: number;
  /** Number of bodies that are solid at each pixel. */
  readonly #solid: Uint16Array;
  /**
   * Distance of each pixel plus `#level` at the layer that set it, so that it need not be updated as layers rise: the
   * distance now is the excess over `#level`, at least 0.
   */
  readonly #reach: Float32Array;
  /** The layer at which each pixel became solid; the bitwise complement of the layer at which it became empty. */
  readonly #since: Int32Array;
  #layer = -1;
  /** Height of the current layer · cotangent. */
  #level = 0;
  #previous: readonly SpanLayer[] = [];
  #newPixels = new Int32Array(1024);
  #newCount = 0;
  #front = new Int32Array(1024);
  #frontCount = 0;
  #nextFront = new Int32Array(1024);
  /** Whether a pixel is in the next front; all 0 between calls. */
  readonly #isQueued: Uint8Array;

  constructor({ columns, rows, pixelMm }: SpanGrid, selfSupportingAngleDeg: number) {
    this.#columns = columns;
    this.#pixelMm = pixelMm;
    // Rounded: engines may differ in the last bits of a tangent.
    this.#cotangent = 1 / Math.fround(Math.tan((selfSupportingAngleDeg * Math.PI) / 180));
    this.#solid = new Uint16Array(columns * rows);
    this.#reach = new Float32Array(columns * rows).fill(Infinity);
    this.#since = new Int32Array(columns * rows);
    this.#isQueued = new Uint8Array(columns * rows);
  }

  isSolid(pixel: number): boolean {
    return this.#solid[pixel] > 0;
  }

  /** The layer at which a solid pixel became solid. */
  solidSince(pixel: number): number {
    return this.#since[pixel];
  }

  /** The overhang distance of a solid pixel, mm; may be infinite. */
  distanceMm(pixel: number): number {
    return Math.max(0, this.#reach[pixel] - this.#level);
  }

  /** The pixels that became solid with the current layer. Valid until the next layer is added. */
  get newPixels(): Int32Array {
    return this.#newPixels.subarray(0, this.#newCount);
  }

  /** Adds the next layer, sampled at `heightMm`; `bodies` are the same in each layer, in the same order. */
  addLayer(heightMm: number, bodies: readonly BodyLayer[]): void {
    this.#layer++;
    // Single precision, as the values it is compared with.
    this.#level = Math.fround(heightMm * this.#cotangent);
    this.#newCount = 0;
    const anchored: number[] = [];
    bodies.forEach(({ layer, isAnchored }, body) => {
      this.#forEachDifference(layer, this.#previous[body], (from, to) => {
        this.#add(from, to);
        if (isAnchored) anchored.push(from, to);
      });
    });
    for (let i = 0; i < anchored.length; i += 2) {
      for (let pixel = anchored[i]; pixel < anchored[i + 1]; pixel++) this.#lower(pixel, this.#level);
    }
    // Before pixels whose solid ends below are removed: they support new pixels next to them, or a thin slope would become islands.
    for (let i = 0; i < this.#newCount; i++) this.#update(this.#newPixels[i]);
    this.#previous.forEach((previous, body) => {
      this.#forEachDifference(previous, bodies[body].layer, (from, to) => this.#remove(from, to));
    });
    this.#previous = bodies.map(({ layer }) => layer);
    this.#propagate();
  }

  /** The islands that begin in the current layer and are not anchored yet, in the order of their first pixels. */
  islands(): Island[] {
    const islands: Island[] = [];
    const isSeen = this.#isQueued;
    for (const seed of this.newPixels) {
      if (this.#reach[seed] !== Infinity || isSeen[seed] === 1) continue;
      const island = new Set([seed]);
      let isAlone = true;
      isSeen[seed] = 1;
      // The loop also visits pixels that it adds.
      for (const pixel of island) {
        for (const step of this.#neighbourOffsets) {
          const near = pixel + step;
          if (this.#solid[near] === 0) isAlone &&= this.#since[near] !== ~this.#layer;
          else if (this.#since[near] !== this.#layer) isAlone = false;
          else if (isSeen[near] === 0) {
            isSeen[near] = 1;
            island.add(near);
          }
        }
      }
      if (isAlone) islands.push(island);
    }
    for (const pixel of this.newPixels) isSeen[pixel] = 0;
    return islands;
  }

  /** Makes solid pixels anchored. */
  anchor(pixels: readonly number[]): void {
    for (const pixel of pixels) this.#lower(pixel, this.#level);
    this.#propagate();
  }

  get #neighbourOffsets(): readonly number[] {
    const row = this.#columns;
    return [-row - 1, -row, -row + 1, -1, 1, row - 1, row, row + 1];
  }

  /**
   * The runs of pixels that are solid in `layer` and not in `other`, without the border of the grid: it stays empty, so
   * every solid pixel has eight neighbours.
   */
  #forEachDifference(layer: SpanLayer, other: SpanLayer | undefined, take: (from: number, to: number) => void): void {
    const columns = this.#columns;
    subtractSpans(layer, other, (row, from, to) => {
      if (row === 0 || (row + 1) * columns === this.#solid.length) return;
      take(row * columns + Math.max(from, 1), row * columns + Math.min(to, columns - 1));
    });
  }

  #add(from: number, to: number): void {
    this.#newPixels = ensureCapacity(this.#newPixels, this.#newCount + Math.max(0, to - from));
    for (let pixel = from; pixel < to; pixel++) {
      if (this.#solid[pixel]++ > 0) continue;
      this.#since[pixel] = this.#layer;
      this.#newPixels[this.#newCount++] = pixel;
    }
  }

  #remove(from: number, to: number): void {
    for (let pixel = from; pixel < to; pixel++) {
      if (--this.#solid[pixel] > 0) continue;
      this.#reach[pixel] = Infinity;
      this.#since[pixel] = ~this.#layer;
    }
  }

  #lower(pixel: number, reach: number): void {
    if (reach >= this.#reach[pixel] - CHANGE_TOLERANCE * this.#pixelMm) return;
    this.#reach[pixel] = reach;
    if (this.#isQueued[pixel] === 1) return;
    this.#isQueued[pixel] = 1;
    if (this.#frontCount === this.#front.length) this.#front = ensureCapacity(this.#front, this.#frontCount + 1);
    this.#front[this.#frontCount++] = pixel;
  }

  /** Lowers the distance of a solid pixel to what follows from its eight neighbours. */
  #update(pixel: number): void {
    const reach = this.#reach;
    const level = this.#level;
    const pixelMm = this.#pixelMm;
    const up = pixel - this.#columns;
    const down = pixel + this.#columns;
    const inRow = min(reach[pixel - 1], reach[pixel + 1]);
    const inColumn = min(reach[up], reach[down]);
    const atCorner = min(min(reach[up - 1], reach[up + 1]), min(reach[down - 1], reach[down + 1]));
    const nearest = max(level, min(inRow, inColumn));
    const gap = max(level, max(inRow, inColumn)) - nearest;
    const straight =
      gap < pixelMm ? nearest + (gap + Math.sqrt(2 * pixelMm * pixelMm - gap * gap)) / 2 : nearest + pixelMm;
    const diagonal = max(level, atCorner) + Math.SQRT2 * pixelMm;
    this.#lower(pixel, straight < diagonal ? straight : diagonal);
  }

  #propagate(): void {
    const offsets = this.#neighbourOffsets;
    const [reach, solid, isQueued, level] = [this.#reach, this.#solid, this.#isQueued, this.#level];
    const tolerance = CHANGE_TOLERANCE * this.#pixelMm;
    while (this.#frontCount > 0) {
      const [front, count] = [this.#front, this.#frontCount];
      this.#front = this.#nextFront;
      this.#nextFront = front;
      this.#frontCount = 0;
      for (let i = 0; i < count; i++) isQueued[front[i]] = 0;
      for (let i = 0; i < count; i++) {
        const pixel = front[i];
        const from = reach[pixel];
        const reached = (from > level ? from : level) + tolerance;
        for (let side = 0; side < 8; side++) {
          const near = pixel + offsets[side];
          if (reach[near] > reached && solid[near] > 0) this.#update(near);
        }
      }
    }
  }
}

// Faster than `Math.min` and `Math.max`, which check for NaN and −0.
const min = (a: number, b: number): number => (a < b ? a : b);
const max = (a: number, b: number): number => (a > b ? a : b);

/** Fine enough for the tips of supports and for the smallest islands that printers resolve. */
const FINEST_PIXEL_MM = 0.1;

/** Limits the memory of a field to about 256 MiB: nine bytes a pixel and a few more. */
const MAX_PIXELS = 2.5e7;

/** Pixel size of a field over a box seen from above, mm: 0.1, doubled until the field fits in memory. */
export function overhangPixelMm(box: Box): number {
  const [x, y] = boxSize(box);
  let pixelMm = FINEST_PIXEL_MM;
  while ((x * y) / pixelMm ** 2 > MAX_PIXELS || Math.max(x, y) / pixelMm > 2 ** 15) pixelMm *= 2;
  return pixelMm;
}
