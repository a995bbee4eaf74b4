// AssemblyScript, compiled by `bun run wasm` to `layer-kernel.wasm.ts`. `layer-kernel.ts` allocates its memory and calls it.

export {
  codeLengths,
  codes,
  counts,
  headerCodes,
  headerCounts,
  headerLengths,
  headerRuns,
  matches,
  runLengths,
  runValues,
  writeBlock,
} from "./deflate-block.as";
export { checksum, filterRows, rowFilter } from "./filtered-rows.as";
export { writeGooChunks } from "./goo-chunks.as";
export { nextCodes, scratch, setCodeLengths } from "./huffman-code.as";
export { ends, height, rowStarts, starts, values, width } from "./layer-runs.as";
