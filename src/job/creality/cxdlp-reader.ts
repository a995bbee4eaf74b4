import { BigEndianReader } from "../../codec/big-endian-reader.ts";
import { type FileSource, readError, readRange } from "../../codec/file-source.ts";
import type { JobReader, ReadJob } from "../job-reader.ts";
import { MARK, countedText } from "./cxdlp-layout.ts";
import { openLineJob } from "./open-line-job.ts";
import { openRunJob } from "./open-run-job.ts";
import { readCountedText } from "./read-counted-text.ts";

const MARK_BYTES: Uint8Array = countedText(MARK);
/** More than the head of any version takes, apart from the table of layers of version 4. */
const MAX_HEAD_BYTES = 2 ** 20;

/** Creality's `.cxdlp` files of versions 2, 3 and 4. */
export const cxdlpReader: JobReader = {
  name: "Creality CXDLP",
  versions: ["2", "3", "4"],
  recognises: (head) => head.length >= MARK_BYTES.length && MARK_BYTES.every((byte, i) => head[i] === byte),
  open: openCxdlp,
};

function openCxdlp(source: FileSource): ReadJob {
  const refuse = (why: string) => readError(source, why);
  const head = readRange(source, 0, Math.min(source.size, MAX_HEAD_BYTES));
  const from = new BigEndianReader(head, refuse, MARK_BYTES.length);
  const version = from.u16();
  const printerName = readCountedText(from);
  if (version === 2 || version === 3) return openLineJob(source, from, version, printerName);
  if (version === 4) return openRunJob(source, from.at, printerName);
  throw refuse(`it is a .cxdlp file of version ${version}; versions 2, 3 and 4 are read: save it as one of these`);
}
