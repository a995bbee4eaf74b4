import { printerTypes } from "../../catalog/catalog.ts";
import type { PrinterType } from "../../catalog/setting.ts";
import type { Orientation } from "../../job/fit/turned-runs.ts";
import { type PixelGrid, worldToRaster } from "../../slice/pixel-grid.ts";
import type { JobHead } from "./read-job.ts";

/** The printer types of the catalog that jobs name so. */
export function printersNamed(name: string | undefined): PrinterType[] {
  if (name === undefined || name === "") return [];
  const isName = (other: string): boolean => other.toLowerCase() === name.toLowerCase();
  return printerTypes().filter(({ nameInJobs, label, productNames }) =>
    [nameInJobs, label, ...productNames].some(isName),
  );
}

/** The machine of the catalog that made pictures of this size, if the file names it. */
export function machineOfJob({ printerName, pixels: [columns, rows] }: JobHead): PrinterType | undefined {
  const isOfSize = ({ raster: { pixels, portrait } }: PrinterType): boolean =>
    portrait ? pixels[0] === rows && pixels[1] === columns : pixels[0] === columns && pixels[1] === rows;
  return printersNamed(printerName).find(isOfSize);
}

/** How the pictures of a job are turned, from its file and, for what that does not state, from the catalog. */
export function orientationOfJob(head: JobHead): Orientation {
  const raster = machineOfJob(head)?.raster;
  return {
    portrait: raster?.portrait ?? false,
    mirrorX: head.mirrorX ?? raster?.mirrorX ?? false,
    mirrorY: head.mirrorY ?? raster?.mirrorY ?? false,
  };
}

/**
 * The pixels of a job as seen from above, from its file and, for what that does not state, from the catalog. Undefined if neither has the
 * size of a pixel.
 */
export function gridOfJob(head: JobHead): PixelGrid | undefined {
  const {
    pixels: [columns, rows],
    pixelMm,
  } = head;
  const orientation = orientationOfJob(head);
  const isStated = pixelMm?.every((mm) => Number.isFinite(mm) && mm > 0) === true;
  const stated = isStated && pixelMm && orientation.portrait ? ([pixelMm[1], pixelMm[0]] as const) : pixelMm;
  const sizeMm = isStated ? stated : machineOfJob(head)?.raster.pixelMm;
  if (!sizeMm) return undefined;
  return { pixels: orientation.portrait ? [rows, columns] : [columns, rows], pixelMm: sizeMm, ...orientation };
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
