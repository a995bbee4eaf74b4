import { readdirSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { noProgress } from "../../src/core/progress.ts";
import { boxSize } from "../../src/geometry/box.ts";
import { IDENTITY_POSE } from "../../src/geometry/pose.ts";
import { type Mesh, placedSurface, solidVolumeMm3 } from "../../src/mesh/mesh.ts";
import { fillChamber } from "../../src/pack/fill-chamber.ts";
import { type MovablePart, type PackRequest, type Packing, packChamber } from "../../src/pack/pack-chamber.ts";
import { importFile } from "../../src/worker/import-file.ts";
import { READ_OPTIONS } from "../fixture/read-model.ts";
import { type Row, mib, residentBytes } from "./measure.ts";

/** The chamber of the Fuse 1+, without its fillets, as the goals are stated. */
const SIDE_MM = 165;
const REGION = {
  min: [-SIDE_MM / 2, -SIDE_MM / 2, 0],
  max: [SIDE_MM / 2, SIDE_MM / 2, 300],
  filletRadiusMm: 0,
} as const;
const SIZES_MM = [20, 32, 45];
const RUNS_FOR_A_MINUTE = 4;

/** Folders with the bodies of the fixed sets: of files with several, the largest. */
const FOLDERS = ["../fixture/corpus", "../../assets/demo"].map((path) => fileURLToPath(new URL(path, import.meta.url)));

export const bodyFiles = (): string[] =>
  FOLDERS.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.(stl|3mf|obj|step)$/.test(name))
      .sort()
      .map((name) => `${folder}/${name}`),
  );

async function corpusBodies(): Promise<Mesh[]> {
  const bodies: Mesh[] = [];
  for (const file of bodyFiles()) {
    const split = file.endsWith(".3mf");
    const { parts } = await importFile({ file, repairBehavior: "REPAIR", split, options: READ_OPTIONS }, noProgress);
    bodies.push(parts.map(({ mesh }) => mesh).reduce((a, b) => (b.volumeMm3 > a.volumeMm3 ? b : a)));
  }
  return bodies;
}

/** Bodies in turn, scaled to a longest side. */
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

/** A packing and the processor time that it took: wall times depend on what else runs. */
function measured(parts: readonly MovablePart[], changes: Partial<PackRequest> = {}): Measured {
  const before = process.cpuUsage();
  const packing = packChamber(
    { parts, obstacles: [], region: REGION, spacingMm: 2, wallDistanceMm: 0, ...changes },
    noProgress,
  );
  const { user, system } = process.cpuUsage(before);
  return { packing, seconds: (user + system) / 1e6 };
}

/**
 * Density (mesh volume over footprint times the height reached) of the fixed set of 200 parts, time by number of parts, and sections
 * against packing by height alone. Times are processor times of one thread. The volume of all parts is the bound of any packer.
 */
export async function benchPacking(): Promise<Row[]> {
  const bodies = await corpusBodies();
  const parts = partsOf(bodies, 200, SIZES_MM);
  const volumeMm3 = volumeOf(parts);
  const rows: Row[] = [];
  for (const [spacingMm, aim] of [
    [2, "≥ 25 % in 5 s, ≥ 29 % in 60 s"],
    [0, "≥ 36 % in 60 s"],
  ] as const) {
    const first = measured(parts, { spacingMm });
    const best = [first];
    for (let start = 1; start < RUNS_FOR_A_MINUTE; start++) best.push(measured(parts, { spacingMm, start }));
    const heightMm = Math.min(...best.map(({ packing }) => packing.heightMm));
    const seconds = best.reduce((sum, one) => sum + one.seconds, 0);
    const grown = parts.reduce((sum, part) => sum + grownVolume(part, spacingMm / 2), 0);
    rows.push({
      what: `density of 200 parts, ${spacingMm} mm apart`,
      ours: `${percent(densityOf(volumeMm3, first.packing.heightMm))} in ${first.seconds.toFixed(1)} s, ${percent(densityOf(volumeMm3, heightMm))} after ${RUNS_FOR_A_MINUTE} starts in ${seconds.toFixed(1)} s`,
      beside: `parts grown by half the gap take ${percent(densityOf(grown, heightMm))}`,
      aim,
    });
  }
  rows.push(sectionRow(parts));
  for (const [count, aim] of [
    [20, "≤ 2 s"],
    [100, undefined],
    [300, undefined],
    [1000, "≤ 90 s, ≤ 1 GiB"],
  ] as const) {
    const { packing, seconds } = measured(partsOf(bodies, count, [20]));
    rows.push({
      what: `${count} parts of 20 mm, ${packing.placed} placed`,
      ours: `${seconds.toFixed(1)} s, ${mib(residentBytes(process.pid))} resident`,
      ...(aim && { aim }),
    });
  }
  rows.push(fillRow(bodies.slice(-2)));
  return rows;
}

/** The volume of a part grown by a distance, to first order in the curvature: that of a ball of its area and volume at least. */
function grownVolume({ mesh, pose: { scale } }: MovablePart, byMm: number): number {
  const area = mesh.areaMm2 * scale * scale;
  return solidVolumeMm3(mesh) * scale ** 3 + area * byMm;
}

/** The largest section and the steepest jump from layer to layer, in layers of 1 mm, against packing by height alone. */
function sectionRow(parts: readonly MovablePart[]): Row {
  const [even, low] = [true, false].map((evensSections) =>
    sectionsOf(parts, measured(parts, { evensSections }).packing),
  );
  return {
    what: "largest section and steepest jump of 200 parts",
    ours: `${even.largest.toFixed(0)} and ${even.steepest.toFixed(0)} mm²`,
    beside: `by height alone ${low.largest.toFixed(0)} and ${low.steepest.toFixed(0)} mm²`,
  };
}

function sectionsOf(parts: readonly MovablePart[], { poses }: Packing): { largest: number; steepest: number } {
  const areas = new Float64Array(301);
  for (const [i, { mesh }] of parts.entries()) {
    const pose = poses[i];
    if (!pose) continue;
    // The area of a section is the sum of the areas of the facets above it, as seen from above, facing up less facing down.
    const { vertices, triangles } = placedSurface({ mesh, pose });
    for (let t = 0; t < triangles.length; t += 3) addFacet(areas, vertices, triangles.subarray(t, t + 3));
  }
  let [largest, steepest] = [0, 0];
  for (const [k, area] of areas.entries()) {
    largest = Math.max(largest, area);
    steepest = Math.max(steepest, Math.abs(area - (areas[k - 1] ?? 0)));
  }
  return { largest, steepest };
}

/** Adds the signed area of the part of a facet above each layer, seen from above. */
function addFacet(areas: Float64Array, vertices: Float32Array | Float64Array, corners: Uint32Array): void {
  const [a, b, c] = [...corners].map((v) => [...vertices.subarray(3 * v, 3 * v + 3)]);
  const area = ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
  const [low, mid, high] = [a[2], b[2], c[2]].sort((p, q) => p - q);
  for (let k = 0; k < areas.length && k <= high; k++) {
    let above = 1;
    if (k > low && k <= mid) above = 1 - (k - low) ** 2 / ((mid - low) * (high - low));
    else if (k > mid) above = (high - k) ** 2 / ((high - mid) * (high - low));
    areas[k] += area * above;
  }
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
  return {
    what: `fill with two bodies of 30 mm, 2 mm apart, to 300 mm: ${copies.join(" + ")} parts`,
    ours: `${percent(densityOf(volumeMm3, 300))} in ${((user + system) / 1e6).toFixed(1)} s`,
    aim: "≥ 31 %, ≤ 15 s",
  };
}
