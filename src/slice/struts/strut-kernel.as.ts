// AssemblyScript, compiled by `bun run wasm` to `strut-kernel.wasm.ts`. `strut-kernel.ts` allocates its memory and calls it.

export { cover } from "../raster/coverage.as";
export { columns, rows } from "../raster/row-pieces.as";
export { cells, logs, marks, prepareValues, runRoom, values } from "./row-coverage.as";
export {
  base,
  baseStarts,
  beginRows,
  clip,
  clipStarts,
  clippedRow,
  drawRows,
  drawn,
  drawnStarts,
  gain,
  isClipped,
  ownRow,
} from "./strut-rows.as";
export {
  addBalls,
  addStruts,
  beginSections,
  caps,
  ex,
  ey,
  ez,
  firstInRow,
  fx,
  fy,
  fz,
  ox,
  oy,
  oz,
  sections,
  struts,
} from "./strut-sections.as";
