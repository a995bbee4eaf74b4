// AssemblyScript, compiled by `bun run wasm` to `layer-kernel.wasm.ts`. `layer-kernel.ts` allocates its memory and calls it.

export {
  codeLengths,
  codes,
  counts,
  distanceCodes,
  distanceCounts,
  distanceLengths,
  headerCodes,
  headerCounts,
  headerLengths,
  headerRuns,
  statedLengths,
} from "./block-codes.as";
export { matches, runLengths, runValues, writeBlock } from "./deflate-block.as";
export { filterRows } from "./filtered-rows.as";
export { writeGooChunks } from "./goo-chunks.as";
export { nextCodes, scratch, setCodeLengths } from "./huffman-code.as";
export { ends, height, rowStarts, starts, values, width } from "./layer-runs.as";
export { filterRgbaRows, lastPlaces, pixelMatches, writeRgbaBlock } from "./rgba-block.as";
export { checksum } from "./row-checksum.as";
