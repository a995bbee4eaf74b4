// AssemblyScript, compiled by `bun run wasm` to `raster-kernel.wasm.ts`. `raster-kernel.ts` allocates its memory and calls it.

export { cover } from "./coverage.as";
export { area, beginArea, greyRows } from "./grey-runs.as";
export { active, borderSigns, borders, crossings, ends, topCrossingXs, topCrossings } from "./overlap-coverage.as";
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
} from "./row-pieces.as";
export { beginSpans, endSpans, ends as spanEnds, rowStarts, starts as spanStarts, values as spanValues } from "./row-spans.as";
export { sortScratch } from "./sort-by-left.as";
export { leastGrey, thresholdRows } from "./threshold-spans.as";
export { touchedRows } from "./touched-spans.as";
export { boundary, models, resetWinding, turns } from "./winding.as";
