import type { Cubes } from "./cubes.ts";

/** Ways straight through a part, along one axis of its cubes. */
export interface Lines {
  /** From a cube to the next along the axis. */
  readonly stride: number;
  /** The cube before and the cube after each line. Both lie outside of the part's hull, and all between them is air. */
  readonly ends: Int32Array;
  /** The cubes that belong to the lines, one line after another; some of those between may belong to a line along another axis. */
  readonly cubes: Int32Array;
  /** Line k has `cubes[firsts[k]]` … `[firsts[k + 1] - 1]`. */
  readonly firsts: Int32Array;
}

/**
 * Finds the lines of cubes of kind `unseen` between cubes of kind `outside`, and makes these cubes of kind `through`. A cube belongs
 * to one line at most.
 */
export const linesThrough = (cubes: Cubes, outside: number, unseen: number, through: number): Lines[] =>
  [0, 1, 2].map((axis) => linesAlong(cubes, axis, outside, unseen, through));

function linesAlong(
  { kinds, columns, rows, levels }: Cubes,
  axis: number,
  outside: number,
  unseen: number,
  through: number,
): Lines {
  const axes = [
    { stride: 1, count: columns },
    { stride: columns, count: rows },
    { stride: columns * rows, count: levels },
  ];
  const { stride, count } = axes[axis];
  const [across, along] = axes.filter((_, other) => other !== axis);
  const ends: number[] = [];
  const cubes: number[] = [];
  const firsts = [0];
  for (let j = 0; j < along.count; j++) {
    for (let i = 0; i < across.count; i++) {
      const first = i * across.stride + j * along.stride;
      const last = first + (count - 1) * stride;
      // The last cube outside with nothing but air since, and whether some of that belongs to no line yet.
      let before = first;
      let isNew = false;
      for (let cube = first; cube <= last; cube += stride) {
        const kind = kinds[cube];
        if (kind === unseen) isNew = true;
        else if (kind === outside) {
          if (isNew && before >= 0) {
            ends.push(before, cube);
            for (let at = before + stride; at < cube; at += stride) {
              if (kinds[at] !== unseen) continue;
              kinds[at] = through;
              cubes.push(at);
            }
            firsts.push(cubes.length);
          }
          before = cube;
          isNew = false;
        } else if (kind !== through) before = -1;
      }
    }
  }
  return { stride, ends: Int32Array.from(ends), cubes: Int32Array.from(cubes), firsts: Int32Array.from(firsts) };
}
