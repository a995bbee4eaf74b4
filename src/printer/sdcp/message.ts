import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import * as v from "valibot";
import { isRecord, parseJson } from "../../core/json.ts";
import { displayText, mainboardId } from "./discovery-reply.ts";
import { type Status, statusFields } from "./status.ts";

/** The commands that are sent; others, and other fields than those of the specification, are said to crash some firmware. */
export interface Commands {
  readonly status: Record<never, never>;
  readonly attributes: Record<never, never>;
  readonly start: { readonly Filename: string; readonly StartLayer: 0 };
  readonly list: { readonly Url: "/local" };
  readonly remove: { readonly FileList: readonly string[]; readonly FolderList: readonly [] };
}

export type Command = keyof Commands;

/** Specification of SDCP V3. */
const NUMBERS: Readonly<Record<Command, number>> = { status: 0, attributes: 1, start: 128, list: 258, remove: 259 };

/** "From" of a request: a program on a computer. */
const FROM_PC = 0;

/** A request to a printer. `requestId` comes back in its acknowledgement. */
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

/** 32 hexadecimal digits, as requests and transfers are named. */
export const randomId = (): string => randomBytes(16).toString("hex");

/** What a printer tells of itself beside its status. */
export interface Attributes {
  readonly mainboardId: string;
  readonly name: string;
  readonly machineName: string;
  readonly firmwareVersion: string;
  readonly resolution: string;
  readonly connectionType: "WIFI" | "ETHERNET" | "UNKNOWN";
  /** Bytes that are free for files; undefined where it is not told. */
  readonly freeBytes: number | undefined;
  /** In capitals; empty where it is not told. */
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
  v.transform((told): Attributes => ({
    mainboardId: told.MainboardID,
    name: told.Name,
    machineName: told.MachineName,
    firmwareVersion: told.FirmwareVersion,
    resolution: told.Resolution,
    connectionType: told.NetworkStatus ? CONNECTION_TYPES[told.NetworkStatus] : "UNKNOWN",
    freeBytes: told.RemainingMemory,
    fileTypes: told.SupportFileType,
  })),
);

/** A message of a printer. Those of other topics and shapes are none. */
export type Message =
  | { readonly kind: "response"; readonly requestId: string; readonly data: Readonly<Record<string, unknown>> }
  | { readonly kind: "status"; readonly status: Status }
  | { readonly kind: "attributes"; readonly attributes: Attributes }
  /** 1: the check sum of a file that was sent is wrong, 2: its format is. */
  | { readonly kind: "error"; readonly code: number };

const response = v.object({ Data: v.object({ RequestID: v.string(), Data: v.looseObject({}) }) });
/** Status and attributes stand at the top; some firmware has them below Data. */
const pushedStatus = v.object({ Status: statusFields });
const pushedAttributes = v.object({ Attributes: attributeFields });
const error = v.object({ Data: v.object({ Data: v.object({ ErrorCode: v.pipe(v.unknown(), v.transform(Number)) }) }) });

/** Deeper than any message of a printer. */
const MAX_DEPTH = 16;
/** Digits of a length that some firmware sends before the JSON. */
const MAX_PREFIX_BYTES = 16;

/** Reads a frame of the printer with this mainboard; undefined for what is no message of it. */
export function parseMessage(frame: Uint8Array, board: string): Message | undefined {
  const start = Buffer.from(frame.buffer, frame.byteOffset, Math.min(frame.length, MAX_PREFIX_BYTES)).indexOf("{");
  if (start < 0) return undefined;
  let told: unknown;
  try {
    told = parseJson(frame.subarray(start), MAX_DEPTH);
  } catch {
    return undefined;
  }
  if (!isRecord(told)) return undefined;
  const pushed = isRecord(told.Data) ? { ...told, ...told.Data } : told;
  switch (told.Topic) {
    case `sdcp/response/${board}`: {
      const { success, output } = v.safeParse(response, told);
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
      const { success, output } = v.safeParse(error, told);
      return success ? { kind: "error", code: output.Data.Data.ErrorCode } : undefined;
    }
  }
  return undefined;
}
