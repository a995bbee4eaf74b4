// AssemblyScript, compiled by `bun run wasm` to `shape-kernel.wasm.ts`. `shape-kernel.ts` allocates its memory and calls it.

export { countLines, firstRows, linesBytes, places, writeLines } from "./column-lines.as";
export {
  areas,
  joinRegions,
  largest,
  maxX,
  maxY,
  minX,
  minY,
  parents,
  regions,
  smallest,
  solid,
} from "./region-areas.as";
export { ends, height, rowStarts, starts, values, width } from "./layer-runs.as";
export { crossingsAbove, crossingsHere, pointCount, points, traceOutlines } from "./traced-outlines.as";
export {
  acrossTenths,
  area,
  boxMaxX,
  boxMaxY,
  boxMinX,
  boxMinY,
  cornerCount,
  corners,
  downTenths,
  perimeter,
  simplifyOutlines,
} from "./simple-outlines.as";
export { writeText } from "./outline-text.as";
