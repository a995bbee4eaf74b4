import * as v from "valibot";
import { PRINTER_TYPES } from "../../catalog/catalog.ts";
import type { PrinterType } from "../../catalog/setting.ts";
import { decodeJson } from "../../core/json.ts";
import { type Status, statusFields } from "./status.ts";

/** What a printer says of itself when it is asked over UDP. */
export interface DiscoveryReply {
  /** 16 hexadecimal digits. */
  readonly mainboardId: string;
  /** Given by its owner; not unique. */
  readonly name: string;
  readonly machineName: string;
  /** V1 is another protocol, of which this is the only common part. */
  readonly version: "V1" | "V3";
  readonly firmwareVersion: string;
  /** As "11520x5120"; empty where it is not told. */
  readonly resolution: string;
  /** V1 only. */
  readonly status: Status | undefined;
}

/** Answers have some 300 bytes in V3 and 1,500 in V1. */
const MAX_DATAGRAM_BYTES = 8192;

/** A text of a printer, for display: without characters that are no text, and short. */
export const displayText = v.fallback(
  v.pipe(
    v.string(),
    v.transform((text) =>
      text
        .replace(/[\p{C}\s]+/gu, " ")
        .trim()
        .slice(0, 100),
    ),
  ),
  "",
);

/** The id of a mainboard stands in the topics of messages. */
export const mainboardId = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));

const announced = v.object({
  MainboardID: mainboardId,
  Name: displayText,
  MachineName: displayText,
  ProtocolVersion: v.pipe(
    v.string(),
    v.regex(/^V[13]\./i),
    v.transform((text): "V1" | "V3" => (text[1] === "1" ? "V1" : "V3")),
  ),
  FirmwareVersion: displayText,
  Resolution: displayText,
});

/** Printers of V3 answer flat, those of V1 and some bridges of V3 nested. */
const answer = v.object({
  Data: v.union([v.object({ Attributes: announced, Status: v.optional(statusFields) }), announced]),
});

/** The answer of a printer, undefined for everything else that a network may send. */
export function parseDiscoveryReply(datagram: Uint8Array): DiscoveryReply | undefined {
  if (datagram.length > MAX_DATAGRAM_BYTES) return undefined;
  const parsed = v.safeParse(answer, jsonOf(datagram));
  if (!parsed.success) return undefined;
  const { Data: data } = parsed.output;
  const [facts, status] = "Attributes" in data ? [data.Attributes, data.Status] : [data, undefined];
  return {
    mainboardId: facts.MainboardID,
    name: facts.Name,
    machineName: facts.MachineName,
    version: facts.ProtocolVersion,
    firmwareVersion: facts.FirmwareVersion,
    resolution: facts.Resolution,
    status,
  };
}

function jsonOf(datagram: Uint8Array): unknown {
  try {
    return decodeJson(datagram);
  } catch {
    return undefined;
  }
}

const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^elegoo /, "");

/** The printer types that SDCP reaches, those with the longest names first: one may begin with another. */
const REACHABLE = PRINTER_TYPES.filter(({ job }) => job === "goo")
  .map((printerType) => ({ printerType, name: plainName(printerType.label) }))
  .sort((a, b) => b.name.length - a.name.length);

/**
 * The type of a printer by the name of its machine, undefined where the catalog has none: printers of filament answer the same question. A
 * resolution that is told must be that of the type.
 */
export function printerTypeOf(machineName: string, resolution: string): PrinterType | undefined {
  const told = plainName(machineName);
  const found = REACHABLE.find(({ name }) => told === name || told.startsWith(`${name} `))?.printerType;
  return found && ["", found.raster.pixels.join("x")].includes(resolution.toLowerCase()) ? found : undefined;
}
