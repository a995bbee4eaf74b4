import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { newTaskState, noProgress, type Progress, readProgress, taskProgress } from "../../src/core/progress.ts";
import { extensionOf, readerFor } from "../../src/format/model-formats.ts";
import { buildBvh } from "../../src/mesh/bvh/bvh.ts";
import { intersectingPairs } from "../../src/mesh/bvh/self-intersections.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { describeDefects, meshReport } from "../../src/mesh/mesh-report.ts";
import type { Mesh, Surface } from "../../src/mesh/mesh.ts";
import { repair } from "../../src/repair/repair.ts";
import { assembly, HEAPS, knot } from "../fixture/assembly.ts";
import { MUTATIONS } from "../fixture/broken.ts";
import { CROSSING } from "../fixture/crossing.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { randomFrom } from "../fixture/random.ts";
import { surfaceOfStl } from "../fixture/surface-edits.ts";
import { wrinkledDisc } from "../fixture/wrinkled.ts";
import { type Row, mib, ms, peakBytes, ratio, timed, withFolder, withServer } from "./measure.ts";
import { MODEL_FILES, bumpySphereFile, subdividedFile } from "./models.ts";

const BROKEN_FILES = [
  "gen-65004-holes12.stl",
  "gen-472042-flip30.stl",
  "mf-Offset1-x0.04.stl",
  "mf-openscad-nonmanifold-crash.obj",
];
const OPTIONS = { chordalToleranceMm: 0.01, angleToleranceDeg: 5 };
/** Share of the facets that are removed from the timed models. */
const MISSING = 0.01;

const QUIET = { stdio: "ignore" } as const;

/** Repairs an STL file into another; false if the program is not installed. */
type Peer = (file: string, output: string) => boolean;

const admesh: Peer = (file, output) => !spawnSync("admesh", [`--write-binary-stl=${output}`, file], QUIET).error;
const peerSlicer: Peer = (file, output) =>
  !spawnSync("prusa-slicer", ["--export-stl", "--repair", "--output", output, file], QUIET).error;

/** Number of the tests' broken meshes that become closed manifolds, and the time for large meshes. Compared with two peers. */
export const benchRepairing = (): Promise<Row[]> =>
  withFolder(async (folder) => [
    ...(await counts(folder)),
    ...(await times(folder)),
    ...(await soundTimes()),
    ...(await assemblies(folder)),
    ...(await selfCrossing(folder)),
    ...(await heaps(folder)),
    ...(await standstills()),
  ]);

async function counts(folder: string): Promise<Row[]> {
  const read = async (name: string): Promise<Surface> => {
    const reader = await readerFor(extensionOf(name))!;
    const { parts } = await reader.read(
      fileURLToPath(new URL(`../fixture/corpus/${name}`, import.meta.url)),
      OPTIONS,
      noProgress,
    );
    return parts[0].surface;
  };
  const surfaces = [...(await Promise.all(BROKEN_FILES.map(read))), ...MUTATIONS.map(({ broken }) => broken)];
  const file = join(folder, "broken.stl");
  const output = join(folder, "repaired.stl");
  const repairedBy = (peer: Peer): number | undefined => {
    let made = 0;
    for (const surface of surfaces) {
      writeFileSync(file, binaryStl(surface));
      rmSync(output, { force: true });
      if (!peer(file, output)) return undefined;
      if (existsSync(output) && isClosed(surfaceOfStl(readFileSync(output)))) made++;
    }
    return made;
  };
  let ours = 0;
  for (const one of surfaces) if ((await repair(asMesh(one), noProgress)).isClosedManifold) ours++;
  const described = (count: number | undefined): string =>
    count === undefined ? "is not installed" : `makes ${count}`;
  return [
    {
      what: `closed manifolds of ${surfaces.length} broken meshes`,
      ours: `${ours}`,
      beside: `admesh ${described(repairedBy(admesh))}, the peer slicer ${described(repairedBy(peerSlicer))}`,
      aim: "≥ 95 %, more than the peers",
    },
  ];
}

const asMesh = (surface: Surface): Mesh => canonicalMesh(surface, 1, noProgress);
const isClosed = (surface: Surface): boolean =>
  surface.triangles.length > 0 && describeDefects(meshReport(asMesh(surface), noProgress)).length === 0;

async function times(folder: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, whole] of [
    ["36k facets", MODEL_FILES["908460"]],
    ["577k facets", subdividedFile()],
  ] as const) {
    const clean = asMesh(surfaceOfStl(readFileSync(whole)));
    const file = join(folder, "holes.stl");
    writeFileSync(file, binaryStl(withoutSome(clean)));
    const { took, peak } = await withServer(async ({ pid, scene_id, post }) => {
      await post("/v1/scene/model/import/", { scene_id, file, repair_behavior: "IGNORE" });
      const took = await timed(() => post("/v1/scene/model/repair/", { scene_id }));
      return { took, peak: peakBytes(pid) };
    });
    const admeshTook = await timed(() => admesh(file, join(folder, "admesh.stl")));
    const slicerTook = await timed(() => peerSlicer(file, join(folder, "slicer.stl")));
    rows.push({
      what: `repair of ${name} with 1 % missing`,
      ours: `${ms(took)}, ${((1000 * took) / (clean.triangles.length / 3)).toFixed(1)} µs a facet, peak ${mib(peak)}`,
      beside: `admesh takes ${ms(admeshTook)} (${ratio(admeshTook, took)}), the peer slicer ${ms(slicerTook)} (${ratio(slicerTook, took)})`,
    });
  }
  return rows;
}

const ASSEMBLIES = [10_000, 30_000, 100_000, 300_000, 1_000_000];

/** Time and memory of a repair of a file through a fresh server. */
async function repairOfFile(file: string): Promise<{ took: number; peak: number }> {
  return withServer(async ({ pid, scene_id, post }) => {
    await post("/v1/scene/model/import/", { scene_id, file, repair_behavior: "IGNORE" });
    const took = await timed(() => post("/v1/scene/model/repair/", { scene_id }));
    return { took, peak: peakBytes(pid) };
  });
}

/** Assemblies of touching and overlapping bodies in one file. */
async function assemblies(folder: string): Promise<Row[]> {
  const rows: Row[] = [];
  const file = join(folder, "assembly.stl");
  for (const facets of ASSEMBLIES) {
    const surface = assembly(facets);
    writeFileSync(file, binaryStl(surface));
    const { took, peak } = await repairOfFile(file);
    rows.push({
      what: `repair of an assembly of ${facets / 1000}k facets`,
      ours: `${ms(took)}, ${((1000 * took) / (surface.triangles.length / 3)).toFixed(0)} µs a facet, peak ${mib(peak)}`,
      aim: facets === 100_000 ? "≤ 8 s, ≤ 700 MiB" : "linear within a factor of two",
    });
  }
  return rows;
}

/** Bodies that pass through themselves, so that there are no solids to unite, and one whose facets rounding has turned over. */
const selfCrossingBodies = (): Mesh[] => [asMesh(knot(600, 48)), asMesh(knot(2000, 120)), wrinkledDisc(80, 0.01, 0.02)];

async function selfCrossing(folder: string): Promise<Row[]> {
  const rows: Row[] = [];
  const file = join(folder, "knot.stl");
  for (const mesh of selfCrossingBodies()) {
    const pairs = (intersectingPairs(buildBvh(mesh, noProgress), noProgress) ?? []).length / 2;
    writeFileSync(file, binaryStl(mesh));
    const { took, peak } = await repairOfFile(file);
    rows.push({
      what: `repair of a body of ${Math.round(mesh.triangles.length / 3000)}k facets that crosses itself in ${pairs} places`,
      ours: `${ms(took)}, ${((1000 * took) / pairs).toFixed(2)} ms a place, peak ${mib(peak)}`,
      aim: "cut, not remeshed; linear",
    });
  }
  return rows;
}

const HEAP_SIZES = [600, 5000, 500_000];
/** Heaps that are also tried with the largest size. The others have as many places to weld as facets. */
const LARGE_HEAPS = new Set([
  "copies of one triangle",
  "facets on one edge",
  "copies of a tetrahedron",
  "facets in a cloud",
]);

/** Heaps that enclose nothing, or one tetrahedron. */
async function heaps(folder: string): Promise<Row[]> {
  const rows: Row[] = [];
  const file = join(folder, "heap.stl");
  for (const name of Object.keys(HEAPS)) {
    const times: string[] = [];
    const sizes = LARGE_HEAPS.has(name) ? HEAP_SIZES : HEAP_SIZES.slice(0, 2);
    for (const facets of sizes) {
      writeFileSync(file, binaryStl(HEAPS[name](facets)));
      times.push(ms((await repairOfFile(file)).took));
    }
    rows.push({ what: `repair of ${sizes.join(", ")} ${name}`, ours: times.join(", "), aim: "≤ 1 s" });
  }
  return rows;
}

/** Processor time of a repair, and its longest processor time between two steps of the progress. */
async function watchedRepair(surface: Surface): Promise<{ tookMs: number; standstillMs: number; isRepaired: boolean }> {
  const state = newTaskState();
  const mesh = asMesh(surface);
  const began = process.cpuUsage();
  let [share, since, standstillMs] = [0, began, 0];
  const watch = (progress: Progress): Progress => ({
    report(done, steps) {
      progress.report(done, steps);
      if (readProgress(state) === share) return;
      standstillMs = Math.max(standstillMs, process.cpuUsage(since).user / 1000);
      [share, since] = [readProgress(state), process.cpuUsage()];
    },
    part: (from, to) => watch(progress.part(from, to)),
    silent: () => watch(progress.silent()),
  });
  const { isClosedManifold } = await repair(mesh, watch(taskProgress(state)));
  return { tookMs: process.cpuUsage(began).user / 1000, standstillMs, isRepaired: isClosedManifold };
}

/** The longest standstill over heaps of 5000 facets and crossing bodies, and the time for inputs that would never end without a budget. */
async function standstills(): Promise<Row[]> {
  const inputs = [...Object.keys(HEAPS).map((name) => HEAPS[name](5000)), knot(600, 48), assembly(30_000)];
  let longestMs = 0;
  for (const surface of inputs) longestMs = Math.max(longestMs, (await watchedRepair(surface)).standstillMs);
  const rows = [{ what: "longest time without progress of a repair", ours: ms(longestMs), aim: "≤ 1 s" }];
  for (const [name, make] of CROSSING) {
    const { tookMs, standstillMs, isRepaired } = await watchedRepair(make());
    const outcome = isRepaired ? "repaired" : "given up";
    rows.push({
      what: `repair of ${name}`,
      ours: `${outcome} in ${ms(tookMs)} of processor time, without progress for ${ms(standstillMs)} at most`,
      aim: "≤ 30 s, ≤ 1 s",
    });
  }
  return rows;
}

/** The surface without a random selection of its facets. */
function withoutSome({ vertices, triangles }: Surface): Surface {
  const random = randomFrom(1);
  const isKept = Array.from({ length: triangles.length / 3 }, () => random() >= MISSING);
  return { vertices, triangles: triangles.filter((_, corner) => isKept[Math.floor(corner / 3)]) };
}

/** Numbers of facets of the sound meshes; the largest ones only with `--large`. */
const SOUND_FACETS = [1_000_000, 2_000_000, ...(process.argv.includes("--large") ? [5_000_000] : [])];

/**
 * Import with REPAIR of sound meshes: a repair that finds no defects. Compared with the same import without REPAIR. Peaks are
 * beyond the memory of the process at rest.
 */
async function soundTimes(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const facets of SOUND_FACETS) {
    const file = bumpySphereFile(facets);
    const measure = (repair_behavior: string): Promise<string> =>
      withServer(async ({ pid, scene_id, post }) => {
        const rest = peakBytes(pid);
        const took = await timed(() => post("/v1/scene/model/import/", { scene_id, file, repair_behavior }));
        const bytes = (peakBytes(pid) - rest) / facets;
        return `${((1000 * took) / facets).toFixed(1)} µs and ${Math.round(bytes)} bytes a facet`;
      });
    rows.push({
      what: `import of a sound mesh of ${facets / 1e6} M facets with REPAIR`,
      ours: await measure("REPAIR"),
      beside: `${await measure("ERROR")} without REPAIR`,
      aim: "≤ 3 µs and ≤ 250 bytes",
    });
  }
  return rows;
}
