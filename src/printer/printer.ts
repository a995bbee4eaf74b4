import type { PrinterType } from "../catalog/setting.ts";
import type { Device } from "./device.ts";

/** A printer that is known to the server. */
export interface Printer {
  /** Unique serial name. */
  readonly id: string;
  readonly printerType: PrinterType;
  /** Canonical ids of the machine types whose scenes it can print. */
  readonly machineTypes: readonly string[];
  /** Its current state, in the variant of its family. */
  describe(): Device;
  /** Whether it can start to print a job now. */
  isReady(): boolean;
  /**
   * Takes a job; resolves when the printer has all of it. A job without `printNow` is held, also while another is printed. Throws
   * OPERATION_FAILED for a job with `printNow` when the printer is not ready, and what `job.writeTo` throws; both leave the printer
   * unchanged.
   */
  take(job: PrintJob): Promise<void>;
}

/** What a printer keeps of a job. */
export interface JobLabel {
  /** UUID. */
  readonly id: string;
  /** As entered by the user; any characters. */
  readonly name: string;
  readonly materialCode: string;
}

/** A job that is sent to a printer. */
export interface PrintJob extends JobLabel {
  /** Of the archive, with the dot. */
  readonly extension: string;
  readonly printNow: boolean;
  /** Writes the archive, all or nothing. */
  writeTo(path: string): Promise<PrintJobTotals>;
}

/** Facts of a job that are known when its archive is written. */
export interface PrintJobTotals {
  /** From the start to the end of the last layer, including `preprintTimeS`. */
  readonly printTimeS: number;
  readonly preprintTimeS: number;
  /** Powder printers: from the end of the last layer until the build may be opened. */
  readonly coolingTimeS?: number | undefined;
  readonly layerCount: number;
  readonly materialMl: number;
}

/** A way of reaching printers. */
export interface Protocol {
  /** Whether printers may announce themselves while the server runs. */
  readonly listens: boolean;
  /** The connected printers, in a constant order. */
  connected(): readonly Printer[];
}
