// AssemblyScript, compiled by `bun run wasm` to `raster-kernel.wasm.ts`. `raster-kernel.ts` allocates its memory and calls it.

export {
  active,
  borderSigns,
  borders,
  boundary,
  cover,
  crossings,
  ends,
  models,
  resetWinding,
  topCrossingXs,
  topCrossings,
  turns,
} from "./coverage.as";
export { area, beginArea, greyRows } from "./grey-runs.as";
export {
  columns,
  cutIntoRows,
  endRow,
  firstRow,
  lefts,
  maxRowPieces,
  maxRuns,
  measure,
  members,
  nextRow,
  pieceCount,
  pieces,
  rowStartPieces,
  rows,
  segmentCount,
  segmentEnds,
  segmentModels,
  sortScratch,
} from "./row-pieces.as";
export { beginSpans, endSpans, ends as spanEnds, rowStarts, starts as spanStarts, values as spanValues } from "./row-spans.as";
export { leastGrey, thresholdRows } from "./threshold-spans.as";
export { touchedRows } from "./touched-spans.as";
