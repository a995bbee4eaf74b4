import { readFileSync } from "node:fs";
import { unwatched } from "../../src/core/watch.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import { toMatrix, UPRIGHT, HOME } from "../../src/mesh/pose.ts";
import { fill } from "../../src/place/layout/fill.ts";
import { firstFit } from "../../src/place/layout/first-fit.ts";
import { type Floor, floorOf } from "../../src/place/layout/floor.ts";
import { nestStrip } from "../../src/place/layout/nest/nest-strip.ts";
import { type Standing, type TurnedPart, turnedPart } from "../../src/place/layout/part.ts";
import { doubleArea, type Ring } from "../../src/place/layout/region.ts";
import { silhouetteOf } from "../../src/place/layout/silhouette-of.ts";
import { newSite, placesOf } from "../../src/place/layout/site.ts";
import { layOut } from "../../src/worker/task/lay-out.ts";
import { seeFromAbove } from "../../src/worker/task/see-from-above.ts";
import { surfaceOfStl } from "../fixture/altered.ts";
import { arch } from "../fixture/arch.ts";
import { meshOf } from "../fixture/slices.ts";
import { median, ms, type Row, timed, timesOf } from "./measure.ts";

const RUNS = 3;
/** Form 4 and Form 4L. */
const PLATFORM = { dimensionsMm: [200, 125, 210], filletRadiusMm: 5 } as const;
const LARGE_PLATFORM = { dimensionsMm: [353, 196, 350], filletRadiusMm: 5 } as const;

/** Plates of arches, platforms filled beside the counts of the peer slicer's arrange, and densities on public instances. */
export const benchLayout = async (): Promise<Row[]> => [
  ...(await arches()),
  ...(await fillings()),
  ...(await nestings()),
];

async function arches(): Promise<Row[]> {
  const models = Array.from({ length: 30 }, (_, i) => {
    const mesh = meshOf(
      arch({ widthMm: 47 + ((i * 7) % 9), depthMm: 34 + ((i * 5) % 7), bandMm: 10 + (i % 3), heightMm: 20 }),
    );
    return { mesh, pose: { ...HOME, orientation: { x: 0, y: 0, z: (i * 37) % 360 } } };
  });
  const rows: Row[] = [];
  for (const dental of [false, true]) {
    const times = await timesOf(RUNS, () => {
      const seen = models.map(({ mesh, pose }, number) => ({
        position: pose.position,
        region: seeFromAbove({ request: { mesh, pose }, number, of: models.length }, unwatched),
        turns: true,
      }));
      const options = { spacingMm: 2, overlappingSupports: false, dental };
      layOut({ volume: LARGE_PLATFORM, bounds: {}, ...options, models: seen, obstacles: [] }, unwatched);
    });
    rows.push({
      what: `layout of 30 different arches${dental ? ", DENTAL" : ""}`,
      ours: ms(median(times)),
      aim: "< 5000 ms",
    });
  }
  return rows;
}

/** Copies that the peer slicer's arrange fits on the same platform, turning none. */
const PEER_COPIES = [
  ["thingi-520644.stl", 6, 15],
  ["thingi-520644.stl", 2, 15],
  ["thingi-65004.stl", 6, 2],
  ["thingi-65004.stl", 2, 4],
] as const;

async function fillings(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, spacingMm, peer] of PEER_COPIES) {
    const body = silhouetteOf(corpus(name), toMatrix(UPRIGHT), 1, unwatched);
    const source = { part: { body }, x: 0, y: 0, turns: true, moves: true };
    const request = { floor: floorOf(PLATFORM), spacingMm, sources: [source], obstacles: [], mostCopies: 10_000 };
    const count = 1 + fill(request, unwatched).copies[0].length;
    const time = median(await timesOf(RUNS, () => fill(request, unwatched)));
    rows.push({
      what: `copies of ${name}, ${spacingMm} mm apart`,
      ours: `${count} in ${ms(time)}`,
      beside: `the peer ${peer}`,
      aim: "≥ the peer",
    });
  }
  return rows;
}

const corpus = (name: string): Mesh =>
  meshOf(surfaceOfStl(readFileSync(new URL(`../fixture/corpus/${name}`, import.meta.url))));

/** Densities in percent that sparrow reaches in 20 minutes, and moves for about a minute of one core. */
const PUBLISHED = {
  swim: { percent: 78.3, moves: 60_000 },
  trousers: { percent: 91.8, moves: 28_000 },
  shirts: { percent: 89.7, moves: 54_000 },
  albano: { percent: 89.5, moves: 70_000 },
  marques: { percent: 90.9, moves: 60_000 },
};
/** Strips are scaled to this width: layouts work in millimetres. */
const STRIP_MM = 120;
const NESTING_PIXEL_MM = 0.125;

interface Instance {
  readonly strip_height: number;
  readonly items: readonly {
    readonly demand: number;
    readonly allowed_orientations: readonly number[];
    readonly shape: { readonly data: readonly (readonly [number, number])[] };
  }[];
}

async function nestings(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, { percent, moves }] of Object.entries(PUBLISHED)) {
    const { areaMm2, floor, parts } = stripOf(
      JSON.parse(readFileSync(new URL(`../fixture/nesting/${name}.json`, import.meta.url), "utf8")),
    );
    const density = (standing: readonly Standing[]): string => {
      const reached = Math.max(...standing.map(({ part, y }) => y + part.box.maxY)) - floor.bounds.minY;
      return ((100 * areaMm2) / (STRIP_MM * reached)).toFixed(1);
    };
    const start = firstFits(parts, floor);
    let nested: readonly Standing[] = start;
    const request = { floor, spacingMm: 0, parts, obstacles: [], pixelMm: NESTING_PIXEL_MM };
    const time = await timed(() => (nested = nestStrip(request, start, moves, unwatched)));
    rows.push({
      what: `density on ${name}`,
      ours: `${density(nested)} % by ${moves} moves in ${ms(time)}, ${density(start)} % by one first fit`,
      beside: `sparrow in 20 min ${percent} %`,
      aim: `≥ ${(percent - 5).toFixed(1)} % in 60 s`,
    });
  }
  return rows;
}

interface Strip {
  readonly areaMm2: number;
  /** Runs to the back, where the instance's strip runs to the right. */
  readonly floor: Floor;
  /** The turns of each part, the largest first. */
  readonly parts: readonly (readonly TurnedPart[])[];
}

function stripOf({ strip_height, items }: Instance): Strip {
  const scale = STRIP_MM / strip_height;
  const pieces = items
    .flatMap(({ demand, allowed_orientations, shape }) => {
      const corners = shape.data.slice(0, -1).flatMap(([x, y]) => [-y * scale, x * scale]);
      const ring = counterClockwise(Float64Array.from(corners));
      const turns = allowed_orientations.map((turn) => turnedPart({ body: { rings: [ring] } }, turn));
      return Array.from({ length: demand }, () => ({ turns, areaMm2: doubleArea(ring) / 2 }));
    })
    .toSorted((a, b) => b.areaMm2 - a.areaMm2);
  const areaMm2 = pieces.reduce((sum, piece) => sum + piece.areaMm2, 0);
  const floor = floorOf({ dimensionsMm: [STRIP_MM, (2 * areaMm2) / STRIP_MM, 1], filletRadiusMm: 0 });
  return { areaMm2, floor, parts: pieces.map(({ turns }) => turns) };
}

function firstFits(parts: Strip["parts"], floor: Floor): Standing[] {
  const site = newSite(floor, 0, []);
  const places = new Map(parts.map((turns) => [turns, turns.map((part) => placesOf(part, site))]));
  return parts.map((turns) => firstFit(places.get(turns)!, site, "front", () => {})!);
}

const counterClockwise = (ring: Ring): Ring =>
  doubleArea(ring) > 0 ? ring : ring.map((_, i) => ring[ring.length - 2 - 2 * Math.floor(i / 2) + (i % 2)]);
