import * as v from "valibot";
import { printerTypes } from "../../catalog/catalog.ts";
import type { PrinterType } from "../../catalog/setting.ts";
import { decodeJson } from "../../core/json.ts";
import { lazy } from "../../core/memoize.ts";
import { type Status, statusFields } from "./status.ts";

/** The reply of a printer to a discovery question over UDP. */
export interface DiscoveryReply {
  /** 16 hexadecimal digits. */
  readonly mainboardId: string;
  /** The name that its owner gave; not unique. */
  readonly name: string;
  readonly machineName: string;
  /** The major version of the protocol. V1 and V3 have only this reply in common. */
  readonly version: "V1" | "V3";
  readonly firmwareVersion: string;
  /** Pixels, such as "11520x5120"; empty where it is not reported. */
  readonly resolution: string;
  /** V1 only. */
  readonly status: Status | undefined;
}

/** Replies have about 300 bytes in V3 and 1,500 in V1. */
export const MAX_DATAGRAM_BYTES = 8192;

/** A text from a printer, for display: at most 100 characters, without control characters. */
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

/** The id of a mainboard; topics of messages contain it. */
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

/** The fields are at the top for V3, and nested for V1 and some bridges of V3. */
const answer = v.object({
  Data: v.union([v.object({ Attributes: announced, Status: v.optional(statusFields) }), announced]),
});

/** Parses the reply of a printer; undefined for any other datagram. */
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

/** Printer types by the names of their machines in jobs and by their own, which count first. */
function byNames(types: readonly PrinterType[]): ReadonlyMap<string, PrinterType> {
  const named = (nameOf: (type: PrinterType) => string) =>
    types.map((type): [string, PrinterType] => [plainName(nameOf(type)), type]);
  return new Map([...named(({ nameInJobs }) => nameInJobs), ...named(({ label }) => label)]);
}

/** The printer types that SDCP reaches, and all of them. */
const reachable = lazy(() => byNames(printerTypes().filter(({ network }) => network === "SDCP")));
const catalogued = lazy(() => byNames(printerTypes()));

/** The printer type of a machine's name, which may end with the resolution of its panel ("Saturn 4 Ultra 12K"). */
function typeNamed(machineName: string, types: ReadonlyMap<string, PrinterType>): PrinterType | undefined {
  const reported = plainName(machineName);
  return types.get(reported) ?? types.get(reported.replace(/ \d+k$/, ""));
}

/** The type of the catalog by the name of a machine: one that SDCP reaches, if there is one. */
export const catalogTypeOf = (machineName: string): PrinterType | undefined =>
  typeNamed(machineName, reachable()) ?? typeNamed(machineName, catalogued());

/**
 * The type of a printer by the name of its machine. Undefined where the catalog has none that SDCP reaches, as for filament printers, which
 * answer the same question, and where the reported resolution is not that of the type.
 */
export function sdcpPrinterType(machineName: string, resolution: string): PrinterType | undefined {
  const found = typeNamed(machineName, reachable());
  return found && ["", found.raster.pixels.join("x")].includes(resolution.toLowerCase()) ? found : undefined;
}
