import { Buffer } from "node:buffer";

/**
 * What one system or another forbids in names (separators, wildcards, control characters, what is no character) and what
 * makes a name read otherwise than it is.
 */
const FORBIDDEN = /[<>:"/\\|?*\p{Cc}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;
/** Windows takes these for devices, whatever follows the dot (Microsoft, "Naming Files, Paths, and Namespaces"). */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *\./i;
/** Of UTF-8. With the rest of the name it stays below 143, the least that common file systems allow (eCryptfs). */
const MOST_BYTES = 100;
const ID_CHARACTERS = 8;

interface Named {
  readonly name: string;
  readonly id: string;
  readonly extension: string;
}

/** The file name of a job: readable, its own, and allowed by every common file system, whatever the job is called. */
export function jobFileName({ name, id, extension }: Named): string {
  const plain = cut(trimmed(name.replace(FORBIDDEN, "_"))) || "job";
  return `${DEVICE.test(plain) ? "_" : ""}${plain}-${id.slice(0, ID_CHARACTERS)}${extension}`;
}

/** Without the dots that would hide it or lead up, and without spaces around it. */
const trimmed = (name: string): string => name.replace(/^[\s.]+|[\s.]+$/gu, "");

function cut(name: string): string {
  let bytes = 0;
  return Array.from(name)
    .filter((character) => (bytes += Buffer.byteLength(character)) <= MOST_BYTES)
    .join("");
}
