import { grown } from "../../mesh/grown.ts";
import type { SpanGrid, SpanLayer } from "../../slice/span-layers.ts";
import { spanGaps } from "./span-gaps.ts";

/** A layer of one of the bodies that rise together. */
export interface RisingLayer {
  readonly layer: SpanLayer;
  /** Whether all of it is carried, as supports are. */
  readonly isCarried: boolean;
}

/** Pixels that begin in the air, all in one layer and joined by sides or corners. */
export type Island = ReadonlySet<number>;

/** Distances that differ by less are not carried on: share of a pixel. */
const SETTLED = 0.005;

/**
 * How far each solid pixel of the present layer lies from what carries it, as layers rise from the platform.
 *
 * What stands on the platform, supports, and the places given to {@link carry} are carried: their distance is 0. A pixel
 * that stands on a pixel keeps that one's distance, less what the layer rises divided by the tangent of the self-supporting
 * angle, down to 0: solid carries in a cone of that slope above it. Sideways through the solid of a layer, distance grows
 * by the way, mm; of all ways the shortest counts. So on a face that looks down, at the angle a from level, it grows by
 * 1 − tan a / tan(self-supporting angle) of the way uphill; on steeper faces not at all. What has no way to anything
 * carried is infinitely far.
 *
 * Ways are worked out by the upwind scheme of the Eikonal equation (Sethian, "A fast marching level set method for
 * monotonically advancing fronts", PNAS 93, 1996), and by corners; only around pixels that are new in a layer.
 */
export class Anchorage {
  /** Pixel at column c and row r: c + r · columns. */
  readonly #columns: number;
  readonly #pixelMm: number;
  readonly #perRise: number;
  /** How many bodies are solid there. */
  readonly #solid: Uint16Array;
  /** Distance of each pixel, plus the height at which it was so over the tangent: lower ones than `#level` are 0. */
  readonly #reach: Float32Array;
  /** The layer at which it became solid; the complement of that at which it ceased to be. */
  readonly #since: Int32Array;
  #layer = -1;
  #level = 0;
  #before: readonly SpanLayer[] = [];
  #exposed = new Int32Array(1024);
  #exposedCount = 0;
  #front = new Int32Array(1024);
  #frontCount = 0;
  #next = new Int32Array(1024);
  /** Whether a pixel is in the next front; clear between calls. */
  readonly #isQueued: Uint8Array;

  constructor({ columns, rows, pixelMm }: SpanGrid, selfSupportingAngleDeg: number) {
    this.#columns = columns;
    this.#pixelMm = pixelMm;
    // Rounded: engines may differ in the last bits of a tangent.
    this.#perRise = 1 / Math.fround(Math.tan((selfSupportingAngleDeg * Math.PI) / 180));
    this.#solid = new Uint16Array(columns * rows);
    this.#reach = new Float32Array(columns * rows).fill(Infinity);
    this.#since = new Int32Array(columns * rows);
    this.#isQueued = new Uint8Array(columns * rows);
  }

  isSolid(pixel: number): boolean {
    return this.#solid[pixel] > 0;
  }

  /** The layer since which a solid pixel has been solid. */
  since(pixel: number): number {
    return this.#since[pixel];
  }

  /** Millimetres from what carries a solid pixel; may be infinite. */
  distanceMm(pixel: number): number {
    return Math.max(0, this.#reach[pixel] - this.#level);
  }

  /** The pixels that became solid with the present layer. Good until the next. */
  get exposed(): Int32Array {
    return this.#exposed.subarray(0, this.#exposedCount);
  }

  /** Goes on to the next layer, the same bodies in the same order, whose middle lies at `heightMm`. */
  rise(heightMm: number, bodies: readonly RisingLayer[]): void {
    this.#layer++;
    // As precise as what is compared with it.
    this.#level = Math.fround(heightMm * this.#perRise);
    this.#exposedCount = 0;
    const carried: number[] = [];
    bodies.forEach(({ layer, isCarried }, body) => {
      this.#eachGap(layer, this.#before[body], (from, to) => {
        this.#add(from, to);
        if (isCarried) carried.push(from, to);
      });
    });
    for (let i = 0; i < carried.length; i += 2) {
      for (let pixel = carried[i]; pixel < carried[i + 1]; pixel++) this.#lower(pixel, this.#level);
    }
    // What ends below still carries what begins beside it: so grids cut a thin slope into no islands.
    for (let i = 0; i < this.#exposedCount; i++) this.#draw(this.#exposed[i]);
    this.#before.forEach((before, body) => {
      this.#eachGap(before, bodies[body].layer, (from, to) => this.#remove(from, to));
    });
    this.#before = bodies.map(({ layer }) => layer);
    this.#spread();
  }

  /** The islands that begin in the present layer and that nothing carries yet, in the order of their first pixels. */
  islands(): Island[] {
    const islands: Island[] = [];
    const isSeen = this.#isQueued;
    for (const seed of this.exposed) {
      if (this.#reach[seed] !== Infinity || isSeen[seed] === 1) continue;
      const island = new Set([seed]);
      let isAlone = true;
      isSeen[seed] = 1;
      // Those that are added on the way are visited too.
      for (const pixel of island) {
        for (const step of this.#around) {
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
    for (const pixel of this.exposed) isSeen[pixel] = 0;
    return islands;
  }

  /** Makes solid pixels ones that are carried. */
  carry(pixels: readonly number[]): void {
    for (const pixel of pixels) this.#lower(pixel, this.#level);
    this.#spread();
  }

  get #around(): readonly number[] {
    const down = this.#columns;
    return [-down - 1, -down, -down + 1, -1, 1, down - 1, down, down + 1];
  }

  /** Runs of pixels within the rim of the grid, which stays empty: so every solid pixel has eight around it. */
  #eachGap(layer: SpanLayer, other: SpanLayer | undefined, take: (from: number, to: number) => void): void {
    const columns = this.#columns;
    spanGaps(layer, other, (row, from, to) => {
      if (row === 0 || (row + 1) * columns === this.#solid.length) return;
      take(row * columns + Math.max(from, 1), row * columns + Math.min(to, columns - 1));
    });
  }

  #add(from: number, to: number): void {
    this.#exposed = grown(this.#exposed, this.#exposedCount + Math.max(0, to - from));
    for (let pixel = from; pixel < to; pixel++) {
      if (this.#solid[pixel]++ > 0) continue;
      this.#since[pixel] = this.#layer;
      this.#exposed[this.#exposedCount++] = pixel;
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
    if (reach >= this.#reach[pixel] - SETTLED * this.#pixelMm) return;
    this.#reach[pixel] = reach;
    if (this.#isQueued[pixel] === 1) return;
    this.#isQueued[pixel] = 1;
    if (this.#frontCount === this.#front.length) this.#front = grown(this.#front, this.#frontCount + 1);
    this.#front[this.#frontCount++] = pixel;
  }

  /** Lowers the distance of a solid pixel to what the eight around it carry. */
  #draw(pixel: number): void {
    const reach = this.#reach;
    const level = this.#level;
    const pixelMm = this.#pixelMm;
    const up = pixel - this.#columns;
    const down = pixel + this.#columns;
    const across = least(reach[pixel - 1], reach[pixel + 1]);
    const along = least(reach[up], reach[down]);
    const corner = least(least(reach[up - 1], reach[up + 1]), least(reach[down - 1], reach[down + 1]));
    const nearest = most(level, least(across, along));
    const gap = most(level, most(across, along)) - nearest;
    const straight =
      gap < pixelMm ? nearest + (gap + Math.sqrt(2 * pixelMm * pixelMm - gap * gap)) / 2 : nearest + pixelMm;
    const aslant = most(level, corner) + Math.SQRT2 * pixelMm;
    this.#lower(pixel, straight < aslant ? straight : aslant);
  }

  #spread(): void {
    const around = this.#around;
    const [reach, solid, isQueued, level] = [this.#reach, this.#solid, this.#isQueued, this.#level];
    const settled = SETTLED * this.#pixelMm;
    while (this.#frontCount > 0) {
      const [front, count] = [this.#front, this.#frontCount];
      this.#front = this.#next;
      this.#next = front;
      this.#frontCount = 0;
      for (let i = 0; i < count; i++) isQueued[front[i]] = 0;
      for (let i = 0; i < count; i++) {
        const pixel = front[i];
        const from = reach[pixel];
        const reached = (from > level ? from : level) + settled;
        for (let side = 0; side < 8; side++) {
          const near = pixel + around[side];
          if (reach[near] > reached && solid[near] > 0) this.#draw(near);
        }
      }
    }
  }
}

// Faster than those of `Math`, which ask whether either is no number or −0.
const least = (a: number, b: number): number => (a < b ? a : b);
const most = (a: number, b: number): number => (a > b ? a : b);
