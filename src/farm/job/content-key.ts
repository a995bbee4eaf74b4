import { createHash } from "node:crypto";
import { VERSION } from "../../core/version.ts";
import type { JobContent } from "./job-payload.ts";

/**
 * The key of what a job makes: the SHA-256 of its content in canonical JSON, and of the version that makes it, because another version may
 * give other bytes. Threads, memory and times are not in it. `nonce` makes a key of its own.
 */
export function contentKey(content: JobContent, nonce?: string): string {
  const keyed = { version: VERSION, ...content, ...(nonce !== undefined && { nonce }) };
  return createHash("sha256").update(canonicalJson(keyed)).digest("hex");
}

/**
 * JSON in the one form of RFC 8785: keys in the order of their UTF-16 code units, no space, numbers and strings as `JSON.stringify`
 * writes them. Fields that are undefined are left out.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`);
  return `{${fields.join(",")}}`;
}
