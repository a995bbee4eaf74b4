import { newDisjointSets } from "../../mesh/disjoint-sets.ts";

/** A pocket that is less deep, in cubes, is a step of the cubes themselves. */
const LEAST_DEPTH = 4;
/** One of fewer cubes at its widest is, too. */
const LEAST_CUBES = 4;

/** Sealed parts of the air, while layers are added one by one. */
export interface Pockets {
  /** A cube of this layer, as a pocket of its own. Cubes have numbers below the size. */
  add(cube: number, layer: number): void;
  /** Makes one of the pockets of two cubes. */
  join(cube: number, other: number, layer: number): void;
  /** What this layer joins to the open air. */
  open(cube: number, layer: number): void;
  /** Whether the pocket of a cube has been opened. */
  isOpen(cube: number): boolean;
  /** The cubes in the widest layer of each pocket that was one before it was opened, summed. */
  widestCubes(): number;
}

export function newPockets(size: number): Pockets {
  const sets = newDisjointSets(size);
  // Of the cube that stands for a pocket: its lowest and its latest layer, its cubes there and in its widest layer before.
  const lowest = new Uint16Array(size);
  const latest = new Uint16Array(size);
  const now = new Uint32Array(size);
  const widest = new Uint32Array(size);
  const opened = new Uint8Array(size);
  const added: number[] = [];
  let sum = 0;
  const enter = (pocket: number, layer: number): void => {
    if (latest[pocket] === layer) return;
    if (now[pocket] > widest[pocket]) widest[pocket] = now[pocket];
    now[pocket] = 0;
    latest[pocket] = layer;
  };
  const end = (pocket: number, layer: number): void => {
    if (opened[pocket] === 1) return;
    enter(pocket, layer);
    opened[pocket] = 1;
    if (layer - lowest[pocket] >= LEAST_DEPTH && widest[pocket] >= LEAST_CUBES) sum += widest[pocket];
  };
  return {
    add(cube, layer) {
      added.push(cube);
      lowest[cube] = layer;
      latest[cube] = layer;
      now[cube] = 1;
    },
    join(cube, other, layer) {
      const p = sets.find(cube);
      const q = sets.find(other);
      if (p === q) return;
      enter(p, layer);
      enter(q, layer);
      sets.join(p, q);
      const into = Math.min(p, q);
      lowest[into] = Math.min(lowest[p], lowest[q]);
      widest[into] = Math.max(widest[p], widest[q]);
      now[into] = now[p] + now[q];
    },
    open: (cube, layer) => end(sets.find(cube), layer),
    isOpen: (cube) => opened[sets.find(cube)] === 1,
    widestCubes() {
      const after = added.reduce((last, cube) => Math.max(last, latest[cube]), 0) + 1;
      for (const cube of added) end(sets.find(cube), after);
      return sum;
    },
  };
}
