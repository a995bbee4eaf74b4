import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { noProgress } from "../../src/core/progress.ts";
import { boxSize } from "../../src/geometry/box.ts";
import { IDENTITY_POSE } from "../../src/geometry/pose.ts";
import { type Vec3, distance } from "../../src/geometry/vector.ts";
import { type Mesh, solidVolumeMm3 } from "../../src/mesh/mesh.ts";
import { fillChamber } from "../../src/pack/fill-chamber.ts";
import type { PackingMode } from "../../src/feature/pack/best-packing.ts";
import type { MovablePart, Packing } from "../../src/pack/pack-chamber.ts";
import { importFile } from "../../src/feature/import/import-file.ts";
import { packedHere } from "../fixture/packed-here.ts";
import { READ_OPTIONS } from "../fixture/read-model.ts";
import { box } from "../fixture/shapes.ts";
import { largestLevelFace, sectionsOf } from "../fixture/sintered.ts";
import { meshOf } from "../fixture/slices.ts";
import { type Row, mib, peakBeyondRest } from "./measure.ts";

/** The chamber of the Fuse 1+ without its fillets, as in the goals. */
const SIDE_MM = 165;
const REGION = {
  min: [-SIDE_MM / 2, -SIDE_MM / 2, 0],
  max: [SIDE_MM / 2, SIDE_MM / 2, 300],
  filletRadiusMm: 0,
} as const;
const SIZES_MM = [20, 32, 45];

/** One after the other, because processor times are those of the whole process. */
const inModes = async <T>(work: (mode: PackingMode) => Promise<T>): Promise<T[]> => [
  await work("BALANCED"),
  await work("HEIGHT"),
];

/**
 * The two bodies of the corpus with the largest volume for their size that are not boxes; then the larger of them with the body
 * with which its mean volume is that of the pair of the prototype, 6,500 mm³ at 30 mm, from which the aim comes (385 copies at 31.2
 * %).
 */
const FILLED = [
  ["3mf-cube_gears.3mf", "3mf-heartgears.3mf"],
  ["3mf-cube_gears.3mf", "thingi-520644.stl"],
];

/** Folders with the bodies of the fixed sets; from files with several bodies the largest one is taken. */
const FOLDERS = ["../fixture/corpus", "../../assets/demo"].map((path) => fileURLToPath(new URL(path, import.meta.url)));

export const bodyFiles = (): string[] =>
  FOLDERS.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.(stl|3mf|obj|step)$/.test(name))
      .sort()
      .map((name) => `${folder}/${name}`),
  );

const indexOf = (name: string): number => bodyFiles().findIndex((file) => basename(file) === name);

async function corpusBodies(): Promise<Mesh[]> {
  const bodies: Mesh[] = [];
  for (const file of bodyFiles()) {
    const split = file.endsWith(".3mf");
    const { parts } = await importFile({ file, repairBehavior: "REPAIR", split, options: READ_OPTIONS }, noProgress);
    bodies.push(parts.map(({ mesh }) => mesh).reduce((a, b) => (b.volumeMm3 > a.volumeMm3 ? b : a)));
  }
  return bodies;
}

/** Parts of these bodies in turn, each scaled to its longest side. */
const partsOf = (bodies: readonly Mesh[], count: number, sizesMm: readonly number[]): MovablePart[] =>
  Array.from({ length: count }, (_, i) => {
    const mesh = bodies[i % bodies.length];
    const sizeMm = sizesMm[Math.floor(i / bodies.length) % sizesMm.length];
    return { mesh, pose: { ...IDENTITY_POSE, scale: sizeMm / Math.max(...boxSize(mesh.box)) }, turns: "all" };
  });

const volumeOf = (parts: readonly MovablePart[]): number =>
  parts.reduce((sum, { mesh, pose }) => sum + solidVolumeMm3(mesh) * pose.scale ** 3, 0);

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const densityOf = (volumeMm3: number, heightMm: number): number => volumeMm3 / (SIDE_MM * SIDE_MM * heightMm);

interface Measured {
  readonly packing: Packing;
  readonly seconds: number;
}

const boxPart = (size: Vec3): MovablePart => ({ mesh: meshOf(box(size)), pose: IDENTITY_POSE, turns: "all" });

/** A packing and its processor time; the wall time would depend on other processes. */
async function measured(parts: readonly MovablePart[], mode: PackingMode, spacingMm = 2): Promise<Measured> {
  // A packing reuses what the last one on its thread computed for the same parts. This packing clears that.
  await packedHere({ parts: [boxPart([5, 5, 5])], obstacles: [], region: REGION, spacingMm, wallDistanceMm: 0 });
  const before = process.cpuUsage();
  const packing = await packedHere({ parts, obstacles: [], region: REGION, spacingMm, wallDistanceMm: 0 }, mode);
  const { user, system } = process.cpuUsage(before);
  return { packing, seconds: (user + system) / 1e6 };
}

/**
 * Density (mesh volume over footprint times the height reached) of the fixed set of 200 parts, time by number of parts, and sections
 * against HEIGHT. Times are processor times of one thread. The volume of all parts is the bound of any packer.
 */
export async function benchPacking(): Promise<Row[]> {
  const bodies = await corpusBodies();
  const parts = partsOf(bodies, 200, SIZES_MM);
  const volumeMm3 = volumeOf(parts);
  const rows: Row[] = [];
  for (const [spacingMm, aim] of [
    [2, "≥ 29 % in 60 s"],
    [0, "≥ 36 % in 60 s"],
  ] as const) {
    const low = await measured(parts, "HEIGHT", spacingMm);
    const even = await measured(parts, "BALANCED", spacingMm);
    const { heightMm } = even.packing;
    const grown = parts.reduce((sum, part) => sum + grownVolume(part, spacingMm / 2), 0);
    rows.push({
      what: `density of 200 parts, ${spacingMm} mm apart`,
      ours: `HEIGHT ${percent(densityOf(volumeMm3, low.packing.heightMm))} in ${low.seconds.toFixed(1)} s; BALANCED ${percent(densityOf(volumeMm3, heightMm))} in ${even.seconds.toFixed(1)} s`,
      beside: `parts grown by half the gap take ${percent(densityOf(grown, heightMm))}; height ${heightMm.toFixed(0)} mm, ${(volumeMm3 / SIDE_MM ** 2).toFixed(0)} mm by volume alone, which no packer can beat`,
      aim,
    });
  }
  rows.push(...(await warpRows(parts)), await thickRow());
  rows.push(...GROWTH.map(growthRow), ...FILLED.map((files) => fillRow(files.map((file) => bodies[indexOf(file)]))));
  return rows;
}

/** A set of parts with equal longest sides whose packing shows how the cost grows. */
interface GrowthCase {
  readonly count: number;
  readonly sizeMm: number;
  readonly turns: MovablePart["turns"];
  readonly aim?: string;
}

/** Growth with the number of parts, with the voxels of a part (8 times as many for twice the size), and with the turns. */
const GROWTH: readonly GrowthCase[] = [
  { count: 20, sizeMm: 20, turns: "all", aim: "≤ 2 s" },
  { count: 100, sizeMm: 20, turns: "all" },
  { count: 300, sizeMm: 20, turns: "all" },
  { count: 1000, sizeMm: 20, turns: "all", aim: "≤ 90 s, ≤ 1 GiB" },
  { count: 20, sizeMm: 40, turns: "all" },
  { count: 20, sizeMm: 80, turns: "all" },
  { count: 100, sizeMm: 20, turns: "z-and-flip" },
  { count: 100, sizeMm: 20, turns: "z" },
  { count: 100, sizeMm: 20, turns: "none" },
];

/** Packs in a fresh process, so that its memory is that of the packing alone. */
function growthRow({ aim, ...set }: GrowthCase): Row {
  const { stdout } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), JSON.stringify(set)], {
    encoding: "utf8",
  });
  const { placed, seconds, bytes } = JSON.parse(stdout);
  return {
    what: `${set.count} parts of ${set.sizeMm} mm, turns ${set.turns}, ${placed} placed`,
    ours: `${seconds.toFixed(1)} s, ${mib(bytes)}`,
    ...(aim && { aim }),
  };
}

async function measureGrowth({ count, sizeMm, turns }: GrowthCase): Promise<void> {
  const parts = partsOf(await corpusBodies(), count, [sizeMm]).map((part) => ({ ...part, turns }));
  const took: Measured[] = [];
  const bytes = await peakBeyondRest(async () => void took.push(await measured(parts, "BALANCED")));
  const [{ packing, seconds }] = took;
  console.log(JSON.stringify({ placed: packing.placed, seconds, bytes }));
}

/** The volume of a part grown by a distance, to first order in the curvature: that of a ball of its area and volume at least. */
function grownVolume({ mesh, pose: { scale } }: MovablePart, byMm: number): number {
  const area = mesh.areaMm2 * scale * scale;
  return solidVolumeMm3(mesh) * scale ** 3 + area * byMm;
}

/** Measures of what makes parts warp. Compared with HEIGHT. */
async function warpRows(parts: readonly MovablePart[]): Promise<Row[]> {
  const [even, low] = await inModes(async (mode) => warpMeasures(parts, await measured(parts, mode)));
  return even.map(({ what, figure }, i) => ({
    what: `${what} of ${parts.length} parts`,
    ours: figure,
    beside: `HEIGHT ${low[i].figure}`,
  }));
}

/** A level face counts as large from this area on, mm². */
const LARGE_FACE_MM2 = 400;

function warpMeasures(
  parts: readonly MovablePart[],
  { packing: { poses, heightMm }, seconds }: Measured,
): { readonly what: string; readonly figure: string }[] {
  const placed = parts.flatMap(({ mesh }, i) => (poses[i] ? [{ mesh, pose: poses[i] }] : []));
  const { largest, steepest } = sectionsOf(placed);
  const faces = placed.map(largestLevelFace).filter((area) => area >= LARGE_FACE_MM2);
  return [
    { what: "largest section", figure: `${largest.toFixed(0)} mm²` },
    { what: "steepest jump from layer to layer", figure: `${steepest.toFixed(0)} mm²` },
    {
      what: `parts with a level face of ${LARGE_FACE_MM2} mm²`,
      figure: `${faces.length}, the largest ${Math.max(0, ...faces).toFixed(0)} mm²`,
    },
    {
      what: "density and processor time",
      figure: `${percent(densityOf(volumeOf(parts), heightMm))}, ${seconds.toFixed(1)} s`,
    },
  ];
}

/** Distance from each block of 25 mm to the next one, among thin parts. */
async function thickRow(): Promise<Row> {
  const block = boxPart([25, 25, 25]);
  const parts = [10, 40, 40].flatMap((count, i) =>
    Array.from({ length: count }, () => [block, boxPart([40, 30, 3]), boxPart([30, 12, 4])][i]),
  );
  const [even, low] = await inModes(async (mode) => {
    const { poses } = (await measured(parts, mode)).packing;
    const middles = poses.flatMap((pose, i) => (pose && parts[i] === block ? [pose.position] : []));
    const gaps = middles.map((middle) =>
      Math.min(...middles.filter((other) => other !== middle).map((other) => distance(middle, other))),
    );
    return `${(gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length).toFixed(1)} mm`;
  });
  return {
    what: "mean distance of the middles of 10 blocks of 25 mm to the next, among 80 thin parts",
    ours: even,
    beside: `HEIGHT ${low}`,
  };
}

function fillRow(bodies: readonly Mesh[]): Row {
  const sources = partsOf(bodies, 2, [30]).map((source) => ({ ...source, moves: true }));
  const before = process.cpuUsage();
  const filling = fillChamber(
    { sources, obstacles: [], region: REGION, spacingMm: 2, wallDistanceMm: 0, maxCopies: 10_000 },
    noProgress,
  );
  const { user, system } = process.cpuUsage(before);
  const copies = filling.sources.map(({ copies: { length } }) => length + 1);
  const volumeMm3 = sources.reduce((sum, source, i) => sum + copies[i] * volumeOf([source]), 0);
  const meanMm3 = volumeMm3 / copies.reduce((sum, count) => sum + count, 0);
  return {
    what: `fill with two bodies of 30 mm (${meanMm3.toFixed(0)} mm³), 2 mm apart, to 300 mm: ${copies.join(" + ")} parts`,
    ours: `${percent(densityOf(volumeMm3, 300))} in ${((user + system) / 1e6).toFixed(1)} s`,
    aim: "≥ 31 %, ≤ 15 s",
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await measureGrowth(JSON.parse(process.argv[2]));
