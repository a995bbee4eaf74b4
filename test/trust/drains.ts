import { readFileSync } from "node:fs";
import process from "node:process";
import { ApiError } from "../../src/core/api-error.ts";
import { noProgress } from "../../src/core/progress.ts";
import { runAtOnce } from "../../src/core/steps.ts";
import { type DrainedModel, drainModel } from "../../src/feature/drain/drain-model.ts";
import { boxSize } from "../../src/geometry/box.ts";
import type { Vec3 } from "../../src/geometry/vector.ts";
import { union } from "../../src/mesh/boolean.ts";
import { type Mesh, type Surface, placedSurface } from "../../src/mesh/mesh.ts";
import { makeWellComposed } from "../../src/mesh/voxel/surface-nets.ts";
import { repairWithinBudget } from "../../src/repair/repair.ts";
import { checkGroups } from "../../src/scene/check-groups.ts";
import { fillSlab } from "../../src/solid/hollow/fill-slab.ts";
import { hollowMesh, slabSurface } from "../../src/solid/hollow/hollow-mesh.ts";
import { planHollow, slabCount } from "../../src/solid/hollow/hollow-plan.ts";
import { MODEL_FILES } from "../bench/models.ts";
import { checkRequest, modelBody } from "../fixture/check-request.ts";
import { denseVoxels, floodedPockets } from "../fixture/priority-flood.ts";
import { randomFrom } from "../fixture/random.ts";
import { box, cylinder, lathe, torus, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { moved, surfaceOfStl } from "../fixture/surface-edits.ts";
import { rotatedSurface } from "../fixture/thin-parts.ts";
import { trialOptions } from "./options.ts";

// `bun run test:drains [--parts N] [--seed N]` hollows parts to walls of 2 mm, generated ones and models of the corpus, turns them at random, and drains
// them as `auto-drain` does. Floods of dense voxels, which share no code with it, judge each: a cup of 1 mm³ or a pool of 50 mm³ is a fault, unless
// the answer names it. The 1,000 parts of the acceptance take about an hour on one core.

const WALL_MM = 2;
/** Steps of coarse voxels alone may hold a cubic millimetre on a flat floor: what is beyond the limits there is flooded again in finer ones. */
const VOXELS_MM = [0.3, 0.15, 0.07];
const LIMITS = { diametersMm: { vent: 2, drain: 3.5 }, maxPoolMm3: 50, keepOut: { never: [], touched: [] } };

const { parts, seed } = trialOptions("test:drains", { parts: 24 });

type Random = () => number;
const within = (random: Random, from: number, to: number): number => from + (to - from) * random();

/** A ball of 12 to 20 mm with smooth bumps. */
function blob(random: Random): Surface {
  const ball = uvSphere(1, 64, 32);
  const radius = within(random, 12, 20);
  const waves = Array.from({ length: 4 }, () => ({
    along: [0, 1, 2].map(() => within(random, -4, 4)),
    phase: within(random, 0, 6),
    size: within(random, 0.02, 0.12),
  }));
  const vertices = Float64Array.from(ball.vertices);
  for (let at = 0; at < vertices.length; at += 3) {
    const angleOf = (along: readonly number[]): number =>
      along.reduce((sum, one, axis) => sum + one * ball.vertices[at + axis]!, 0);
    const factor = waves.reduce((sum, { along, phase, size }) => sum + size * Math.sin(angleOf(along) + phase), 1);
    for (let axis = 0; axis < 3; axis++) vertices[at + axis]! *= radius * factor;
  }
  return { vertices, triangles: ball.triangles };
}

function turned(random: Random): Surface {
  const heights = Array.from({ length: 6 }, (_, i) => 6 * i + within(random, 0, 3));
  const profile = heights.map((z): [number, number] => [within(random, 5, 16), z]);
  return lathe([[0, heights[0]!], ...profile, [0, heights.at(-1)!]], 48, false);
}

async function joined(random: Random): Promise<Surface> {
  const size = (): number => within(random, 9, 24);
  const pieces = Array.from({ length: 3 }, (): Surface => {
    const shapes = [box([size(), size(), size()]), uvSphere(size() / 2), cylinder(size() / 2, size()), torus(12, 5)];
    const at: Vec3 = [within(random, -8, 8), within(random, -8, 8), within(random, -8, 8)];
    return moved(shapes[Math.floor(4 * random())]!, at);
  });
  return union(pieces, noProgress);
}

/** A model of the corpus of 30 to 55 mm. */
async function real(random: Random): Promise<Surface> {
  const files = Object.values(MODEL_FILES);
  const mesh = meshOf(surfaceOfStl(readFileSync(files[Math.floor(files.length * random())]!)));
  const repaired = (await repairWithinBudget(mesh, noProgress)) ?? mesh;
  const factor = within(random, 30, 55) / Math.max(...boxSize(repaired.box));
  return { vertices: repaired.vertices.map((one) => one * factor), triangles: repaired.triangles };
}

const KINDS: Readonly<Record<string, (random: Random) => Surface | Promise<Surface>>> = { blob, turned, joined, real };

function hollowed(mesh: Mesh): Mesh {
  const plan = planHollow({ mesh, scale: 1, wallMm: WALL_MM, featureMm: 1, accuracy: 0.5 }, noProgress);
  const slabs = Array.from({ length: slabCount(plan) }, (_, slab) => slab);
  for (const slab of slabs) fillSlab(plan, slab, noProgress);
  makeWellComposed(plan.field, noProgress);
  return hollowMesh(
    plan,
    slabs.map((slab) => slabSurface(plan, slab, noProgress)),
    noProgress,
  ).mesh;
}

interface Outcome {
  readonly result: DrainedModel;
  readonly seconds: number;
  readonly worst: Readonly<Record<"CUP" | "POOL", number>>;
}

const worstIn = (surface: Surface, voxelMm: number): Outcome["worst"] => {
  const voxels = denseVoxels(surface, voxelMm);
  const most = (sealing: "CUP" | "POOL"): number => floodedPockets(voxels, sealing)[0] ?? 0;
  return { CUP: most("CUP"), POOL: most("POOL") };
};

/** In the finest voxels pools are up to 2 % larger than in layers, and cups by a sheet of voxels, of a third of a cubic millimetre. */
const JUDGED = { CUP: 1.35, POOL: 1.02 * LIMITS.maxPoolMm3 } as const;
const isBeyond = ({ CUP, POOL }: Outcome["worst"]): boolean => CUP >= JUDGED.CUP || POOL > JUDGED.POOL;

async function drained(mesh: Mesh): Promise<Outcome> {
  const body = modelBody(0, mesh, [0, 0, 5]);
  const [groups] = runAtOnce(checkGroups(checkRequest([body], 0.05), 0.1));
  const before = process.cpuUsage();
  const result = await drainModel({ ...LIMITS, group: groups!.placed }, noProgress);
  const { user, system } = process.cpuUsage(before);
  const surface = placedSurface({ mesh: result.mesh, pose: body.placed.pose });
  let worst: Outcome["worst"] = { CUP: Infinity, POOL: Infinity };
  for (const voxelMm of VOXELS_MM) if (isBeyond(worst)) worst = worstIn(surface, voxelMm);
  return { result, seconds: (user + system) / 1e6, worst };
}

const outcomes: Outcome[] = [];
let [faults, solids] = [0, 0];
for (let part = 0; part < parts; part++) {
  const random = randomFrom(seed + part);
  const kind = Object.keys(KINDS)[part % Object.keys(KINDS).length]!;
  const angles = { x: 360 * random(), y: 360 * random(), z: 360 * random() };
  let mesh: Mesh;
  try {
    mesh = hollowed(meshOf(rotatedSurface(await KINDS[kind]!(random), angles)));
  } catch (thrown) {
    // Too thin for walls of 2 mm, or not a solid.
    if (!(thrown instanceof ApiError)) throw thrown;
    solids++;
    continue;
  }
  const outcome = await drained(mesh);
  outcomes.push(outcome);
  const { result, seconds, worst } = outcome;
  const named = new Set(result.left.map(({ sealing }) => sealing));
  const isFault = (worst.CUP >= JUDGED.CUP && !named.has("CUP")) || (worst.POOL > JUDGED.POOL && !named.has("POOL"));
  if (isFault) faults++;
  if (isFault || result.left.length > 0 || seconds > 2)
    console.log(
      `${isFault ? "FAULT" : "note"} part ${part} (${kind}): ${result.holes.length} holes, ${seconds.toFixed(1)} s, flood ${worst.CUP.toFixed(1)} and ${worst.POOL.toFixed(1)} mm³` +
        result.left
          .map(({ sealing, volumeMm3, reason }) => `; ${sealing} ${volumeMm3.toFixed(1)} mm³: ${reason}`)
          .join(""),
    );
}
const sorted = (of: (outcome: Outcome) => number): number[] => outcomes.map(of).toSorted((a, b) => a - b);
const at = (values: readonly number[], share: number): number => values[Math.floor(share * (values.length - 1))] ?? 0;
const holes = sorted(({ result }) => result.holes.length);
const times = sorted(({ seconds }) => seconds);
const leftOf = (sealing: string): number =>
  outcomes.reduce((sum, { result }) => sum + result.left.filter((one) => one.sealing === sealing).length, 0);
console.log(
  `${outcomes.length} hollow parts (${solids} cannot be hollowed): ${leftOf("CUP")} cups and ${leftOf("POOL")} pools are left and named, ${faults} faults; holes: median ${at(holes, 0.5)}, 90 % ${at(holes, 0.9)}, most ${at(holes, 1)}; processor time: median ${at(times, 0.5).toFixed(2)} s, 90 % ${at(times, 0.9).toFixed(2)} s, most ${at(times, 1).toFixed(2)} s`,
);
process.exit(faults === 0 ? 0 : 1);
