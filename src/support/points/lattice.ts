import type { SpanGrid } from "../../slice/span-layers.ts";

/** Share of a disc that must be wanted for its middle to lie in the open: edges have pixels of their own. */
const OPEN = 0.97;

/**
 * Those of some pixels that belong to a triangular lattice and lie in the open: at least `marginMm` from pixels that are not
 * wanted. `pitchMm` is the side of the lattice's triangles.
 */
export function latticeOver(
  pixels: readonly number[],
  isWanted: (pixel: number) => boolean,
  { columns, pixelMm }: SpanGrid,
  pitchMm: number,
  marginMm: number,
): number[] {
  if (pixels.length === 0) return [];
  const disc = discOf(Math.floor(marginMm / pixelMm), columns);
  const pitch = pitchMm / pixelMm;
  const between = (pitch * Math.sqrt(3)) / 2;
  return pixels.filter((pixel) => {
    const row = Math.floor(pixel / columns);
    const line = Math.round(row / between);
    if (row !== Math.round(line * between)) return false;
    const shift = line % 2 === 0 ? 0 : pitch / 2;
    const column = pixel - row * columns;
    if (column !== Math.round(Math.round((column - shift) / pitch) * pitch + shift)) return false;
    return disc.filter((step) => isWanted(pixel + step)).length >= OPEN * disc.length;
  });
}

/** Steps from a pixel to those within a radius. */
function discOf(radius: number, columns: number): number[] {
  const steps: number[] = [];
  for (let y = -radius; y <= radius; y++) {
    for (let x = -radius; x <= radius; x++) if (x * x + y * y <= radius * radius) steps.push(y * columns + x);
  }
  return steps;
}
