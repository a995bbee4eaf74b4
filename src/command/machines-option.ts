import { pixelSizeMm } from "../catalog/open-printer.ts";
import { type OwnFiles, addOwnFiles, ownPrinters, replacements } from "../catalog/open-printers.ts";

/** The options that add printers and resins of one's own, in the form of `parseArgs`. */
export const MACHINES_OPTION = {
  machines: { type: "string", multiple: true, default: [] as string[] },
  resin: { type: "string" },
} as const;

/** Ratio of the sides of a pixel from which they are doubtful. Panels of 16K have 1.36; a panel whose sides are exchanged, 2.25 and more. */
const OBLONG = 2;

/**
 * Adds the printers and resins of the files of the user to the catalog, before anything uses it, and warns of those that replace known ones
 * and of pixels that are hardly possible.
 * Throws INPUT_ERROR or OPERATION_FAILED for a file that is wrong.
 */
export function addMachines(files: OwnFiles): void {
  addOwnFiles(files);
  for (const { id, file } of replacements())
    console.error(`Warning: ${id} of ${JSON.stringify(file)} replaces the known one with that id.`);
  for (const { machine_type: id, display } of ownPrinters()) {
    const [width = 0, depth = 0] = pixelSizeMm(display).map((mm) => Number(mm.toPrecision(3)));
    if (Math.max(width, depth) > OBLONG * Math.min(width, depth))
      console.error(
        `Warning: ${id} has pixels of ${width} by ${depth} mm. Check that pixels and size_mm are along the same axes.`,
      );
  }
}
