import { accessSync, constants, statSync } from "node:fs";
import { fileFault, withFile } from "../../core/system-error.ts";
import type { Protocol } from "../protocol.ts";
import { newVirtualPrinter, type VirtualPrinterChoice } from "./virtual-printer.ts";

/** What the command line tells of virtual printers. */
export interface VirtualPrinters {
  readonly printers: readonly VirtualPrinterChoice[];
  /** The folder that takes their jobs. */
  readonly jobFolder: string;
}

/**
 * Printers that the command line names: always connected, and never discovered. Fault OPERATION_FAILED where the folder for
 * their jobs is missing or cannot be written.
 */
export function virtualProtocol({ printers, jobFolder }: VirtualPrinters): Protocol {
  requireWritableFolder(jobFolder);
  const connected = printers.map((choice) => newVirtualPrinter(choice, jobFolder));
  return { listens: false, connected: () => connected };
}

function requireWritableFolder(path: string): void {
  withFile("write", path, () => {
    if (!statSync(path).isDirectory()) throw fileFault("write", path, "it is not a folder; give the path of one");
    accessSync(path, constants.W_OK | constants.X_OK);
  });
}
