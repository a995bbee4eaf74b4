import type { PrinterType } from "../catalog/setting.ts";
import type { Device } from "./device.ts";

/** A printer that the server knows of. */
export interface Printer {
  /** Its serial name; no other printer has it. */
  readonly id: string;
  /** As the catalog lists it. */
  readonly printerType: PrinterType;
  /** Canonical ids of the machine types whose scenes it prints. */
  readonly machineTypes: readonly string[];
  /** As it is now, in the variant of its family. */
  describe(): Device;
  /** Whether a job that is sent now is printed now. */
  isReady(): boolean;
  /**
   * Takes a job; resolves when it lies with the printer whole. A job that is not to be printed now is held, also by a
   * printer that prints. Faults: OPERATION_FAILED for one to be printed now by a printer that is not ready, and those of
   * `job.writeTo`; either leaves the printer as it was.
   */
  take(job: PrintJob): Promise<void>;
}

/** What stays of a job once a printer has it. */
export interface JobLabel {
  /** UUID. */
  readonly id: string;
  /** As the user wrote it; any characters at all. */
  readonly name: string;
  readonly materialCode: string;
}

/** A job on its way to a printer. */
export interface PrintJob extends JobLabel {
  /** Of the archive, with its dot. */
  readonly extension: string;
  readonly printNow: boolean;
  /** Writes the archive, whole or not at all. */
  writeTo(path: string): Promise<PrintJobTotals>;
}

/** What is known of a job once its archive is written. */
export interface PrintJobTotals {
  /** From the start until the last layer is done, `preprintTimeS` included. */
  readonly printTimeS: number;
  readonly preprintTimeS: number;
  /** Of powder: after the last layer, until the build may be opened. */
  readonly coolingTimeS?: number;
  readonly layerCount: number;
  readonly materialMl: number;
}
