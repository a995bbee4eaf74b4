import { printerTypes } from "../catalog/catalog.ts";
import type { PrinterType } from "../catalog/setting.ts";
import type { ErrorFactory } from "../core/api-error.ts";
import { requirePrinterType } from "./require-printer-type.ts";

/** The protocols of printers in the network, as the schemes of their URLs. */
export const NETWORK_PROTOCOLS = ["sdcp", "prusalink", "odyssey", "nanodlp", "preform"] as const;

/** `folder`: a person or the machine takes jobs from a folder. */
export type PrinterProtocol = (typeof NETWORK_PROTOCOLS)[number] | "folder";

/** The protocols whose machines do not report what they are. */
export const UNREPORTED: readonly PrinterProtocol[] = ["folder", "nanodlp"];

const isPrusa = ({ job, jobConvertedFrom }: PrinterType): boolean =>
  (job === "sl1" || job === "sl1s") && jobConvertedFrom === undefined;

/** Whether machines of each protocol take the jobs of a printer type. */
const TAKES: Readonly<Record<PrinterProtocol, (type: PrinterType) => boolean>> = {
  sdcp: ({ job }) => job === "goo",
  prusalink: isPrusa,
  odyssey: isPrusa,
  nanodlp: ({ jobExtension }) => jobExtension === ".nanodlp",
  preform: ({ job }) => job === "form",
  // Jobs of this program's own kind are for virtual printers.
  folder: ({ job }) => job !== "form",
};

/** The protocols in the network by which a known machine of a type may take its jobs. */
export const protocolsFor = (type: PrinterType): PrinterProtocol[] =>
  NETWORK_PROTOCOLS.filter((protocol) => TAKES[protocol](type) && (protocol !== "sdcp" || type.network === "SDCP"));

/** Most machine types that a message lists. */
const MAX_LISTED = 16;

/** The canonical machine type of a name. Throws the error of `toError` for an unknown one, and for one whose jobs the protocol does not take. */
export function requireFittingType(protocol: PrinterProtocol, machineType: string, toError: ErrorFactory): string {
  const found = requirePrinterType(machineType, toError);
  if (TAKES[protocol](found)) return found.machineType;
  const fitting = printerTypes()
    .filter(TAKES[protocol])
    .map((type) => type.machineType);
  const isShort = fitting.length > 0 && fitting.length <= MAX_LISTED;
  const listed = isShort ? fitting.join(" or ") : "one that `printwright printers` lists with such jobs";
  throw toError(`printers of ${protocol}:// take no jobs of ${found.machineType}: give ${listed}`);
}
