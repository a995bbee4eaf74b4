import { createHash } from "node:crypto";
import { type Steps, mapSteps } from "../core/steps.ts";
import { noProgress } from "../core/progress.ts";
import { must } from "../core/must.ts";
import { type Box, EMPTY_RECTANGLE, type Rectangle, unionRectangles } from "../geometry/box.ts";
import { nearbyBoxPairs } from "../geometry/box-pairs.ts";
import { newDisjointSets } from "../geometry/disjoint-sets.ts";
import { type Pose, poseKey } from "../geometry/pose.ts";
import { type Vec3, subtract } from "../geometry/vector.ts";
import { solidVolumeMm3 } from "../mesh/mesh.ts";
import { bodyBox } from "./placement.ts";
import type { PlacedBody } from "./project.ts";

/** Bodies that may overlap, placed relative to the first of them: equal groups at different places are equal. */
export interface OverlapGroup {
  readonly placed: readonly Pick<PlacedBody, "mesh" | "pose">[];
  /** Rectangle that contains all common volume of the bodies, seen from above. */
  readonly region: Rectangle;
  /** Height of the origin of the group in the scene, mm. */
  readonly heightMm: number;
  /** Equal for equal groups. */
  readonly key: string;
}

/** Groups of bodies that may have volume in common. */
export interface Overlaps {
  /** Volume of the copies that have exactly the pose of another copy, mm³. */
  readonly repeatedMm3: number;
  readonly groups: readonly OverlapGroup[];
}

/** Thinner overlaps of boxes are bodies that touch. */
const TOUCHING_MM = 1e-6;
/** With more overlapping pairs of boxes, all bodies are one group: listing them would block the answering thread. */
const MAX_PAIRS = 20_000;
/** Bodies and groups processed per step; a step takes a few milliseconds. */
const BODIES_PER_STEP = 512;
const GROUPS_PER_STEP = 64;
/** Positions in a group are rounded to 1 / this, so that a group that moves as a whole stays equal. */
const STEPS_PER_MM = 1e6;

/** The groups of bodies whose boxes overlap. Bodies in no group have no volume in common with another. */
export function* overlapsOf(bodies: readonly PlacedBody[]): Steps<Overlaps> {
  const keyed = (body: PlacedBody) => [poseKey(body.mesh.hash, body.pose), body] as const;
  const distinct = new Map(yield* mapSteps(bodies, keyed, BODIES_PER_STEP));
  const kept = [...distinct.values()];
  return { repeatedMm3: totalMm3(bodies) - totalMm3(kept), groups: yield* groupByBoxes(kept) };
}

/** Copies share their supports, so that one object may be in a list several times, and counts each time. */
const totalMm3 = (bodies: readonly PlacedBody[]): number =>
  bodies.reduce((sum, body) => sum + placedVolumeMm3(body), 0);

/** The volume of a body at its scale, mm³. */
export const placedVolumeMm3 = ({ mesh, pose }: Pick<PlacedBody, "mesh" | "pose">): number =>
  solidVolumeMm3(mesh) * pose.scale ** 3;

function* groupByBoxes(bodies: readonly PlacedBody[]): Steps<OverlapGroup[]> {
  const boxes = yield* mapSteps(bodies, bodyBox, BODIES_PER_STEP);
  const corners = Float64Array.from(boxes.flatMap(({ min, max }) => [...min, ...max]));
  yield;
  const sets = newDisjointSets(bodies.length);
  const pairs: (readonly [number, number])[] = [];
  for (const pair of nearbyBoxPairs(corners, -TOUCHING_MM, noProgress)) {
    if (pairs.push(pair) > MAX_PAIRS) return [groupOf(bodies, boxes.map(footprintOf).reduce(unionRectangles))];
    sets.join(...pair);
  }
  yield;
  const byGroup = Map.groupBy(pairs, ([a]) => sets.find(a));
  const toGroup = (ofGroup: readonly (readonly [number, number])[]): OverlapGroup => {
    const members = [...new Set(ofGroup.flat())].sort((a, b) => a - b);
    const region = ofGroup
      .map(([a, b]) => commonFootprint(must(boxes[a], "A box"), must(boxes[b], "A box")))
      .reduce(unionRectangles, EMPTY_RECTANGLE);
    return groupOf(
      members.map((i) => must(bodies[i], "A body")),
      region,
    );
  };
  return yield* mapSteps([...byGroup.values()], toGroup, GROUPS_PER_STEP);
}

const footprintOf = ({ min, max }: Box): Rectangle => ({ minX: min[0], minY: min[1], maxX: max[0], maxY: max[1] });

const commonFootprint = (a: Box, b: Box): Rectangle => ({
  minX: Math.max(a.min[0], b.min[0]),
  minY: Math.max(a.min[1], b.min[1]),
  maxX: Math.min(a.max[0], b.max[0]),
  maxY: Math.min(a.max[1], b.max[1]),
});

function groupOf(bodies: readonly PlacedBody[], { minX, minY, maxX, maxY }: Rectangle): OverlapGroup {
  const origin = must(bodies[0], "The first body of a group").pose.position;
  const round = (mm: number): number => Math.round(mm * STEPS_PER_MM) / STEPS_PER_MM;
  const placed = bodies.map(({ mesh, pose }) => {
    const [x, y, z] = subtract(pose.position, origin);
    const position: Vec3 = [round(x), round(y), round(z)];
    return { mesh, pose: { ...pose, position } satisfies Pose };
  });
  const region = {
    minX: round(minX - origin[0]),
    minY: round(minY - origin[1]),
    maxX: round(maxX - origin[0]),
    maxY: round(maxY - origin[1]),
  };
  const hash = createHash("sha256");
  for (const { mesh, pose } of placed) hash.update(`${poseKey(mesh.hash, pose)};`);
  return { placed, region, heightMm: origin[2], key: hash.digest("hex") };
}
