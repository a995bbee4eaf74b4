import { createHash } from "node:crypto";
import { ApiError, excerpt } from "../../core/api-error.ts";
import type { StoredEvent } from "./event-log.ts";

/** An event as others get it: CloudEvents 1.0.2 in JSON, with the attribute `sequence` of its extensions. */
export interface CloudEvent {
  readonly specversion: "1.0";
  /** The same each time that the event is sent. */
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject: string;
  /** ISO 8601. */
  readonly time: string;
  readonly datacontenttype: "application/json";
  /** A whole number, which grows from event to event. */
  readonly sequence: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const PREFIX = "printwright.";

export function toCloudEvent(event: StoredEvent): CloudEvent {
  return {
    specversion: "1.0",
    id: idOf(event),
    source: "/printwright",
    type: `${PREFIX}${event.type}`,
    subject: event.subject,
    time: event.at.toISOString(),
    datacontenttype: "application/json",
    sequence: String(event.sequence),
    data: event.data,
  };
}

/** `evt_` and a UUID of version 7 (RFC 9562), whose random bits are a hash of the event: every reader gives it the same. */
function idOf({ at, sequence, type, subject, data }: StoredEvent): string {
  const hash = createHash("sha256").update(JSON.stringify([at.getTime(), sequence, type, subject, data]));
  const bytes = hash.digest().subarray(0, 16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return `evt_${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * Which types a reader wants, of words such as `job.done` and `job.*`, with or without `printwright.`; all types without words. Throws an error with `code` for
 * anything else.
 */
export function typeFilter(words: readonly string[], code: ApiError["code"]): (type: string) => boolean {
  if (words.length === 0) return () => true;
  const patterns = words.map((word) => word.replace(PREFIX, ""));
  for (const pattern of patterns) {
    if (!/^[a-z]+\.([a-z-]+|\*)$/.test(pattern))
      throw new ApiError(code, `"${excerpt(pattern)}" is not a type of events: write one such as job.done, or job.*.`);
  }
  return (type) =>
    patterns.some((pattern) => (pattern.endsWith("*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern));
}
