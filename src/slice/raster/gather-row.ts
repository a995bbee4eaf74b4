import { grown } from "../../mesh/grown.ts";
import type { Pieces } from "./pieces.ts";
import { sortByLeft } from "./sort-pieces.ts";

/** The first `count` are the pieces of a row and their left ends, from left to right. Good until the next row. */
export interface Gathered {
  members: Int32Array<ArrayBuffer>;
  lefts: Float64Array<ArrayBuffer>;
  count: number;
}

export function newGatherer(pieces: Pieces): (row: number) => Gathered {
  const gathered: Gathered = { members: new Int32Array(64), lefts: new Float64Array(64), count: 0 };
  return (row) => {
    const { x0, x1, next, heads } = pieces;
    let { members, lefts } = gathered;
    let count = 0;
    for (let piece = heads[row]; piece >= 0; piece = next[piece]) {
      if (count === members.length) {
        members = grown(members, count + 1);
        lefts = grown(lefts, count + 1);
      }
      lefts[count] = x0[piece] < x1[piece] ? x0[piece] : x1[piece];
      members[count++] = piece;
    }
    sortByLeft(lefts, members, count);
    gathered.members = members;
    gathered.lefts = lefts;
    gathered.count = count;
    return gathered;
  };
}
