import { toSharedMemory } from "../core/typed-arrays.ts";
import { type PixelGrid, TRANSFORM_LENGTH, layerImageSize } from "./pixel-grid.ts";
import type { Stack } from "./stack.ts";

/** The stack on another grid of the same area, such as that of `coarserGrid` (`pixel-grid.ts`). */
export function regridStack(stack: Stack, grid: PixelGrid): Stack {
  const [from, to] = [layerImageSize(stack.grid).pixels, layerImageSize(grid).pixels];
  const regrid = (transforms: Float64Array): Float64Array =>
    transforms.map((value, i) => {
      const row = Math.floor((i % TRANSFORM_LENGTH) / 4);
      return row < 2 ? (value * to[row]) / from[row] : value;
    });
  const lattices = stack.lattices?.map(({ clip, ...lattice }) => ({
    ...lattice,
    toRaster: regrid(lattice.toRaster),
    ...(clip && { clip: { ...clip, stack: regridStack(clip.stack, grid) } }),
  }));
  return { ...stack, grid, transforms: toSharedMemory(regrid(stack.transforms)), ...(lattices && { lattices }) };
}
