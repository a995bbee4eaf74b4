import type { Printer } from "./printer.ts";

/** A way in which printers are reached. */
export interface Protocol {
  /** Whether printers may still announce themselves while the server runs. */
  readonly listens: boolean;
  /** The printers that are connected now, in an order that stays. */
  connected(): readonly Printer[];
}
