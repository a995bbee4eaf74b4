import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import * as v from "valibot";
import { isRecord, parseJson } from "../../core/json.ts";
import { displayText, mainboardId } from "./discovery-reply.ts";
import { type Status, statusFields } from "./status.ts";

/** The commands that are sent. Some firmware is reported to crash at other commands and at fields outside the specification. */
export interface Commands {
  readonly status: Record<never, never>;
  readonly attributes: Record<never, never>;
  readonly start: { readonly Filename: string; readonly StartLayer: 0 };
  readonly list: { readonly Url: "/local" };
  readonly remove: { readonly FileList: readonly string[]; readonly FolderList: readonly [] };
}

export type Command = keyof Commands;

/** Numbers of the commands (specification of SDCP V3). */
const NUMBERS: Readonly<Record<Command, number>> = { status: 0, attributes: 1, start: 128, list: 258, remove: 259 };

/** Value of `From` in a request: a program on a computer. */
const FROM_PC = 0;

/** The text of a request to a printer. Its acknowledgement repeats `requestId`. */
export function requestText<Name extends Command>(
  name: Name,
  data: Commands[Name],
  board: string,
): { readonly requestId: string; readonly text: string } {
  const requestId = randomId();
  const request = {
    Id: randomId(),
    Data: {
      Cmd: NUMBERS[name],
      Data: data,
      RequestID: requestId,
      MainboardID: board,
      TimeStamp: Math.floor(Date.now() / 1000),
      From: FROM_PC,
    },
    Topic: `sdcp/request/${board}`,
  };
  return { requestId, text: JSON.stringify(request) };
}

/** A random id of 32 hexadecimal digits, as requests and transfers have it. */
export const randomId = (): string => randomBytes(16).toString("hex");

/** Facts that a printer reports about itself, apart from its status. */
export interface Attributes {
  readonly mainboardId: string;
  readonly name: string;
  readonly machineName: string;
  readonly firmwareVersion: string;
  readonly resolution: string;
  readonly connectionType: "WIFI" | "ETHERNET" | "UNKNOWN";
  /** Free bytes for files; undefined where they are not reported. */
  readonly freeBytes: number | undefined;
  /** Extensions in capitals; empty where they are not reported. */
  readonly fileTypes: readonly string[];
}

const CONNECTION_TYPES = { wlan: "WIFI", eth: "ETHERNET" } as const;

const attributeFields = v.pipe(
  v.object({
    MainboardID: mainboardId,
    Name: displayText,
    MachineName: displayText,
    FirmwareVersion: displayText,
    Resolution: displayText,
    NetworkStatus: v.fallback(v.optional(v.picklist(["wlan", "eth"])), undefined),
    RemainingMemory: v.fallback(v.optional(v.pipe(v.number(), v.finite())), undefined),
    SupportFileType: v.fallback(v.array(v.pipe(v.string(), v.toUpperCase())), []),
  }),
  v.transform((reported): Attributes => ({
    mainboardId: reported.MainboardID,
    name: reported.Name,
    machineName: reported.MachineName,
    firmwareVersion: reported.FirmwareVersion,
    resolution: reported.Resolution,
    connectionType: reported.NetworkStatus ? CONNECTION_TYPES[reported.NetworkStatus] : "UNKNOWN",
    freeBytes: reported.RemainingMemory,
    fileTypes: reported.SupportFileType,
  })),
);

/** A message of a printer. Frames with other topics or shapes are ignored. */
export type Message =
  | { readonly kind: "response"; readonly requestId: string; readonly data: Readonly<Record<string, unknown>> }
  | { readonly kind: "status"; readonly status: Status }
  | { readonly kind: "attributes"; readonly attributes: Attributes }
  /** 1: the check sum of a transferred file is wrong; 2: its format is unknown. */
  | { readonly kind: "error"; readonly code: number };

const response = v.object({ Data: v.object({ RequestID: v.string(), Data: v.looseObject({}) }) });
/** Status and attributes are at the top level; some firmware puts them below Data. */
const pushedStatus = v.object({ Status: statusFields });
const pushedAttributes = v.object({ Attributes: attributeFields });
const error = v.object({ Data: v.object({ Data: v.object({ ErrorCode: v.pipe(v.unknown(), v.transform(Number)) }) }) });

/** Deeper nesting than any message of a printer has. */
const MAX_DEPTH = 16;
/** Most bytes of the length in digits that some firmware sends before the JSON. */
const MAX_PREFIX_BYTES = 16;

/** Parses a frame of the printer with this mainboard; undefined for anything else. */
export function parseMessage(frame: Uint8Array, board: string): Message | undefined {
  const start = Buffer.from(frame.buffer, frame.byteOffset, Math.min(frame.length, MAX_PREFIX_BYTES)).indexOf("{");
  if (start < 0) return undefined;
  let value: unknown;
  try {
    value = parseJson(frame.subarray(start), MAX_DEPTH);
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const pushed = isRecord(value.Data) ? { ...value, ...value.Data } : value;
  switch (value.Topic) {
    case `sdcp/response/${board}`: {
      const { success, output } = v.safeParse(response, value);
      return success ? { kind: "response", requestId: output.Data.RequestID, data: output.Data.Data } : undefined;
    }
    case `sdcp/status/${board}`: {
      const { success, output } = v.safeParse(pushedStatus, pushed);
      return success ? { kind: "status", status: output.Status } : undefined;
    }
    case `sdcp/attributes/${board}`: {
      const { success, output } = v.safeParse(pushedAttributes, pushed);
      return success ? { kind: "attributes", attributes: output.Attributes } : undefined;
    }
    case `sdcp/error/${board}`: {
      const { success, output } = v.safeParse(error, value);
      return success ? { kind: "error", code: output.Data.Data.ErrorCode } : undefined;
    }
  }
  return undefined;
}
