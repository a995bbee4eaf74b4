import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { closeSync, readSync } from "node:fs";
import { basename } from "node:path";
import { excerpt, operationFailed } from "../../core/api-error.ts";
import { withFileErrors } from "../../core/file-error.ts";
import { openRegularFile } from "../../core/read-file.ts";

/** A smaller file is no firmware of a printer, and no printer can store a larger one. Our choice. */
const MIN_BYTES = 512;
const MAX_BYTES = 4 * 2 ** 30;

/**
 * The first bytes of the containers and images in which firmware is shipped. The maker has not published the format of its files, so a
 * virtual printer accepts any of these and refuses anything else.
 */
const SIGNATURES: readonly { readonly what: string; readonly hex: string; readonly at?: number }[] = [
  { what: "gzip (RFC 1952)", hex: "1f8b" },
  { what: "ZIP (APPNOTE 4.3.7)", hex: "504b0304" },
  { what: "xz (file format 1.1, 2.1.1.1)", hex: "fd377a585a00" },
  { what: "Zstandard (RFC 8878)", hex: "28b52ffd" },
  { what: "bzip2", hex: "425a68" },
  { what: "SquashFS 4", hex: "68737173" },
  { what: "device tree, as of U-Boot's images (Devicetree Specification 5.2)", hex: "d00dfeed" },
  { what: "U-Boot's older images", hex: "27051956" },
  { what: "ELF", hex: "7f454c46" },
  { what: "tar (POSIX.1-1988)", hex: "7573746172", at: 257 },
];

/**
 * The version in the name of a firmware file, such as 2.3.1 in `Otter-2.3.1.formware`, else the beginning of its SHA-256. Throws
 * OPERATION_FAILED for a file that cannot be read, and for one that is no firmware.
 */
export function firmwareVersionOf(path: string): string {
  const { fd, size } = openRegularFile(path);
  try {
    if (size < MIN_BYTES || size > MAX_BYTES) {
      throw noFirmware(path, `it has ${size} bytes, and firmware from ${MIN_BYTES} to ${MAX_BYTES}`);
    }
    const head = Buffer.alloc(MIN_BYTES);
    withFileErrors("read", path, () => readSync(fd, head, 0, MIN_BYTES, 0));
    if (!SIGNATURES.some(({ hex, at = 0 }) => head.subarray(at).toString("hex").startsWith(hex))) {
      throw noFirmware(path, "it begins like none of the containers in which firmware comes");
    }
    const [version] = /\d+(?:\.\d+)+/.exec(basename(path)) ?? [];
    return version ?? createHash("sha256").update(head).digest("hex").slice(0, 8);
  } finally {
    closeSync(fd);
  }
}

const noFirmware = (path: string, why: string): Error =>
  operationFailed(`"${excerpt(path)}" is not a firmware file: ${why}. Download it again from the printer's maker.`);
