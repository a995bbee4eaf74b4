import { Buffer } from "node:buffer";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { type ApiError, toEnvelope } from "../core/api-error.ts";

/** What a tool answers. */
export interface Answer {
  /** Lines for the model, the most important first. */
  readonly lines: readonly string[];
  /** The same for programs; lists have at most {@link MAX_LISTED} items. */
  readonly data: Readonly<Record<string, unknown>>;
  /** A PNG file. */
  readonly picture?: Uint8Array | undefined;
}

/** Most bytes of the text of an answer: agents pay for each, and read on where they ask for it. */
export const MAX_TEXT_BYTES = 4096;

/** Most items of a list in an answer. */
export const MAX_LISTED = 20;

/** Most characters of a name or message of a file. */
const MAX_QUOTED = 120;
/** Most characters of a message of the interface, which may repeat names. */
const MAX_MESSAGE = 1000;

/** Characters that end lines, or that change how others are shown. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text of a stranger, such as the name of a part, as quoted data: one line without control characters. */
export const quoted = (text: string): string => JSON.stringify(named(text));

/** The same for data of programs, which need no quotes. */
export const named = (text: string): string => cut(text.replace(INVISIBLE, " "), MAX_QUOTED);

/** A message that may contain names of strangers: one line. */
export const oneLine = (text: string): string => cut(text.replace(INVISIBLE, " "), MAX_MESSAGE);

const cut = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length)}…`);

/** Millimetres as answers have them: no decision about a plate needs more digits. */
export const toTenth = (mm: number): number => Math.round(10 * mm) / 10;

/** Lines of the first items of a list, and one that counts the others. */
export function listed<Item>(items: readonly Item[], lineOf: (item: Item) => string, most = MAX_LISTED): string[] {
  const lines = items.slice(0, most).map((item) => `- ${lineOf(item)}`);
  return items.length > most ? [...lines, `- and ${items.length - most} more`] : lines;
}

/** The result of a call in the protocol. */
export function toResult({ lines, data, picture }: Answer): CallToolResult {
  return {
    content: [
      { type: "text", text: bounded(lines) },
      ...(picture
        ? [{ type: "image" as const, mimeType: "image/png", data: Buffer.from(picture).toString("base64") }]
        : []),
    ],
    structuredContent: { ...data },
  };
}

/** A failed call: clients show its text to the model, which can then do what the message says. */
export const toFailure = (error: ApiError): CallToolResult => ({
  content: [{ type: "text", text: bounded([`${error.code}: ${error.message}`]) }],
  structuredContent: { ...toEnvelope(error) },
  isError: true,
});

const CUT = "… (cut)";

/** The lines as a text of at most {@link MAX_TEXT_BYTES}. */
function bounded(lines: readonly string[]): string {
  const bytes = Buffer.from(lines.join("\n"));
  if (bytes.length <= MAX_TEXT_BYTES) return bytes.toString();
  const most = MAX_TEXT_BYTES - Buffer.byteLength(CUT);
  // A character that is cut in two becomes U+FFFD.
  return `${bytes
    .subarray(0, most)
    .toString()
    .replace(/\uFFFD+$/, "")}${CUT}`;
}
