import type { Vec3 } from "../../geometry/vector.ts";
import type { InfillKind, SheetKind } from "../../mesh/mesh.ts";
import { BLOCK_MM, InfillBlocks, type InfillColumns } from "./infill-columns.ts";
import { strutRows } from "./infill-struts.ts";
import { PERIODIC_SURFACES, sheetLevel } from "./infill-wave.ts";
import type { Segments } from "../outline-segments.ts";
import { type PixelGrid, layerImageSize, worldToRaster } from "../pixel-grid.ts";
import { type RowFunction, SheetOutliner, rounded } from "./sheet-outliner.ts";

/** The infill of a model as it is sliced. */
export interface StackInfill {
  /** Index of the model whose cavity it fills. */
  readonly model: number;
  readonly kind: InfillKind;
  readonly cellMm: number;
  readonly wallMm: number;
  /** The centre of the cavity in the scene, at which cells begin. Their axes are those of the scene. */
  readonly centreMm: Vec3;
  readonly columns: InfillColumns;
}

const wave = new Float64Array(3);

/** Adds the outlines of an infill in the plane `zMm` of the raster to those of its model. */
export function addInfillOutlines(segments: Segments, infill: StackInfill, grid: PixelGrid, zMm: number): void {
  const { columns, centreMm } = infill;
  const { axes, scale, offset } = worldToRaster(grid);
  const z = zMm / scale[2] - centreMm[2];
  if (z < columns.lowMm - BLOCK_MM || z > columns.highMm + BLOCK_MM) return;
  const isAlongX = axes[0] === 0;
  const isOpen = blocksOf(columns).at(z, columns);
  const rowsOf = layerImageSize(grid).pixels[1];
  const middle = [0, 1].map((axis) => scale[axis] * centreMm[axes[axis]] + offset[axis]);
  const { kind } = infill;
  const patterns =
    kind === "STRUTS"
      ? strutRows(infill, { scale, middle, zMm: z })
      : [sheetRows({ ...infill, kind }, axes[0], scale, z, offset)];
  const drawn = patterns.map((at) => ({ at, outliner: new SheetOutliner(segments, infill.model, at) }));
  const sizes = [columns.columns, columns.rows] as const;
  const minMm = columns.minMm[axes[1] as 0 | 1];
  const count = sizes[axes[1] as 0 | 1];
  const toRaster = (mm: number, axis: 0 | 1): number =>
    rounded(scale[axis] * (mm + centreMm[axes[axis]]) + offset[axis]);
  const sides = [toRaster(minMm, 1), toRaster(minMm + count * BLOCK_MM, 1)];
  const first = Math.max(0, Math.floor(Math.min(...sides)));
  const end = Math.min(rowsOf, Math.ceil(Math.max(...sides)));
  const blockRowOf = (row: number): number => {
    const middleMm = (row + 0.5 - offset[1]) / scale[1] - centreMm[axes[1]];
    return Math.min(count - 1, Math.max(0, Math.floor((middleMm - minMm) / BLOCK_MM)));
  };
  for (let row = first; row < end;) {
    const blockRow = blockRowOf(row);
    let next = row + 1;
    while (next < end && blockRowOf(next) === blockRow) next++;
    const runs = runsOf(isOpen, columns, blockRow, isAlongX).map((block) =>
      toRaster(columns.minMm[axes[0] as 0 | 1] + block * BLOCK_MM, 0),
    );
    if (scale[0] < 0) runs.reverse();
    for (const { at, outliner } of drawn) {
      if (runs.length === 0) outliner.end(row);
      else outliner.addRows(row, next, at, runs);
    }
    row = next;
  }
  for (const { outliner } of drawn) outliner.end(end);
}

/** Pixels of a layer, from the first ones to before the ends. */
export interface PixelBox {
  readonly firstColumn: number;
  readonly endColumn: number;
  readonly firstRow: number;
  readonly endRow: number;
}

/** The pixels that an infill may touch between two heights; undefined if it touches none. */
export function infillPixels(
  { columns, centreMm }: StackInfill,
  grid: PixelGrid,
  bottomMm: number,
  topMm: number,
): PixelBox | undefined {
  const { lowMm, highMm, minMm } = columns;
  const { axes, scale, offset } = worldToRaster(grid);
  const [bottom, top] = [bottomMm, topMm].map((mm) => mm / scale[2] - centreMm[2]);
  if (top < lowMm - BLOCK_MM || bottom > highMm + BLOCK_MM) return undefined;
  const counts = [columns.columns, columns.rows] as const;
  const ends = (axis: 0 | 1): readonly [first: number, end: number] => {
    const across = axes[axis] as 0 | 1;
    // The outermost blocks are free.
    const lowest = minMm[across] + BLOCK_MM + centreMm[across];
    const sides = [lowest, lowest + (counts[across] - 2) * BLOCK_MM].map((mm) => scale[axis] * mm + offset[axis]);
    const most = layerImageSize(grid).pixels[axis];
    return [Math.max(0, Math.floor(Math.min(...sides))), Math.min(most, Math.ceil(Math.max(...sides)))];
  };
  const [[firstColumn, endColumn], [firstRow, endRow]] = [ends(0), ends(1)];
  return firstColumn < endColumn && firstRow < endRow ? { firstColumn, endColumn, firstRow, endRow } : undefined;
}

/** The blocks of the columns that are drawn at present; their memory serves all layers. */
let lastBlocks: { readonly columns: InfillColumns; readonly blocks: InfillBlocks } | undefined;

function blocksOf(columns: InfillColumns): InfillBlocks {
  if (lastBlocks?.columns !== columns) lastBlocks = { columns, blocks: new InfillBlocks(columns) };
  return lastBlocks.blocks;
}

/** The ends of the runs of open blocks in a row of blocks, ascending. */
function runsOf(isOpen: Uint8Array, { columns, rows }: InfillColumns, row: number, isAlongX: boolean): number[] {
  const ends: number[] = [];
  const count = isAlongX ? columns : rows;
  let last = 0;
  for (let i = 0; i < count; i++) {
    const open = isOpen[isAlongX ? row * columns + i : i * columns + row];
    if (open !== last) ends.push(i);
    last = open;
  }
  if (last === 1) ends.push(count);
  return ends;
}

function sheetRows(
  { kind, cellMm, wallMm, centreMm }: StackInfill & { readonly kind: SheetKind },
  axis: number,
  scale: Vec3,
  zMm: number,
  offset: Vec3,
): RowFunction {
  const { alongX, alongY } = PERIODIC_SURFACES[kind];
  const setWave = axis === 0 ? alongX : alongY;
  const across = 1 - axis;
  const level = sheetLevel(kind, cellMm, wallMm);
  const perMm = (2 * Math.PI) / cellMm;
  const period = cellMm * Math.abs(scale[0]);
  const perRadian = period / (2 * Math.PI);
  const middle = scale[0] * centreMm[axis] + offset[0];
  const z = perMm * zMm;
  return {
    period,
    pixelsPerMm: Math.abs(scale[0]),
    set(border, y) {
      setWave(perMm * ((y - offset[1]) / scale[1] - centreMm[across]), z, wave);
      const [a, b, c] = wave;
      const height = Math.sqrt(a * a + b * b);
      const halfWidth = (from: number): number => {
        const sine = (from - c) / height;
        return sine >= 1 ? 0 : sine <= -1 ? period / 2 : Math.min(period / 2, rounded(perRadian * Math.acos(sine)));
      };
      const peak = middle + Math.sign(scale[0]) * perRadian * (Math.PI / 2 - Math.atan2(b, a));
      border.y = y;
      border.peak = rounded(peak - period * Math.floor(peak / period));
      border.outer = height === 0 ? (c > -level ? period / 2 : 0) : halfWidth(-level);
      border.inner = height === 0 ? (c > level ? period / 2 : 0) : halfWidth(level);
    },
  };
}
