import { Buffer } from "node:buffer";

/**
 * Characters that some system forbids in file names (separators, wildcards, control characters, surrogates, unassigned code points), and
 * characters that change the direction of text, with which a name looks different from what it is.
 */
const FORBIDDEN = /[<>:"/\\|?*\p{Cc}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;
/** Device names of Windows, with any extension (Microsoft, "Naming Files, Paths, and Namespaces"). */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *\./i;
/**
 * Most bytes of the job's name in UTF-8. The whole file name is then shorter than 143 bytes, the smallest limit of common file systems
 * (eCryptfs).
 */
const MAX_NAME_BYTES = 100;
const ID_CHARACTERS = 8;

interface Named {
  readonly name: string;
  readonly id: string;
  readonly extension: string;
}

/** A readable, unique file name for any job name, which all common file systems allow. */
export function jobFileName({ name, id, extension }: Named): string {
  const plain = truncateToBytes(trimDotsAndSpaces(name.replace(FORBIDDEN, "_"))) || "job";
  return `${DEVICE.test(plain) ? "_" : ""}${plain}-${id.slice(0, ID_CHARACTERS)}${extension}`;
}

/** Removes leading dots, which hide a file or name a parent folder, and surrounding spaces. */
const trimDotsAndSpaces = (name: string): string => name.replace(/^[\s.]+|[\s.]+$/gu, "");

function truncateToBytes(name: string): string {
  let bytes = 0;
  return Array.from(name)
    .filter((character) => (bytes += Buffer.byteLength(character)) <= MAX_NAME_BYTES)
    .join("");
}
