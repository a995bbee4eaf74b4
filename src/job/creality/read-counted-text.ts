import type { FieldReader } from "../../codec/big-endian-reader.ts";

/** UTF-8 behind its number of bytes, without zeros at its end. */
export const readCountedText = (from: FieldReader): string =>
  new TextDecoder().decode(from.take(from.u32())).replace(/\0+$/, "");
