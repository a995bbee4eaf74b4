import { ApiError, inputError } from "../core/api-error.ts";
import { MAX_DOCUMENT_DEPTH, isRecord, parseJson } from "../core/json.ts";
import type { TaskProgress } from "../core/progress.ts";
import { readWholeFile } from "../core/read-file.ts";
import { writeFileAtomically } from "../core/write-file.ts";

/** The content of a file with a custom print setting, including unknown keys. */
type Document = Readonly<Record<string, unknown>>;

/** About a thousand times the size of such a file. */
const MAX_BYTES = 16 * 2 ** 20;

/**
 * Reads an `.fps` file: one JSON object in UTF-8, with or without a byte order mark, of at most 16 MiB and 64 levels.
 * The catalog interprets the object. Throws INPUT_ERROR for a file that is missing, not regular, too large, or does not
 * contain such an object.
 */
export function readFps(file: string): Document {
  const document = parse(file, bytesOf(file));
  if (!isRecord(document)) throw notFps(file, "it holds JSON, but no object");
  return document;
}

/** Writes the document as indented JSON in UTF-8, completely or not at all. Throws OPERATION_FAILED if that fails. */
export function writeFps(file: string, document: Document, progress: TaskProgress): void {
  const text = `${JSON.stringify(document, undefined, 2)}\n`;
  writeFileAtomically(file, [new TextEncoder().encode(text)], progress.commit);
}

function bytesOf(file: string): Uint8Array {
  try {
    return readWholeFile(file, MAX_BYTES);
  } catch (thrown) {
    throw thrown instanceof ApiError ? inputError(thrown.message) : thrown;
  }
}

function parse(file: string, bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes, MAX_DOCUMENT_DEPTH);
  } catch (thrown) {
    throw notFps(file, `it cannot be read as JSON: ${(thrown as Error).message}`);
  }
}

const notFps = (file: string, why: string): ApiError =>
  inputError(`${JSON.stringify(file)} is no .fps file: ${why}. Export the print setting again, or give another file.`);
