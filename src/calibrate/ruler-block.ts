import { stump } from "./body-block.ts";
import { type NumberedBlock, type PlateContext } from "./pad-block.ts";
import { type PlateShape, type Reading, type Snap, type Span, lengthOf, letterOf } from "./plate-shape.ts";

const POST_MM = 2;
/** Left edges of the posts along the front and the back edge. Two of them stand 30 and 60 mm from the first, over their outer edges. */
const POSTS_X = [-45.6, -36.2, -30, -23.8, -17.6, -10.1, -2.6, 4.9, 12.4, 20.2, 28, 35.8, 43.6] as const;
const [THIRTY, SIXTY] = [4, 8];
/** Front edges of the posts along the left and the right edge: between those of the front and the back. */
const POSTS_Y = [-26.8, -13.4, -0.4, 12.6, 25.2] as const;
const NUMBER_WIDTH_MM = 3.1;
const NUMBER_GAP_MM = 0.2;
/** From the posts to the edges of the plate, about. */
const BORDER_MM = 0.4;

/**
 * A frame of posts along the edges of the plate, over which lengths are read from edge to edge, since these tell scales best: many along y, where the
 * plate is short. What is read between posts tells, together with that, how far edges grow.
 */
export function rulerBlock(context: PlateContext, snaps: readonly [Snap, Snap], first: number): NumberedBlock {
  const { levels, axes } = context;
  const shapes: PlateShape[] = [];
  const readings: Reading[] = [];
  const spans = (along: 0 | 1, starts: readonly number[]): readonly Span[] =>
    starts.map((start) => [snaps[along](start), snaps[along](start + POST_MM)]);
  const [columns, rows] = [spans(0, POSTS_X), spans(1, POSTS_Y)];
  const [left, right, front, back] = [columns[0], columns.at(-1), rows[0], rows.at(-1)];
  if (!left || !right || !front || !back) throw new TypeError("The frame of a plate has no posts.");
  const post = (x: Span, y: Span): void => {
    const isCorner = (x === left || x === right) && (y === front || y === back);
    const to = isCorner ? levels.corners : levels.top;
    shapes.push(...stump(x, y, context), { kind: "bar", x, y, from: levels.normal, to, grey: 255 });
  };
  let next = first;
  const number = (x: number, y: number): string => {
    const text = String(next++);
    shapes.push({ kind: "legend", text, x, y, from: levels.base, to: levels.legend });
    return text;
  };
  const letters = new Map<string, number>();
  /** The next letter of a patch: what is read over two posts, or between them. */
  const read = (
    patch: string,
    along: 0 | 1,
    [one, other]: readonly [Span, Span],
    side: 1 | -1,
    which: string,
  ): void => {
    const at = letters.get(patch) ?? 0;
    letters.set(patch, at + 1);
    readings.push({
      patch: `${patch}${letterOf(at)}`,
      measure: `distance ${side === 1 ? "over" : "between"} ${which}`,
      unit: "mm",
      of: {
        kind: "length",
        axis: axes[along],
        side,
        lengthMm: lengthOf(side === 1 ? [one[0], other[1]] : [one[1], other[0]]),
        grey: 255,
      },
    });
  };
  const readBoth = (patch: string, along: 0 | 1, pair: readonly [Span, Span], which: string): void => {
    read(patch, along, pair, 1, which);
    read(patch, along, pair, -1, which);
  };
  columns.forEach((x, i) => {
    post(x, front);
    post(x, back);
    const isFirst = i === 0;
    const patch = number(
      isFirst ? x[1] + NUMBER_GAP_MM : x[0] - NUMBER_WIDTH_MM - NUMBER_GAP_MM,
      front[0] + NUMBER_GAP_MM,
    );
    readBoth(patch, 1, [front, back], "the post with the number and the one opposite at the back edge");
    if (isFirst) readBoth(patch, 0, [left, right], "the posts at the left and the right end of the front edge");
    if (i !== THIRTY && i !== SIXTY) return;
    readBoth(patch, 0, [left, x], "the post with the number and the one at the left end of the front edge");
    readBoth(patch, 0, [left, x], "the posts opposite these two, at the back edge");
  });
  rows.slice(1).forEach((y) => {
    const isLast = y === back;
    if (!isLast) {
      post(left, y);
      post(right, y);
    }
    const patch = isLast
      ? number(left[1] + NUMBER_GAP_MM, y[0] + NUMBER_GAP_MM)
      : number(right[1] - NUMBER_WIDTH_MM + BORDER_MM, y[0] - 2);
    if (isLast) readBoth(patch, 0, [left, right], "the posts at the left and the right end of the back edge");
    // The bridges leave no room for calipers between these posts.
    else read(patch, 0, [left, right], 1, "the post with the number and the one opposite at the left edge");
  });
  return { shapes, readings: [...readings, ...heightReadings(levels)], next };
}

const EDGES = ["front", "back", "left", "right"] as const;
const CORNERS = ["front left", "front right", "back left", "back right"] as const;

function heightReadings({ base, normal, corners }: PlateContext["levels"]): Reading[] {
  const heights = [
    ...EDGES.map((edge) => [`height of the base plate, at the ${edge} edge between posts`, base] as const),
    ["height of the rails of row 3, with the base plate", normal + 1] as const,
    ...CORNERS.map((corner) => [`height of the post ${corner}, with the base plate`, corners] as const),
  ];
  return heights.map(([measure, layers], i) => ({
    patch: `H${letterOf(i)}`,
    measure,
    unit: "mm",
    of: { kind: "height", layers },
  }));
}
