import { type NumberedBlock, type PlateContext } from "./pad-block.ts";
import { nearestGrey } from "./dose-series.ts";
import {
  type Bar,
  CAP_HEIGHT_MM,
  type PlateShape,
  type Reading,
  type Snap,
  type Span,
  lengthOf,
  letterOf,
} from "./plate-shape.ts";
import { greyPalette } from "../job/grey-table.ts";

/** The right part of the plate: from the numbers to its edge. */
const [NUMBER_X, FIRST_X, LAST_X] = [19, 22.4, 42.9];
const TOP_Y = 22.7;

/** Layers of ledges that show how far a thick body prints through. */
const THICK_LAYERS = 16;
/** Doses of a row of ledges after its first one, which has a single layer and shows how deep that cures. Recommended exposures are among them. */
const THICK_EXPONENTS = [0, 0.2, 0.4, 0.6, 0.2, 0.4] as const;
const LEDGE_ROWS = 7;
/** Layers of the ledges of two more rows, of falling dose: one layer and two tell apart how deep light goes and how much of it a resin needs. */
const THIN_LAYERS = [1, 2] as const;
const LEDGE_MM = 2.4;
const [LEDGE_PITCH_MM, LEDGE_ROW_MM] = [3, 3.1];
const LEDGE_RAIL_MM = 0.7;

/** Doses of the thin ledges, and of the pairs of posts. */
const THIN_EXPONENTS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6] as const;
const POST_EXPONENTS = [0.15, 0.3, 0.45, 0.6] as const;
const POST_MM = 1.5;
const POST_ROW_MM = 2.3;
/** Over the outer edges of the posts of a pair. */
const POST_PAIR_MM = 20;

const HOLES_MM = [3, 2] as const;
const PINS_MM = [3, 2] as const;
const WALLS_MM = [0.8, 0.6, 0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.1] as const;

/** Ledges, pairs of posts of falling dose, holes, pins, walls and gaps. */
export function bodyBlock(context: PlateContext, snaps: readonly [Snap, Snap], first: number): NumberedBlock {
  const shapes: PlateShape[] = [];
  const readings: Reading[] = [];
  const { levels, axes } = context;
  let y = TOP_Y;
  let next = first;
  const number = (at: number): string => {
    const text = String(next++);
    const place = { x: NUMBER_X, y: at - CAP_HEIGHT_MM / 2 };
    shapes.push({ kind: "legend", text, ...place, from: levels.base, to: levels.legend });
    return text;
  };
  const ledgeRow = (ledges: readonly { readonly layers: number; readonly grey: number }[]): void => {
    const patch = number(y - LEDGE_ROW_MM / 2);
    shapes.push(...ledgeShapes(ledges, y, levels.base, levels.top));
    ledges.forEach((ledge, i) =>
      readings.push({
        patch: `${patch}${letterOf(i)}`,
        measure: `thickness of the bridge in place ${letterOf(i)} of the row, in its middle`,
        unit: "mm",
        of: { kind: "ledge", ...ledge },
      }),
    );
    y -= LEDGE_ROW_MM;
  };
  const thick = dosesOf(THICK_EXPONENTS, context).map((grey) => ({ layers: THICK_LAYERS, grey }));
  for (let row = 0; row < LEDGE_ROWS; row++) ledgeRow([{ layers: 1, grey: 255 }, ...thick]);
  for (const layers of THIN_LAYERS) ledgeRow(dosesOf(THIN_EXPONENTS, context).map((grey) => ({ layers, grey })));

  for (const grey of dosesOf(POST_EXPONENTS, context)) {
    const patch = number(y - POST_ROW_MM / 2);
    const outer: Span = [snaps[0](FIRST_X), snaps[0](FIRST_X + POST_PAIR_MM)];
    const inner: Span = [snaps[0](FIRST_X + POST_MM), snaps[0](FIRST_X + POST_PAIR_MM - POST_MM)];
    const depth: Span = [y - POST_ROW_MM / 2 - POST_MM / 2, y - POST_ROW_MM / 2 + POST_MM / 2];
    for (const x of [[outer[0], inner[0]] as const, [inner[1], outer[1]] as const]) {
      shapes.push(...stump(x, depth, context), { kind: "bar", x, y: depth, from: levels.normal, to: levels.top, grey });
    }
    readings.push(...pairReadings(patch, axes[0], outer, inner, grey));
    y -= POST_ROW_MM;
  }

  const bodies = holesAndPins(y, context, snaps[0], number(y - 2.2));
  const walls = wallsAndGaps(y - 4.6, context, () => number(y - 5.6));
  return {
    shapes: [...shapes, ...bodies.shapes, ...walls.shapes],
    readings: [...readings, ...bodies.readings, ...walls.readings],
    next,
  };
}

/** Greys of doses; without the response, the exponents are halved, so that all stand on most panels. */
function dosesOf(exponents: readonly number[], context: PlateContext): number[] {
  const { response = 2 } = context;
  const { greys } = greyPalette({ ...context, response });
  return exponents.map((exponent) => nearestGrey(greys, response, Math.exp(-exponent)));
}

/** How far the lower part of a body stands back, so that its wider edges are not measured. */
const BACK_MM = 0.4;

/** The lower part of a body: its layers get longer exposures. */
export const stump = (x: Span, y: Span, { levels }: PlateContext): Bar[] => [
  {
    kind: "bar",
    x: [x[0] + BACK_MM, x[1] - BACK_MM],
    y: [y[0] + BACK_MM, y[1] - BACK_MM],
    from: levels.base,
    to: levels.normal,
    grey: 255,
  },
];

/** What is read of two bodies: over both, and between them. */
function pairReadings(patch: string, axis: 0 | 1, outer: Span, inner: Span, grey: number): Reading[] {
  const of = { kind: "length", axis, grey } as const;
  return [
    {
      patch: `${patch}a`,
      measure: "distance over both posts",
      unit: "mm",
      of: { ...of, side: 1, lengthMm: lengthOf(outer) },
    },
    {
      patch: `${patch}b`,
      measure: "distance between the posts",
      unit: "mm",
      of: { ...of, side: -1, lengthMm: lengthOf(inner) },
    },
  ];
}

function ledgeShapes(
  ledges: readonly { readonly layers: number; readonly grey: number }[],
  topY: number,
  base: number,
  top: number,
): Bar[] {
  const x: Span = [FIRST_X - 0.3, LAST_X];
  const bottomY = topY - LEDGE_ROW_MM + 0.2;
  const rail = { kind: "bar", x, from: base, to: top, grey: 255 } as const;
  return [
    { ...rail, y: [topY - LEDGE_RAIL_MM, topY] },
    { ...rail, y: [bottomY, bottomY + LEDGE_RAIL_MM] },
    ...ledges.map(({ layers, grey }, i): Bar => ({
      kind: "bar",
      x: [FIRST_X + LEDGE_PITCH_MM * i, FIRST_X + LEDGE_PITCH_MM * i + LEDGE_MM],
      y: [bottomY + LEDGE_RAIL_MM, topY - LEDGE_RAIL_MM],
      from: top - layers,
      to: top,
      grey,
    })),
  ];
}

/** A bar with holes, and pins beside it. */
function holesAndPins(topY: number, { levels, grid, axes }: PlateContext, snap: Snap, patch: string) {
  const shapes: PlateShape[] = [];
  const readings: Reading[] = [];
  const y = topY - 2.2;
  const upper = { from: levels.normal, to: levels.top } as const;
  const bar = { kind: "bar", x: [FIRST_X, FIRST_X + 9], y: [y - 2.1, y + 2.1], grey: 255 } as const;
  shapes.push({ ...bar, from: levels.base, to: levels.top });
  /** An even number of pixels: discs are drawn as wide as they should be. */
  const inPixels = (mm: number): number => {
    const pixelMm = grid.pixelMm[axes[0]];
    return 2 * Math.round(mm / 2 / pixelMm) * pixelMm;
  };
  const read = (measure: string, side: 1 | -1, diameterMm: number): void => {
    const of = { kind: "diameter", diameterMm, side } as const;
    readings.push({ patch: `${patch}${letterOf(readings.length)}`, measure, unit: "mm", of });
  };
  HOLES_MM.forEach((mm, i) => {
    const diameterMm = inPixels(mm);
    const place = { kind: "disc", x: snap(FIRST_X + 2.4 + 4 * i), y } as const;
    // Wider below, where exposures are longer.
    shapes.push({ ...place, diameterMm: diameterMm + 0.6, from: levels.base, to: levels.normal, grey: 0 });
    shapes.push({ ...place, diameterMm, ...upper, grey: 0 });
    read(`diameter of the hole of ${mm} mm`, -1, diameterMm);
  });
  PINS_MM.forEach((mm, i) => {
    const diameterMm = inPixels(mm);
    const place = { kind: "disc", x: snap(FIRST_X + 12 + 5 * i), y, grey: 255 } as const;
    shapes.push({ ...place, diameterMm: diameterMm - 0.8, from: levels.base, to: levels.normal });
    shapes.push({ ...place, diameterMm, ...upper });
    read(`diameter of the pin of ${mm} mm`, 1, diameterMm);
  });
  return { shapes, readings };
}

/** Walls that become thinner, and a bar with gaps that become narrower. */
function wallsAndGaps(topY: number, { levels }: PlateContext, number: () => string) {
  const patch = number();
  const heights = { from: levels.normal, to: levels.top, grey: 255 } as const;
  const y: Span = [topY - 2, topY];
  const shapes: PlateShape[] = [];
  let x = FIRST_X;
  // On a foot, since the layers below print wider.
  const foot = (from: number, to: number): void => {
    shapes.push({ kind: "bar", x: [from, to], y, from: levels.base, to: levels.normal, grey: 255 });
  };
  foot(FIRST_X, FIRST_X + 20.4);
  for (const widthMm of WALLS_MM) {
    shapes.push({ kind: "bar", x: [x, x + widthMm], y, ...heights });
    x += widthMm + 0.6;
  }
  for (const widthMm of WALLS_MM) {
    shapes.push({ kind: "bar", x: [x, x + 0.6], y, ...heights });
    x += widthMm + 0.6;
  }
  shapes.push({ kind: "bar", x: [x, x + 0.6], y, ...heights });
  const widthsMm = WALLS_MM;
  const readings: Reading[] = [
    {
      patch: `${patch}a`,
      measure: `how many of the ${WALLS_MM.length} walls on the left stand upright`,
      unit: "count",
      of: { kind: "walls", widthsMm },
    },
    {
      patch: `${patch}b`,
      measure: `how many of the ${WALLS_MM.length} gaps on the right are open to the bottom`,
      unit: "count",
      of: { kind: "gaps", widthsMm },
    },
  ];
  return { shapes, readings };
}
