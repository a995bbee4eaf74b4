import type { Progress } from "../../core/progress.ts";
import { toSharedMemory } from "../../core/typed-arrays.ts";
import { boxOf } from "../../geometry/box.ts";
import type { Pose } from "../../geometry/pose.ts";
import { cutColumns } from "../../mesh/column-crossings.ts";
import { type Infill, type SheetKind, placedSurface } from "../../mesh/mesh.ts";

/**
 * The heights at which columns of blocks are inside a cavity. Places are relative to the centre of the cavity, in the directions of the scene:
 * copies of a part in one orientation share them.
 */
export interface InfillColumns {
  /** Columns along x and along y; the index of a column is that along x plus `columns` times that along y. */
  readonly columns: number;
  readonly rows: number;
  /** Place of the first column's corner. */
  readonly minMm: readonly [x: number, y: number];
  /** The height of the lowest and of the highest block. */
  readonly lowMm: number;
  readonly highMm: number;
  /** Column c enters and leaves the cavity at entries `starts[c]` … `starts[c + 1] - 1` of `heightsMm`, ascending. */
  readonly starts: Uint32Array;
  readonly heightsMm: Float64Array;
  /** How far from floors and roofs each column is free of infill: 0 at a foot. */
  readonly clearMm: Float32Array;
  /** Whether infill is cut off from upright walls at a height, but for feet at equal distances; undefined for nowhere. */
  readonly slits?: { readonly apartMm: number; readonly footMm: number } | undefined;
}

/** Width of a block: finer than the walls of infill that print. */
export const BLOCK_MM = 0.2;
/** How far infill reaches into floors and roofs, so that rounding leaves no gap. Less than any wall that is hollowed with infill. */
const BOND_MM = 0.15;
/** Width of the slits along upright walls, in blocks. */
const SLIT_BLOCKS = 2;
/** Half the height of a foot between two slits, in walls: fewer walls begin in mid-air than with lower ones, and no corner stays closed (tried out). */
const SLIT_FOOT_WALLS = 1.25;

/** The columns of the cavity of an infill in a pose, whose position does not matter. */
export function infillColumns(infill: Infill, pose: Pose, progress: Progress): InfillColumns {
  const surface = placedSurface({ mesh: infill.cavity, pose: { ...pose, position: [0, 0, 0] } });
  const { min, max } = boxOf(surface.vertices);
  // Free blocks on each side.
  const first = [0, 1].map((axis) => Math.floor(min[axis as 0 | 1] / BLOCK_MM) - SLIT_BLOCKS);
  const [columns, rows] = [0, 1].map((axis) => Math.ceil(max[axis as 0 | 1] / BLOCK_MM) + SLIT_BLOCKS - first[axis]);
  const [minX, minY] = first.map((block) => block * BLOCK_MM);
  const grid = {
    region: { minX, minY, maxX: minX + columns * BLOCK_MM, maxY: minY + rows * BLOCK_MM },
    columns,
    rows,
    rowAt: new Float64Array(rows).fill(0.5),
    columnAt: new Float64Array(rows).fill(0.5),
  };
  const { starts, z } = cutColumns([{ index: 0, surfaceOf: () => surface }], grid, progress);
  const clearMm = new Float32Array(columns * rows);
  const feet = feetOf(infill);
  if (feet) {
    for (let at = 0; at < clearMm.length; at++) {
      const [row, column] = [Math.floor(at / columns), at % columns];
      clearMm[at] = archHeightMm(minX + (column + 0.5) * BLOCK_MM, minY + (row + 0.5) * BLOCK_MM, feet);
    }
  }
  return {
    columns,
    rows,
    minMm: [minX, minY],
    lowMm: min[2],
    highMm: max[2],
    starts: toSharedMemory(starts),
    heightsMm: toSharedMemory(z),
    clearMm: toSharedMemory(clearMm),
    slits: feet && { apartMm: feet.apartMm, footMm: SLIT_FOOT_WALLS * infill.wallMm },
  };
}

/** Distance of neighbouring feet, in cells: every space between the walls of a gyroid then has an arch at each of its ends (tried out). */
const FEET_APART = Math.SQRT1_2 / 2;
/** Radius of a foot, in walls: fewer walls begin in mid-air between larger ones, and with still larger ones spaces stay closed (tried out). */
const FOOT_WALLS: Readonly<Record<SheetKind, number>> = { GYROID: 1, SCHWARZ_P: 1, SCHWARZ_D: 1.4 };

/** Sheets stand on round feet in rows at 45° to the axes. Without feet, infill of a cavity without upright walls would float in it. */
interface Feet {
  readonly apartMm: number;
  readonly radiusMm: number;
  readonly clearanceMm: number;
}

/** Undefined for infill that reaches floors and roofs everywhere: struts do not divide a cavity. */
const feetOf = ({ kind, cellMm, wallMm, clearanceMm }: Infill): Feet | undefined =>
  kind === "STRUTS" || clearanceMm === 0
    ? undefined
    : { apartMm: FEET_APART * cellMm, radiusMm: FOOT_WALLS[kind] * wallMm, clearanceMm };

/**
 * Arches between feet join the spaces on both sides of sheets. Their height at a place, from 0 at feet; they rise at 45°, which carries
 * itself.
 */
function archHeightMm(x: number, y: number, { apartMm, radiusMm, clearanceMm }: Feet): number {
  const fromRow = (place: number): number => place - apartMm * Math.round(place / apartMm);
  const [u, v] = [fromRow((x + y) * Math.SQRT1_2), fromRow((x - y) * Math.SQRT1_2)];
  return Math.min(clearanceMm, Math.max(0, Math.sqrt(u * u + v * v) - radiusMm));
}

const OUTSIDE = 0;
const CLEAR = 1;
/** The state whose second bit is set. */
const FILLED = 2;

/** The blocks that infill may fill. */
export class InfillBlocks {
  readonly #states: Uint8Array;
  readonly #isOpen: Uint8Array;

  constructor({ columns, rows }: InfillColumns) {
    this.#states = new Uint8Array(columns * rows);
    this.#isOpen = new Uint8Array(columns * rows);
  }

  /**
   * 1 for each column in which infill may be at a height. Blocks of the wall beside such blocks count as well, so that infill joins it, except where
   * there are slits. The next call overwrites the result.
   */
  at(zMm: number, { columns, rows, starts, heightsMm, clearMm, slits }: InfillColumns): Uint8Array {
    const [states, isOpen] = [this.#states, this.#isOpen];
    for (let column = 0; column < states.length; column++) {
      const [from, end] = [starts[column], starts[column + 1]];
      states[column] = from === end ? OUTSIDE : stateAt(zMm, heightsMm, from, end, clearMm[column]);
      isOpen[column] = states[column] >> 1;
    }
    const isSlit = slits && Math.abs(zMm - slits.apartMm * Math.round(zMm / slits.apartMm)) > slits.footMm;
    const reach = isSlit ? SLIT_BLOCKS : 1;
    for (let row = reach; row < rows - reach; row++) {
      for (let at = row * columns + reach; at < (row + 1) * columns - reach; at++) {
        if (isSlit) {
          if (states[at] === FILLED && isNearOutside(states, at, columns)) isOpen[at] = 0;
        } else if (states[at] === OUTSIDE && isBesideFilled(states, at, columns)) isOpen[at] = 1;
      }
    }
    return isOpen;
  }
}

function stateAt(zMm: number, heightsMm: Float64Array, from: number, end: number, clearMm: number): number {
  for (let i = from; i + 1 < end; i += 2) {
    const [low, high] = [heightsMm[i], heightsMm[i + 1]];
    if (zMm <= low - BOND_MM || zMm >= high + BOND_MM) continue;
    return clearMm > 0 && (zMm < low + clearMm || zMm > high - clearMm) ? CLEAR : FILLED;
  }
  return OUTSIDE;
}

const isBesideFilled = (states: Uint8Array, at: number, columns: number): boolean =>
  states[at - 1] === FILLED ||
  states[at + 1] === FILLED ||
  states[at - columns] === FILLED ||
  states[at + columns] === FILLED ||
  states[at - columns - 1] === FILLED ||
  states[at - columns + 1] === FILLED ||
  states[at + columns - 1] === FILLED ||
  states[at + columns + 1] === FILLED;

function isNearOutside(states: Uint8Array, at: number, columns: number): boolean {
  for (let k = 1; k <= SLIT_BLOCKS; k++) {
    const [across, along] = [k, k * columns];
    if (states[at - across] === OUTSIDE || states[at + across] === OUTSIDE) return true;
    if (states[at - along] === OUTSIDE || states[at + along] === OUTSIDE) return true;
  }
  return false;
}
