import { type OwnFiles, addOwnFiles, replacements } from "../catalog/open-printers.ts";

/** The options that add printers and resins of one's own, in the form of `parseArgs`. */
export const MACHINES_OPTION = {
  machines: { type: "string", multiple: true, default: [] as string[] },
  resin: { type: "string" },
} as const;

/**
 * Adds the printers and resins of the files of the user to the catalog, before anything uses it, and warns of those that replace known ones.
 * Throws INPUT_ERROR or OPERATION_FAILED for a file that is wrong.
 */
export function addMachines(files: OwnFiles): void {
  addOwnFiles(files);
  for (const { id, file } of replacements())
    console.error(`Warning: ${id} of ${JSON.stringify(file)} replaces the known one with that id.`);
}
