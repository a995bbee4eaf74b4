import type { Steps } from "../core/steps.ts";
import type { Rectangle } from "./box.ts";
import { partitionPoint } from "./binary-search.ts";
import { newDisjointSets } from "./disjoint-sets.ts";

/** An interval in y, and the rectangle that reaches farthest to the right there. */
interface FrontPiece {
  readonly from: number;
  readonly to: number;
  readonly maxX: number;
  readonly member: number;
}

/** Rectangles that the sweep passes in one step, in a few milliseconds. */
const RECTANGLES_PER_STEP = 1024;

/**
 * The connected groups of rectangles that overlap or are at most `reach` apart in x and in y, as indices; groups and members ascend. A
 * sweep along x keeps, for each y, only the rectangle that ends last: the rectangles that it hides are in its group. Many rectangles
 * at one place take no more time than the same number next to each other.
 */
export function* overlappingGroups(rectangles: readonly Rectangle[], reach: number): Steps<number[][]> {
  const sets = newDisjointSets(rectangles.length);
  const order = [...rectangles.keys()].sort((a, b) => rectangles[a].minX - rectangles[b].minX);
  /** Disjoint and ascending. */
  const front: FrontPiece[] = [];
  for (const [i, member] of order.entries()) {
    if (i > 0 && i % RECTANGLES_PER_STEP === 0) yield;
    const { minX, maxX, minY, maxY } = rectangles[member];
    const toY = maxY + reach;
    const first = partitionPoint(front.length, (i) => front[i].to < minY);
    let end = first;
    const pieces: FrontPiece[] = [];
    const push = (piece: FrontPiece): void => {
      if (piece.to > piece.from) pieces.push(piece);
    };
    let from = minY;
    let rest: FrontPiece | undefined;
    for (; end < front.length && front[end].from <= toY; end++) {
      const piece = front[end];
      if (piece.maxX + reach < minX) continue;
      sets.join(piece.member, member);
      push({ ...piece, to: minY });
      if (piece.maxX > maxX) {
        push({ from, to: piece.from, maxX, member });
        push({ ...piece, from: Math.max(piece.from, minY), to: Math.min(piece.to, toY) });
        from = Math.max(from, piece.to);
      }
      if (piece.to > toY) rest = { ...piece, from: toY };
    }
    push({ from, to: toY, maxX, member });
    if (rest) pieces.push(rest);
    front.splice(first, end - first, ...pieces);
  }
  return [...Map.groupBy(rectangles.keys(), (i) => sets.find(i)).values()];
}
