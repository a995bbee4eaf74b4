import { Buffer } from "node:buffer";
import { newId } from "../core/id.ts";
import type { FileRange, HttpCall } from "./http-client.ts";

/** The file of a form. */
export interface FormFile {
  readonly field: string;
  /** Must have no quotes, backslashes and line breaks. */
  readonly fileName: string;
  readonly content: FileRange | Uint8Array;
}

export type MultipartForm = Required<Pick<HttpCall, "headers" | "body">>;

/**
 * Makes the headers and the body of a form with a file (RFC 7578). The fields keep their order, and the file is last, since printers that
 * process a form while they receive it need the fields first.
 */
export function multipartForm(
  fields: readonly (readonly [name: string, value: string])[],
  { field, fileName, content }: FormFile,
): MultipartForm {
  // It is random, so that it occurs in no file.
  const boundary = `printwright-${newId()}`;
  const head = fields.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const fileHead =
    `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${fileName}"\r\n` +
    "Content-Type: application/octet-stream\r\n\r\n";
  return {
    headers: { "Content-Type": `multipart/form-data; boundary=${boundary}` },
    body: [Buffer.from(head.join("") + fileHead), content, Buffer.from(`\r\n--${boundary}--\r\n`)],
  };
}
