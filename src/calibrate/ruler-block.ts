import { pairReadings, stump } from "./body-block.ts";
import { type NumberedBlock, type PlateContext } from "./pad-block.ts";
import { type PlateShape, type Reading, type Snap, type Span } from "./plate-shape.ts";

const POST_MM = 2;
/** Distances over both outer edges of the pairs of posts. */
const LENGTHS_MM = { x: [10, 30, 60, 88], y: [25, 36, 47] } as const;
/** Left edge of the first post along x, front edge of the first along y. */
const [FIRST_X, FIRST_Y] = [-44, -19.8];
const ROWS_Y = [-22.4, -25.8] as const;
const COLUMNS_X = [-45.6, 43.6] as const;

/** Posts along the edges of the plate, whose distances are read, and steps, whose heights are. */
export function rulerBlock(context: PlateContext, snaps: readonly [Snap, Snap], first: number): NumberedBlock {
  const { levels, axes } = context;
  const shapes: PlateShape[] = [];
  const readings: Reading[] = [];
  let next = first;
  const post = (x: Span, y: Span): void => {
    shapes.push(...stump(x, y, context), { kind: "bar", x, y, from: levels.normal, to: levels.top, grey: 255 });
  };
  const number = (x: number, y: number): string => {
    const text = String(next++);
    shapes.push({ kind: "legend", text, x, y, from: levels.base, to: levels.legend });
    return text;
  };
  const ruler = (along: 0 | 1, start: number, across: Span, lengths: readonly number[]): void => {
    const snap = snaps[along];
    const place = (span: Span): void => (along === 0 ? post(span, across) : post(across, span));
    const firstPost: Span = [snap(start), snap(start + POST_MM)];
    place(firstPost);
    for (const length of lengths) {
      const other: Span = [snap(start + length - POST_MM), snap(start + length)];
      place(other);
      const patch =
        along === 0 ? number(other[0] - 3.2, across[0] + 0.2) : number(Math.min(across[0], 43.02), other[0] - 1.8);
      readings.push(...pairReadings(patch, axes[along], [firstPost[0], other[1]], [firstPost[1], other[0]]));
    }
  };
  for (const y of ROWS_Y) ruler(0, FIRST_X, [y - POST_MM / 2, y + POST_MM / 2], LENGTHS_MM.x);
  for (const x of COLUMNS_X) ruler(1, FIRST_Y, [x, x + POST_MM], LENGTHS_MM.y);
  return { shapes, readings: [...readings, ...heightReadings(levels)], next };
}

const heightReadings = ({ base, normal, top }: PlateContext["levels"]): Reading[] =>
  (
    [
      ["Ha", "height of the base plate, at a free corner", base],
      ["Hb", "height of the rails of row 3, with the base plate", normal + 1],
      ["Hc", "height of the posts at the corners, with the base plate", top],
    ] as const
  ).map(([patch, measure, layers]) => ({ patch, measure, unit: "mm", of: { kind: "height", layers } }));
