import { createHash } from "node:crypto";
import { closeSync } from "node:fs";
import { type FileSource, readError, readRange } from "../../codec/file-source.ts";
import { openRegularFile } from "../../core/read-file.ts";
import { MAGICS } from "./chitu-records.ts";
import { readChituHead, recordAt } from "./read-chitu-head.ts";

/**
 * `.ctb` files of version 4 contain a text of CBD, the maker of the format, that forbids others to use its layout. This program does not
 * have the text, only its SHA-256 and its size, by which it knows the text in a file that the user names.
 */
const NOTICE_SHA256 = "e321918789eedbe5ccf7b92289d5e8fd83502b0e3449230d0f30d4c95639e1cc";
const NOTICE_BYTES = 320;

/**
 * The notice in a file: the text itself, or a `.ctb` file of version 4 or 5. Throws OPERATION_FAILED for a file without it. `sha256`: of the
 * text that is looked for.
 */
export function readCtbNotice(path: string, sha256 = NOTICE_SHA256): Uint8Array {
  const source: FileSource = { path, ...openRegularFile(path) };
  try {
    const notice = source.size === NOTICE_BYTES ? readRange(source, 0, NOTICE_BYTES) : noticeOfCtb(source);
    if (notice && createHash("sha256").update(notice).digest("hex") === sha256) return notice;
    throw readError(
      source,
      "it does not contain the notice of the maker of the format; name a .ctb file of version 4 that Chitubox made",
    );
  } finally {
    closeSync(source.fd);
  }
}

function noticeOfCtb(source: FileSource): Uint8Array | undefined {
  if (source.size < 8 || recordAt(source, 0, 4).u32() !== MAGICS.ctb4) return undefined;
  const { extension } = readChituHead(source);
  if (extension?.noticeBytes !== NOTICE_BYTES) return undefined;
  return readRange(source, extension.noticeAt, NOTICE_BYTES);
}
