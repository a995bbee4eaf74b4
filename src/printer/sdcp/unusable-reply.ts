import * as v from "valibot";
import { decodeJson } from "../../core/json.ts";
import {
  type DiscoveryReply,
  MAX_DATAGRAM_BYTES,
  catalogTypeOf,
  displayText,
  mainboardId,
  parseDiscoveryReply,
} from "./discovery-reply.ts";

/** A reply of a printer to a discovery question that this program cannot use. */
export interface UnusableReply {
  /** Empty if it is not reported in the usual form. */
  readonly mainboardId: string;
  readonly name: string;
  readonly machineName: string;
  /** The cause and the way out; without a full stop. */
  readonly whyUnusable: string;
}

export type DiscoveryAnswer = DiscoveryReply | UnusableReply;

export const isUnusable = (answer: DiscoveryAnswer): answer is UnusableReply => "whyUnusable" in answer;

const facts = v.pipe(
  v.object({
    MainboardID: v.fallback(mainboardId, ""),
    Name: displayText,
    MachineName: displayText,
    ProtocolVersion: displayText,
  }),
  v.check(({ MachineName, ProtocolVersion }) => MachineName !== "" && ProtocolVersion !== ""),
);
const answer = v.object({ Data: v.union([v.object({ Attributes: facts }), facts]) });

/** Parses any reply of a printer with SDCP; undefined for other datagrams. */
export function parseDiscoveryAnswer(datagram: Uint8Array): DiscoveryAnswer | undefined {
  if (datagram.length > MAX_DATAGRAM_BYTES) return undefined;
  return parseDiscoveryReply(datagram) ?? parseUnusableReply(datagram);
}

function parseUnusableReply(datagram: Uint8Array): UnusableReply | undefined {
  let content: unknown;
  try {
    content = decodeJson(datagram);
  } catch {
    return undefined;
  }
  const parsed = v.safeParse(answer, content);
  if (!parsed.success) return undefined;
  const { Data: data } = parsed.output;
  const { MainboardID, Name, MachineName, ProtocolVersion } = "Attributes" in data ? data.Attributes : data;
  return {
    mainboardId: MainboardID,
    name: Name,
    machineName: MachineName,
    whyUnusable: /^V[13]\./i.test(ProtocolVersion)
      ? `it answers the search in an unknown form: update its firmware, or ${BY_STICK}`
      : `it speaks version ${JSON.stringify(ProtocolVersion)} of SDCP, and this program speaks V1 and V3: update its firmware, or ${BY_STICK}`,
  };
}

const BY_STICK = "write the job onto a USB stick, with scene/export or printwright slice";

/** The maker's printers of filament, which answer the same question. */
const FILAMENT = /centauri|neptune|orangestorm/i;

/** Why the catalog has no printer of SDCP with this name of a machine and this resolution, and the way out; without a full stop. */
export function whyNoSdcpType(machineName: string, resolution: string): string {
  if (FILAMENT.test(machineName))
    return "it prints with filament, for which there are no jobs here: use its maker's program";
  const type = catalogTypeOf(machineName);
  if (!type) {
    return (
      `the catalog has no printer called ${JSON.stringify(machineName)} (printwright printers lists all): describe it under that name, ` +
      'with "network": "SDCP", in a file for --machines FILE (docs/own-printers.md), or use its maker\'s program'
    );
  }
  if (type.network !== "SDCP") return `jobs for it are not sent over the network here: ${BY_STICK}`;
  return (
    `it reports a panel of ${resolution} pixels, and the catalog's ${type.label} has ${type.raster.pixels.join("x")}, ` +
    "so that its jobs would not fit: update its firmware, or use its maker's program"
  );
}
