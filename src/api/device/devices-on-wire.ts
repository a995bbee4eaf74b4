import type { Device } from "../../printer/device.ts";
import type { Printer } from "../../printer/printer.ts";

/** The answer that tells of these printers as they are now. */
export function devicesOnWire(printers: readonly Printer[]): { count: number; devices: Device[] } {
  return { count: printers.length, devices: printers.map((printer) => printer.describe()) };
}
