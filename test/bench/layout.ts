import { readFileSync } from "node:fs";
import { noProgress } from "../../src/core/progress.ts";
import { type Polygon, signedArea } from "../../src/geometry/polygon.ts";
import { IDENTITY_POSE, UPRIGHT, rotationMatrix } from "../../src/geometry/pose.ts";
import { fillFloor } from "../../src/layout/fill-floor.ts";
import { firstFit, newOccupancyGrid, partPositions } from "../../src/layout/first-fit.ts";
import { type Floor, floorOf } from "../../src/layout/floor.ts";
import { type PlacedPart, type RotatedPart, rotatePart } from "../../src/layout/part.ts";
import { silhouetteOf } from "../../src/layout/silhouette.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import { computeSilhouette, layOut } from "../../src/feature/layout/layout.ts";
import { arch } from "../fixture/arch.ts";
import { meshOf } from "../fixture/slices.ts";
import { surfaceOfStl } from "../fixture/surface-edits.ts";
import { type Row, median, ms, timed, timesOf } from "./measure.ts";
import { nestStrip } from "./nest-strip.ts";

const RUNS = 3;
/** Form 4 and Form 4L. */
const PLATFORM = { dimensionsMm: [200, 125, 210], filletRadiusMm: 5 } as const;
const LARGE_PLATFORM = { dimensionsMm: [353, 196, 350], filletRadiusMm: 5 } as const;

/** Plates of arches; copies on a platform, compared with the peer slicer's arrange; densities on public nesting instances. */
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
    return { mesh, pose: { ...IDENTITY_POSE, orientation: { x: 0, y: 0, z: (i * 37) % 360 } } };
  });
  const rows: Row[] = [];
  for (const dental of [false, true]) {
    const times = await timesOf(RUNS, () => {
      const seen = models.map(({ mesh, pose }) => ({
        position: pose.position,
        region: computeSilhouette({ mesh, pose }, noProgress),
        name: "an arch",
        turns: true,
      }));
      const options = { spacingMm: 2, overlappingSupports: false, dental };
      layOut({ volume: LARGE_PLATFORM, bounds: {}, ...options, models: seen, obstacles: [] }, noProgress);
    });
    rows.push({
      what: `layout of 30 different arches${dental ? ", DENTAL" : ""}`,
      ours: ms(median(times)),
      aim: "< 5000 ms",
    });
  }
  return rows;
}

/** Model, spacing in mm, and the number of copies that the peer slicer's arrange places on the platform without rotation. */
const PEER_COPIES = [
  ["thingi-520644.stl", 6, 15],
  ["thingi-520644.stl", 2, 15],
  ["thingi-65004.stl", 6, 2],
  ["thingi-65004.stl", 2, 4],
] as const;

async function fillings(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, spacingMm, peer] of PEER_COPIES) {
    const body = silhouetteOf(corpus(name), rotationMatrix(UPRIGHT), 1, noProgress);
    const source = { part: { body }, x: 0, y: 0, turns: true, moves: true };
    const request = { floor: floorOf(PLATFORM), spacingMm, sources: [source], obstacles: [], maxCopies: 10_000 };
    const count = 1 + fillFloor(request, noProgress).copies[0].length;
    const time = median(await timesOf(RUNS, () => fillFloor(request, noProgress)));
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

/** Density in percent that sparrow reaches in 20 minutes, and the number of our moves that take about a minute of one core. */
const PUBLISHED = {
  swim: { percent: 78.3, moves: 60_000 },
  trousers: { percent: 91.8, moves: 28_000 },
  shirts: { percent: 89.7, moves: 54_000 },
  albano: { percent: 89.5, moves: 70_000 },
  marques: { percent: 90.9, moves: 60_000 },
};
/** Strips are scaled to this width, because layouts are in millimetres. */
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
    const density = (placed: readonly PlacedPart[]): string => {
      const reached = Math.max(...placed.map(({ part, y }) => y + part.box.maxY)) - floor.bounds.minY;
      return ((100 * areaMm2) / (STRIP_MM * reached)).toFixed(1);
    };
    const start = firstFits(parts, floor);
    let nested: readonly PlacedPart[] = start;
    const request = { floor, spacingMm: 0, parts, obstacles: [], pixelMm: NESTING_PIXEL_MM };
    const time = await timed(() => (nested = nestStrip(request, start, moves, noProgress)));
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
  /** Extends to the back; the strip of an instance extends to the right. */
  readonly floor: Floor;
  /** The allowed rotations of each part; the largest part first. */
  readonly parts: readonly (readonly RotatedPart[])[];
}

function stripOf({ strip_height, items }: Instance): Strip {
  const scale = STRIP_MM / strip_height;
  const pieces = items
    .flatMap(({ demand, allowed_orientations, shape }) => {
      const corners = shape.data.slice(0, -1).flatMap(([x, y]) => [-y * scale, x * scale]);
      const ring = counterClockwise(Float64Array.from(corners));
      const turns = allowed_orientations.map((turn) => rotatePart({ body: [ring] }, turn));
      return Array.from({ length: demand }, () => ({ turns, areaMm2: signedArea(ring) }));
    })
    .toSorted((a, b) => b.areaMm2 - a.areaMm2);
  const areaMm2 = pieces.reduce((sum, piece) => sum + piece.areaMm2, 0);
  const floor = floorOf({ dimensionsMm: [STRIP_MM, (2 * areaMm2) / STRIP_MM, 1], filletRadiusMm: 0 });
  return { areaMm2, floor, parts: pieces.map(({ turns }) => turns) };
}

function firstFits(parts: Strip["parts"], floor: Floor): PlacedPart[] {
  const site = newOccupancyGrid(floor, 0, []);
  const places = new Map(parts.map((turns) => [turns, turns.map((part) => partPositions(part, site))]));
  return parts.map((turns) => firstFit(places.get(turns)!, site, "front", () => {})!);
}

const counterClockwise = (ring: Polygon): Polygon =>
  signedArea(ring) > 0 ? ring : ring.map((_, i) => ring[ring.length - 2 - 2 * Math.floor(i / 2) + (i % 2)]);
