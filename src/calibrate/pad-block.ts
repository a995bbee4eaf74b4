import { doseRows } from "./dose-series.ts";
import {
  type Bar,
  type Block,
  CAP_HEIGHT_MM,
  type PlateFacts,
  type PlateLevels,
  type PlateShape,
  type Reading,
} from "./plate-shape.ts";

/** What the blocks of a plate follow from. */
export interface PlateContext extends PlateFacts {
  readonly levels: PlateLevels;
  /** The axes of the printer along x and y of the plate. */
  readonly axes: readonly [0 | 1, 0 | 1];
}

/** A block, and the number of the next patch. */
export interface NumberedBlock extends Block {
  readonly next: number;
}

const PADS = 45;
const PITCH_MM = 1.25;
const PAD_MM = 0.9;
/** Place of the first pad, and of the numbers of rows, which take turns, since rows are hardly higher than they are. */
const FIRST_X = -36.75;
const NUMBERS_X = [-43.3, -40.5] as const;
const [FIRST_Y, ROW_MM] = [21.87, 1.66];
/** Depth of the two rails of a row over which pads of one layer bridge. */
const RAIL_MM = 0.4;

/** Rows of the kinds; timed pads only where the response of the panel is measured. */
const ROWS = { towers: 12, plain: 7, timed: 8 } as const;
/** The kinds from the back to the front, so that a slope of the light over the plate is alike for each. */
type Kind = "towers" | "plain" | "timed";
const ORDER: readonly Kind[] = ["towers", "timed", "plain"];

/**
 * Exponents of the doses at which pads cure or not: the exposure is between 0.9 and 6 times the least one. Without the response they are those
 * of greys, for exponents of the response from 1 to 3.5. Working values.
 */
const TOWER_DOSES = { known: { from: 0.05, to: 1.8 }, unknown: { from: 0.05, to: 1.3 } } as const;
const PLAIN_DOSES = { known: { from: 0.1, to: 2.2 }, unknown: { from: 0.1, to: 1.9 } } as const;
/** A dose that falls by a factor needs, at the steepest response, a grey that falls by this power of it. */
const LEAST_POWER = 0.28;

const timedDoses = (timeRatio: number) => {
  const longer = Math.log(timeRatio);
  return {
    known: { from: PLAIN_DOSES.known.from + longer, to: PLAIN_DOSES.known.to + longer },
    unknown: { from: PLAIN_DOSES.unknown.from + LEAST_POWER * longer, to: PLAIN_DOSES.unknown.to + longer },
  };
};

/**
 * Rows of small pads of falling dose. Towers stand where the dose of a layer reaches the layer below; pads of a single layer bridge two rails
 * where they get the least dose that cures. Timed pads are in a layer of longer exposure, so that greys are compared with times.
 */
export function padBlock(context: PlateContext): NumberedBlock {
  const { timeRatio } = context;
  const counts = timeRatio > 1 ? ROWS : { ...ROWS, plain: ROWS.plain + ROWS.timed, timed: 0 };
  const rowsOf = {
    towers: doseRows(context, TOWER_DOSES, counts.towers, PADS),
    plain: doseRows(context, PLAIN_DOSES, counts.plain, PADS),
    timed: counts.timed === 0 ? [] : doseRows(context, timedDoses(timeRatio), counts.timed, PADS),
  };
  const shapes: PlateShape[] = [];
  const readings: Reading[] = [];
  kindsInOrder(counts).forEach((kind, row) => {
    const greys = rowsOf[kind].shift() ?? [];
    const patch = String(row + 1);
    const y = FIRST_Y - row * ROW_MM;
    // Every other row runs the other way: a slope of the light along the rows cancels.
    const isReversed = row % 2 === 1;
    const placed = greys.map((grey, i) => ({ grey, x: FIRST_X + PITCH_MM * (isReversed ? PADS - 1 - i : i) }));
    shapes.push(...(kind === "towers" ? towers(placed, y, context) : skins(placed, y, kind, context)));
    shapes.push({ ...legend(patch, context), x: NUMBERS_X[row % 2], y: y - CAP_HEIGHT_MM / 2 });
    readings.push(
      kind === "towers"
        ? {
            patch,
            measure: `how many of the ${PADS} towers of the row stand to their full height`,
            unit: "count",
            of: { kind: "towers", greys },
          }
        : {
            patch,
            measure: `how many of the ${PADS} thin pads between the two rails are there`,
            unit: "count",
            of: { kind: "skins", greys, exposure: kind === "timed" ? timeRatio : 1 },
          },
    );
  });
  for (let pad = 10; pad <= PADS; pad += 10)
    shapes.push({ ...legend(String(pad), context), x: FIRST_X + PITCH_MM * (pad - 1) - 1, y: FIRST_Y + 1.1 });
  return { shapes, readings, next: readings.length + 1 };
}

const legend = (text: string, { levels }: PlateContext) =>
  ({ kind: "legend", text, from: levels.base, to: levels.legend }) as const;

/** Spreads the kinds evenly over the rows. */
function kindsInOrder(counts: Readonly<Record<Kind, number>>): Kind[] {
  const placed = ORDER.flatMap((kind, i) =>
    Array.from({ length: counts[kind] }, (_, k) => ({ kind, at: (k + 0.5 + 0.01 * i) / counts[kind] })),
  );
  return placed.sort((a, b) => a.at - b.at).map(({ kind }) => kind);
}

interface PlacedPad {
  readonly grey: number;
  readonly x: number;
}

const around = (at: number, sizeMm: number): readonly [number, number] => [at - sizeMm / 2, at + sizeMm / 2];

/** White stumps up to the normal layers, and the dose above. */
const towers = (pads: readonly PlacedPad[], y: number, { levels }: PlateContext): Bar[] =>
  pads.flatMap(({ grey, x }) => {
    const square = { kind: "bar", x: around(x, PAD_MM), y: around(y, PAD_MM) } as const;
    return [
      { ...square, from: levels.base, to: levels.normal, grey: 255 },
      { ...square, from: levels.normal, to: levels.top, grey },
    ];
  });

/** Two rails, and pads of one layer that bridge them. */
function skins(pads: readonly PlacedPad[], y: number, kind: Kind, { levels }: PlateContext): Bar[] {
  const layer = kind === "timed" ? levels.timed : levels.normal;
  const half = ROW_MM / 2;
  const rail = { kind: "bar", x: [FIRST_X - PITCH_MM / 2, FIRST_X + PITCH_MM * (PADS - 0.5)], grey: 255 } as const;
  const rails = [
    { ...rail, y: [y - half, y - half + RAIL_MM] as const, from: levels.base, to: layer + 1 },
    { ...rail, y: [y + half - RAIL_MM, y + half] as const, from: levels.base, to: layer + 1 },
  ];
  const bridge = [y - half + RAIL_MM, y + half - RAIL_MM] as const;
  return [
    ...rails,
    ...pads.map(({ grey, x }): Bar => ({
      kind: "bar",
      x: around(x, PAD_MM),
      y: bridge,
      from: layer,
      to: layer + 1,
      grey,
    })),
  ];
}
