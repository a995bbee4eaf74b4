import { PRINTER_TYPES } from "../../catalog/catalog.ts";
import type { PrinterType } from "../../catalog/setting.ts";
import { type PixelGrid, worldToRaster } from "../../slice/pixel-grid.ts";
import type { JobHead } from "./read-job.ts";

/** The printer types of the catalog that jobs name so. */
export function printersNamed(name: string | undefined): PrinterType[] {
  if (name === undefined || name === "") return [];
  const isName = (other: string): boolean => other.toLowerCase() === name.toLowerCase();
  return PRINTER_TYPES.filter(({ nameInJobs, label, productNames }) =>
    [nameInJobs, label, ...productNames].some(isName),
  );
}

/**
 * The pixels of a job as seen from above, from its file and, for what that does not state, from the catalog. Undefined if neither has the
 * size of a pixel.
 */
export function gridOfJob({ printerName, pixels: [columns, rows], pixelMm, mirrorX }: JobHead): PixelGrid | undefined {
  const isOfSize = ({ raster: { pixels, portrait } }: PrinterType): boolean =>
    portrait ? pixels[0] === rows && pixels[1] === columns : pixels[0] === columns && pixels[1] === rows;
  const raster = printersNamed(printerName).find(isOfSize)?.raster;
  const portrait = raster?.portrait ?? false;
  const isStated =
    pixelMm !== undefined && pixelMm[0] > 0 && pixelMm[1] > 0 && Number.isFinite(pixelMm[0] + pixelMm[1]);
  const stated = isStated ? (portrait ? ([pixelMm[1], pixelMm[0]] as const) : pixelMm) : undefined;
  const sizeMm = stated ?? raster?.pixelMm;
  if (!sizeMm) return undefined;
  return {
    pixels: portrait ? [rows, columns] : [columns, rows],
    pixelMm: sizeMm,
    mirrorX: mirrorX ?? raster?.mirrorX ?? false,
    portrait,
  };
}

/** The place on the platform of a point of the pictures, in pixels from their top left; mm from the middle of the platform. */
export function placeOnPlatform(grid: PixelGrid, column: number, row: number): readonly [xMm: number, yMm: number] {
  const { axes, scale, offset } = worldToRaster(grid);
  const place = [0, 0];
  [column, row].forEach((at, i) => {
    const [axis, perMm, middle] = [axes[i] ?? 0, scale[i] ?? 1, offset[i] ?? 0];
    place[axis] = (at - middle) / perMm;
  });
  return [place[0] ?? 0, place[1] ?? 0];
}
