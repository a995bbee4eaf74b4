import { ensureCapacity } from "../../core/typed-arrays.ts";
import { BucketQueue } from "../../geometry/bucket-queue.ts";
import { type SpanGrid, type SpanLayer, subtractSpans } from "../../geometry/spans.ts";
import { type OverhangField, newOverhangField } from "./overhang-field.ts";

/** A layer of one of the bodies that are printed together. */
export interface BodyLayer {
  readonly layer: SpanLayer;
  /** Whether all its pixels are anchored, as those of supports are. */
  readonly isAnchored: boolean;
}

/** Downward faces at which solid of a layer begins: one entry for each pixel whose centre is above a face. */
export interface LayerFaces {
  readonly pixels: Uint32Array;
  /** Height of the face at the centre of the pixel. */
  readonly heightsMm: Float32Array;
  /** Tangent of the face's angle from horizontal. */
  readonly slopes: Float32Array;
}

/** Connected pixels (by sides or corners) of one layer that begin in the air. */
export type Island = ReadonlySet<number>;

/** The reach of anchored pixels: their distance is 0 at all heights. */
const ANCHORED = -Infinity;

/** Smaller changes of a distance are not propagated; share of a pixel. */
const CHANGE_TOLERANCE = 0.005;

/**
 * Pixels are propagated in the order of their reach, in buckets of this share of a pixel: less than the shortest step (1/√2), so that
 * few pixels are lowered again. Without an order a far region is lowered many times in a layer.
 */
const BUCKET_SHARE = 0.25;

/** A reach of more buckets counts as in the last one: paths of 26 m on the finest grid. */
const MAX_BUCKETS = 2 ** 20;

/**
 * The overhang distance of each solid pixel of the current layer: how far it is from the nearest anchored pixel, mm.
 * Layers are added one by one from the platform up.
 *
 * Pixels of the first layer, of supports, and those given to {@link anchor} are anchored: their distance is 0. A pixel
 * above a solid pixel of the layer below has that pixel's distance, less the rise of the layer divided by the tangent
 * of the self-supporting angle, but not below 0: solid supports what is above it within a cone of that slope. Sideways,
 * within the solid of a layer, the distance grows with the length of the path; the shortest path counts. So along a
 * downward face at the angle a from horizontal it grows by 1 − tan a / tan(self-supporting angle) per mm; along steeper
 * faces it does not grow. If no path leads to an anchored pixel, the distance is infinite.
 *
 * Layers alone show a slope as steps, at which distances are up to a layer's height / tan(self-supporting angle) too large.
 * Where the faces of each layer are given, a pixel that becomes solid is reached at the height of its face.
 *
 * Paths are computed with the upwind scheme of the Eikonal equation (Sethian, "A fast marching level set method for
 * monotonically advancing fronts", PNAS 93, 1996), diagonal neighbours included, from the nearest pixels to the farthest; only
 * around pixels that are new in a layer.
 */
export class OverhangDistance {
  /** The pixel at column c and row r has the index c + r · columns. */
  readonly #columns: number;
  readonly #pixelMm: number;
  /** Cotangent of the self-supporting angle. */
  readonly #cotangent: number;
  readonly #solid: OverhangField["solid"];
  readonly #reach: OverhangField["reach"];
  /** For pixels that became solid with the current layer, if faces are given: height of the face · cotangent. */
  readonly #faceLevel: Float32Array;
  /** Growth of the distance along the face per length of the path, in 255ths. */
  readonly #faceGrowth: Uint8Array;
  readonly #edgeShare: number;
  readonly #knowsFaces: boolean;
  readonly #since: OverhangField["since"];
  #layer = -1;
  /** Height of the current layer · cotangent. */
  #level = 0;
  /** The least level at which solid of the current layer begins; `#level` without faces. */
  #lowestLevel = 0;
  #previous: readonly SpanLayer[] = [];
  #newPixels = new Int32Array(1024);
  #newCount = 0;
  /** Pixels whose neighbours do not know their reach yet; empty between calls. A pixel stays in the buckets of its earlier reaches. */
  readonly #front = new BucketQueue();
  /** Marks the pixels of the front; all 0 between calls. */
  readonly #isQueued: Uint8Array;
  readonly #bucketsPerMm: number;

  /** With `faces`, {@link addLayer} gets faces; `edgeShare`: pixels from the middle of the last anchored pixel to the edge of its solid. */
  constructor(
    { columns, rows, pixelMm }: SpanGrid,
    selfSupportingAngleDeg: number,
    faces?: { readonly edgeShare: number },
    field = newOverhangField(columns * rows),
  ) {
    this.#columns = columns;
    this.#pixelMm = pixelMm;
    this.#bucketsPerMm = 1 / (BUCKET_SHARE * pixelMm);
    // Rounded: engines may differ in the last bits of a tangent.
    this.#cotangent = 1 / Math.fround(Math.tan((selfSupportingAngleDeg * Math.PI) / 180));
    [this.#solid, this.#reach, this.#since] = [field.solid, field.reach, field.since];
    this.#isQueued = new Uint8Array(columns * rows);
    this.#knowsFaces = faces !== undefined;
    this.#edgeShare = faces?.edgeShare ?? 0;
    this.#faceLevel = new Float32Array(faces ? columns * rows : 0);
    this.#faceGrowth = new Uint8Array(faces ? columns * rows : 0);
  }

  /** Continues on the field of another walk, whose last layer was `bodies`, sampled at `heightMm`. */
  continueAfter(heightMm: number, bodies: readonly SpanLayer[]): void {
    [this.#layer, this.#previous] = [bodies[0].index, bodies];
    this.#level = Math.fround(heightMm * this.#cotangent);
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

  /** The overhang distance at the face of a solid pixel, which is at `heightMm`, mm; may be infinite. */
  faceDistanceMm(pixel: number, heightMm: number): number {
    return Math.max(0, this.#reach[pixel] - heightMm * this.#cotangent);
  }

  /** The pixels that became solid with the current layer. Valid until the next layer is added. */
  get newPixels(): Int32Array {
    return this.#newPixels.subarray(0, this.#newCount);
  }

  /**
   * Adds the next layer, sampled at `heightMm`; `bodies` are the same in each layer, in the same order. `faces` are below that height
   * and not below the height of the previous layer.
   */
  addLayer(heightMm: number, bodies: readonly BodyLayer[], faces: readonly LayerFaces[] = []): void {
    this.#layer++;
    // Single precision, as the values with which it is compared.
    const level = Math.fround(heightMm * this.#cotangent);
    [this.#lowestLevel, this.#level] = [this.#knowsFaces ? this.#level : level, level];
    this.#newCount = 0;
    const anchored: number[] = [];
    bodies.forEach(({ layer, isAnchored }, body) => {
      this.#forEachDifference(layer, this.#previous[body], (from, to) => {
        this.#add(from, to);
        if (isAnchored) anchored.push(from, to);
      });
    });
    if (this.#knowsFaces) this.#setFaces(faces);
    for (let i = 0; i < anchored.length; i += 2) {
      for (let pixel = anchored[i]; pixel < anchored[i + 1]; pixel++) this.#lower(pixel, ANCHORED);
    }
    // Before pixels whose solid ends below are removed: these support new pixels next to them; otherwise the layers of a thin slope would
    // become islands.
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
    for (const pixel of pixels) this.#lower(pixel, ANCHORED);
    this.#propagate();
  }

  #setFaces(faces: readonly LayerFaces[]): void {
    for (const pixel of this.newPixels) {
      // Pixels without a face are at walls and steep faces, along which distances do not grow.
      this.#faceLevel[pixel] = this.#lowestLevel;
      this.#faceGrowth[pixel] = 0;
    }
    for (const { pixels, heightsMm, slopes } of faces) {
      for (let i = 0; i < pixels.length; i++) {
        if (this.#since[pixels[i]] !== this.#layer) continue;
        this.#faceLevel[pixels[i]] = heightsMm[i] * this.#cotangent;
        this.#faceGrowth[pixels[i]] = Math.round(255 * max(0, 1 - slopes[i] * this.#cotangent));
      }
    }
  }

  get #neighbourOffsets(): readonly number[] {
    const row = this.#columns;
    return [-row - 1, -row, -row + 1, -1, 1, row - 1, row, row + 1];
  }

  /**
   * The runs of pixels that are solid in `layer` and not in `other`. The border of the grid is left out: it stays empty, so that every
   * solid pixel has eight neighbours.
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
      this.#isQueued[pixel] = 0;
      this.#since[pixel] = ~this.#layer;
    }
  }

  #lower(pixel: number, reach: number): void {
    const known = this.#reach[pixel];
    if (reach >= known - CHANGE_TOLERANCE * this.#pixelMm) return;
    this.#reach[pixel] = reach;
    // Of the reach as it was stored, in single precision: the front compares the bucket with that of the stored reach.
    const bucket = this.#bucketOf(this.#reach[pixel]);
    if (this.#isQueued[pixel] === 1 && bucket === this.#bucketOf(known)) return;
    this.#isQueued[pixel] = 1;
    this.#front.add(pixel, bucket);
  }

  /** All pixels up to `#lowestLevel` are in the first bucket: they affect their neighbours alike. */
  #bucketOf(reach: number): number {
    const bucket = max(0, reach - this.#lowestLevel) * this.#bucketsPerMm;
    return bucket < MAX_BUCKETS ? Math.floor(bucket) : MAX_BUCKETS - 1;
  }

  /** Lowers the distance of a solid pixel to the value that follows from its eight neighbours. */
  #update(pixel: number): void {
    const reach = this.#reach;
    const up = pixel - this.#columns;
    const down = pixel + this.#columns;
    const inRow = min(reach[pixel - 1], reach[pixel + 1]);
    const inColumn = min(reach[up], reach[down]);
    const atCorner = min(min(reach[up - 1], reach[up + 1]), min(reach[down - 1], reach[down + 1]));
    this.#lower(pixel, min(this.#reachFromSides(pixel, inRow, inColumn), this.#reachFromCorner(pixel, atCorner)));
  }

  /** The level at which a pixel is reached: that of its face, if it is new. */
  #levelOf(pixel: number): number {
    return this.#knowsFaces && this.#since[pixel] === this.#layer ? this.#faceLevel[pixel] : this.#level;
  }

  /**
   * Growth of the distance per length of a step from an anchored pixel: the path begins at the edge of the anchored solid, where that
   * meets the face.
   */
  #growthOf(pixel: number): number {
    const isFace = this.#knowsFaces && this.#since[pixel] === this.#layer;
    return (1 - this.#edgeShare) * (isFace ? this.#faceGrowth[pixel] / 255 : 1);
  }

  /** The reach of a pixel from a neighbour in its row and one in its column, which have the reaches `a` and `b`. */
  #reachFromSides(pixel: number, a: number, b: number): number {
    const pixelMm = this.#pixelMm;
    const level = this.#levelOf(pixel);
    const growth = this.#growthOf(pixel);
    const nearest = min(a, b);
    /** The reach of an anchored pixel if the distance grew by the full length of the step. */
    const anchoredReach = level - (1 - growth) * pixelMm;
    const gap = max(anchoredReach, max(a, b)) - max(anchoredReach, nearest);
    const step = gap < pixelMm ? (gap + Math.sqrt(2 * pixelMm * pixelMm - gap * gap)) / 2 : pixelMm;
    return max(nearest + step, level + growth * step);
  }

  /** The reach of a pixel from a diagonal neighbour. */
  #reachFromCorner(pixel: number, atCorner: number): number {
    const step = Math.SQRT2 * this.#pixelMm;
    return max(atCorner + step, this.#levelOf(pixel) + this.#growthOf(pixel) * step);
  }

  #propagate(): void {
    const [front, reach, columns] = [this.#front, this.#reach, this.#columns];
    for (let pixel = front.take(); pixel >= 0; pixel = front.take()) {
      // The pixel was removed, or lowered to the bucket of another entry.
      if (this.#isQueued[pixel] === 0 || this.#bucketOf(reach[pixel]) !== front.bucket) continue;
      this.#isQueued[pixel] = 0;
      const from = reach[pixel];
      this.#spreadToSide(pixel - 1, from, columns);
      this.#spreadToSide(pixel + 1, from, columns);
      this.#spreadToSide(pixel - columns, from, 1);
      this.#spreadToSide(pixel + columns, from, 1);
      this.#spreadToCorner(pixel - columns - 1, from);
      this.#spreadToCorner(pixel - columns + 1, from);
      this.#spreadToCorner(pixel + columns - 1, from);
      this.#spreadToCorner(pixel + columns + 1, from);
    }
  }

  /** Lowers a pixel by a neighbour with the reach `from`; `across`: offset of the neighbours in the other direction. */
  #spreadToSide(pixel: number, from: number, across: number): void {
    const reach = this.#reach;
    if (reach[pixel] <= max(from, this.#lowestLevel) + CHANGE_TOLERANCE * this.#pixelMm) return;
    if (this.#solid[pixel] === 0) return;
    this.#lower(pixel, this.#reachFromSides(pixel, from, min(reach[pixel - across], reach[pixel + across])));
  }

  /** Lowers a pixel by a diagonal neighbour with the reach `from`. */
  #spreadToCorner(pixel: number, from: number): void {
    if (this.#reach[pixel] <= max(from + Math.SQRT2 * this.#pixelMm, this.#lowestLevel)) return;
    if (this.#solid[pixel] === 0) return;
    this.#lower(pixel, this.#reachFromCorner(pixel, from));
  }
}

// Faster than `Math.min` and `Math.max`, which check for NaN and −0.
const min = (a: number, b: number): number => (a < b ? a : b);
const max = (a: number, b: number): number => (a > b ? a : b);
