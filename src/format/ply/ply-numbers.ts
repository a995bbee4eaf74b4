import type { Progress } from "../../core/progress.ts";
import { LineScanner, lineBlocks } from "../../codec/line-scanner.ts";
import { type FileSource, readError, readExactly } from "../../codec/file-source.ts";
import type { PlyHeader, ScalarType } from "./ply-header.ts";

/** The numbers of a PLY file in their order. Throws OPERATION_FAILED if the file ends before the next one. */
export interface PlyNumbers {
  /** Called before the first number of each row. */
  beginRow(): void;
  next(type: ScalarType): number;
}

/** Numbers as text: a row is a line. */
export function asciiNumbers(
  source: FileSource,
  { lines }: PlyHeader,
  precision: "single" | "double",
  progress: Progress,
): PlyNumbers {
  const scanner = new LineScanner(source, precision);
  const blocks = lineBlocks(source, progress);
  let toSkip = lines;
  function openBlock(): void {
    const { done, value } = blocks.next();
    if (done) throw cutShort(source);
    scanner.open(value);
  }
  /** Moves to the next line that is not empty, after those of the header. */
  function toRow(): void {
    for (;;) {
      while (scanner.atBlockEnd()) openBlock();
      if (toSkip > 0) toSkip--;
      else if (scanner.toWord()) return;
      scanner.toNextLine();
    }
  }
  let isFirst = true;
  return {
    beginRow() {
      if (!isFirst) scanner.toNextLine();
      isFirst = false;
      toRow();
    },
    next(type) {
      if (type === "float32" || type === "float64") return scanner.coordinate();
      const value = scanner.toWord() ? scanner.integer() : NaN;
      if (Number.isNaN(value)) throw scanner.refuse("a whole number is missing");
      return value;
    },
  };
}

const BYTES: Readonly<Record<ScalarType, number>> = {
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  float32: 4,
  float64: 8,
};

const BLOCK_BYTES = 1 << 20;

/** Binary numbers, read block by block. */
export function binaryNumbers(source: FileSource, { bytes, encoding }: PlyHeader, progress: Progress): PlyNumbers {
  const isLittleEndian = encoding === "binary_little_endian";
  const block = new Uint8Array(Math.min(BLOCK_BYTES, source.size - bytes));
  const view = new DataView(block.buffer);
  /** End of the block in the file; in the block, the number of its bytes and the position of the next number. */
  let [position, filled, at] = [bytes, 0, 0];
  /** Moves the rest of the block to its start, and reads on. */
  function fill(): void {
    block.copyWithin(0, at, filled);
    filled -= at;
    at = 0;
    const room = block.subarray(filled, filled + source.size - position);
    readExactly(source, room, position);
    position += room.length;
    filled += room.length;
    progress.report(position / source.size);
  }
  return {
    beginRow() {},
    next(type) {
      if (at + BYTES[type] > filled) fill();
      const from = at;
      at += BYTES[type];
      if (at > filled) throw cutShort(source);
      switch (type) {
        case "int8":
          return view.getInt8(from);
        case "uint8":
          return view.getUint8(from);
        case "int16":
          return view.getInt16(from, isLittleEndian);
        case "uint16":
          return view.getUint16(from, isLittleEndian);
        case "int32":
          return view.getInt32(from, isLittleEndian);
        case "uint32":
          return view.getUint32(from, isLittleEndian);
        case "float32":
          return view.getFloat32(from, isLittleEndian);
        case "float64":
          return view.getFloat64(from, isLittleEndian);
      }
    },
  };
}

const cutShort = (source: FileSource): Error =>
  readError(source, "it ends before all that its header announces; it was cut short; export the model again");
