import { addMachinesFiles, replacedPrinters } from "../catalog/open-printers.ts";

/** The option that adds machines of one's own, in the form of `parseArgs`. */
export const MACHINES_OPTION = { machines: { type: "string", multiple: true, default: [] as string[] } } as const;

/**
 * Adds the printers of the files of `--machines` to the catalog, before anything uses it, and warns of those that replace known ones.
 * Throws INPUT_ERROR or OPERATION_FAILED for a file that is wrong.
 */
export function addMachines(files: readonly string[]): void {
  addMachinesFiles(files);
  for (const { machineType, file } of replacedPrinters())
    console.error(
      `Warning: ${machineType} of ${JSON.stringify(file)} replaces the known printer with that machine_type.`,
    );
}
