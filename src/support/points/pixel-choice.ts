import { Heap } from "../../geometry/heap.ts";
import type { SpanGrid } from "../../geometry/spans.ts";

// Which pixels of an overhang get a touchpoint.

/** Fraction of the disc around a lattice point that must be wanted: near edges {@link farthestFirst} places the points. */
const MIN_WANTED_SHARE = 0.97;

/**
 * The pixels among those given that belong to a triangular lattice and are at least `marginMm` away from unwanted pixels. `pitchMm` is
 * the side of the lattice's triangles.
 */
export function triangularLattice(
  pixels: readonly number[],
  isWanted: (pixel: number) => boolean,
  { columns, pixelMm }: SpanGrid,
  pitchMm: number,
  marginMm: number,
): number[] {
  if (pixels.length === 0) return [];
  const disc = discOffsets(Math.floor(marginMm / pixelMm), columns);
  const pitch = pitchMm / pixelMm;
  const rowPitch = (pitch * Math.sqrt(3)) / 2;
  return pixels.filter((pixel) => {
    const row = Math.floor(pixel / columns);
    const line = Math.round(row / rowPitch);
    if (row !== Math.round(line * rowPitch)) return false;
    const shift = line % 2 === 0 ? 0 : pitch / 2;
    const column = pixel - row * columns;
    if (column !== Math.round(Math.round((column - shift) / pitch) * pitch + shift)) return false;
    return disc.filter((offset) => isWanted(pixel + offset)).length >= MIN_WANTED_SHARE * disc.length;
  });
}

/** Offsets from a pixel to those within a radius, in pixels. */
function discOffsets(radius: number, columns: number): number[] {
  const offsets: number[] = [];
  for (let y = -radius; y <= radius; y++) {
    for (let x = -radius; x <= radius; x++) if (x * x + y * y <= radius * radius) offsets.push(y * columns + x);
  }
  return offsets;
}

/**
 * Farthest-first traversal: calls `place` for the pixel of greatest need, which must lower the need there, until no pixel has a need
 * above 1. Needs may only decrease. Among equal ones the first is taken.
 */
export function farthestFirst(
  pixels: readonly number[],
  needOf: (pixel: number) => number,
  place: (pixel: number) => void,
): void {
  const needs = Float64Array.from(pixels, needOf);
  const heap = new Heap<number>(
    (a, b) => needs[a] > needs[b] || (needs[a] === needs[b] && a < b),
    pixels.map((_, i) => i).filter((i) => needs[i] > 1),
  );
  for (let top = heap.peek(); top !== undefined; top = heap.peek()) {
    const need = needOf(pixels[top]);
    if (need === needs[top]) place(pixels[top]);
    else if (need <= 1) heap.pop();
    else {
      needs[top] = need;
      heap.siftTop();
    }
  }
}
