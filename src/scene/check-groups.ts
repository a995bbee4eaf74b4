import { createHash } from "node:crypto";
import type { BodyGroup, GroupBody } from "../check/body-group.ts";
import { type Steps, mapSteps } from "../core/steps.ts";
import { getOrInsert, memoize } from "../core/memoize.ts";
import { must } from "../core/must.ts";
import { lowerBound } from "../geometry/binary-search.ts";
import { newDisjointSets } from "../geometry/disjoint-sets.ts";
import { type Box, boxSize, unionBoxes } from "../geometry/box.ts";
import type { BuildVolume } from "../geometry/build-volume.ts";
import { poseKey } from "../geometry/pose.ts";
import type { Slabs } from "../mesh/outline.ts";
import { type SceneBody, clipToVolume, divideCluster, findClusters, printedAmong } from "./body-clusters.ts";

/** Groups of a scene that differ only in their place on the platform, so that a check needs to examine only one. */
export interface EqualGroups {
  /** The first of the equal groups, at its place in the scene. */
  readonly placed: BodyGroup;
  /** A hash of all data on which `placed` depends. */
  readonly placedKey: string;
  /** The same group in centred coordinates, which do not depend on its place: equal groups share a result. */
  readonly centred: BodyGroup;
  readonly centredKey: string;
  /** The scene indices of the models of each group. */
  readonly modelsOfEach: readonly (readonly number[])[];
  /**
   * For each group the least x and y of the frame of `centred` in the scene, mm: a place in `centred` plus this corner is the place in
   * the scene.
   */
  readonly cornersOfEach: readonly (readonly [x: number, y: number])[];
  /** Relative duration of a check, in any unit. */
  readonly effort: number;
}

/** The bodies of a scene and the layers in which it is printed. */
export interface LayeredBodies {
  readonly bodies: readonly SceneBody[];
  /** Layer k reaches from entry k to entry k + 1; ascending, from 0. */
  readonly boundariesMm: Float64Array;
  /** Bodies outside are not printed, and not checked. */
  readonly volume: BuildVolume;
}

/** The groups of bodies whose layers are checked together. Bodies less than `reachMm` apart are on one grid. */
export function* checkGroups({ bodies, boundariesMm, volume }: LayeredBodies, reachMm: number): Steps<EqualGroups[]> {
  const topMm = boundariesMm.at(-1) ?? 0;
  const layersTo = newLayersTo(boundariesMm);
  const clusters = yield* findClusters(bodies, topMm, volume, reachMm);
  yield;
  const groups: Group[] = [];
  for (const [i, cluster] of clusters.entries()) {
    if (i > 0 && i % CLUSTERS_PER_STEP === 0) yield;
    const divided = yield* divideCluster(cluster);
    groups.push(...divided.map((members) => groupOf(members, cluster.box, layersTo)));
  }
  yield;
  return equalGroups(groups);
}

/**
 * As {@link checkGroups}, but each group is on a grid of its own: moves of other bodies, and its own move, do not change its centred content.
 * `near`: the pairs of models, by their indices, that are less than {@link apartMm} from each other; they are in one group.
 */
export function* separateGroups(
  { bodies, boundariesMm, volume }: LayeredBodies,
  near: readonly (readonly [number, number])[],
): Steps<EqualGroups[]> {
  const layersTo = newLayersTo(boundariesMm);
  const printed = yield* printedAmong(bodies, boundariesMm.at(-1) ?? 0, volume);
  const sets = newDisjointSets(1 + bodies.reduce((most, { model }) => Math.max(most, model), 0));
  for (const [a, b] of near) sets.join(a, b);
  const bySet = [...Map.groupBy(printed, ({ model }) => sets.find(model)).values()];
  const toGroup = (members: readonly SceneBody[]): Group => groupOf(members, ownBox(members, volume), layersTo);
  return equalGroups(yield* mapSteps(bySet, toGroup, CLUSTERS_PER_STEP));
}

const equalGroups = (groups: readonly Group[]): EqualGroups[] =>
  [...Map.groupBy(groups, ({ centredKey }) => centredKey).values()].map((equal) => ({
    ...must(equal[0], "The first of equal groups"),
    modelsOfEach: equal.map(({ models }) => models),
    cornersOfEach: equal.map(({ placed: { gridBox } }) => [gridBox.min[0], gridBox.min[1]] as const),
  }));

/** Clusters of one body each take a twentieth of a millisecond. */
const CLUSTERS_PER_STEP = 64;

type LayersTo = (topMm: number) => Float64Array;

/** A function that returns the boundaries of the layers up to a height: one array for all heights in a layer. */
function newLayersTo(boundariesMm: Float64Array): LayersTo {
  const known = new Map<number, Float64Array>();
  return (topMm) => {
    const end = lowerBound(boundariesMm, topMm) + 1;
    return getOrInsert(known, end, () => boundariesMm.slice(0, end));
  };
}

type Group = Omit<EqualGroups, "modelsOfEach" | "cornersOfEach"> & { readonly models: readonly number[] };

/** The box around the bodies of a group. It ends at the volume only if it is wider or deeper than that: no grid is larger. */
function ownBox(members: readonly SceneBody[], volume: BuildVolume): Box {
  const box = members.map((member) => member.box).reduce(unionBoxes);
  const [x, y] = boxSize(box);
  const [mostX, mostY] = volume.dimensionsMm;
  return x <= mostX && y <= mostY ? box : clipToVolume(box, volume);
}

function groupOf(members: readonly SceneBody[], gridBox: Box, layersTo: LayersTo): Group {
  const models = [...new Set(members.map(({ model }) => model))];
  const ownIndex = new Map(models.map((model, own) => [model, own]));
  const topMm = members.map(({ box }) => box).reduce(unionBoxes).max[2];
  const placed: BodyGroup = {
    bodies: members.map(({ placed, box, model, isSupport }) => ({
      placed,
      box,
      // Every model is in the map.
      model: ownIndex.get(model)!,
      isSupport,
    })),
    modelCount: models.length,
    boundariesMm: layersTo(topMm),
    gridBox,
  };
  const centred = centredGroup(placed);
  return { placed, placedKey: keyOf(placed), centred, centredKey: keyOf(centred), models, effort: effortOf(members) };
}

/** Sums of coordinates accumulate rounding: groups are compared, and centred, in steps of a picometre. */
const STEPS_PER_MM = 1e9;

/** The group moved so that its grid begins at the origin. */
function centredGroup(group: BodyGroup): BodyGroup {
  const [x, y] = group.gridBox.min;
  const rounded = (mm: number): number => Math.round(mm * STEPS_PER_MM) / STEPS_PER_MM + 0;
  const moved = ([px, py, pz]: readonly [number, number, number]) => [rounded(px - x), rounded(py - y), pz] as const;
  const movedBox = ({ min, max }: Box): Box => ({ min: moved(min), max: moved(max) });
  const movedBody = (body: GroupBody): GroupBody => {
    const { mesh, pose } = body.placed;
    return { ...body, placed: { mesh, pose: { ...pose, position: moved(pose.position) } }, box: movedBox(body.box) };
  };
  return { ...group, bodies: group.bodies.map(movedBody), gridBox: movedBox(group.gridBox) };
}

/** A hash of the whole content of a group. */
function keyOf({ bodies, boundariesMm, gridBox: { min, max } }: BodyGroup): string {
  const parts = bodies.map(({ placed: { mesh, pose }, model, isSupport }) =>
    [poseKey(mesh.hash, pose), model, isSupport].join(" "),
  );
  const box = [min[0], min[1], max[0], max[1]].join(" ");
  return createHash("sha256")
    .update([layersKey(boundariesMm), box, ...parts].join("\n"))
    .digest("hex");
}

/** Memoized, because many groups have the same layers. */
const layersKey = memoize((boundariesMm: Float64Array): string =>
  createHash("sha256").update(boundariesMm).digest("hex"),
);

/** The area of the walls: checks follow the outlines of layers. */
const effortOf = (members: readonly SceneBody[]): number =>
  members.reduce((sum, { outline, placed: { pose } }) => sum + pose.scale ** 2 * wallAreaMm2(outline.slabs), 0);

const wallAreaMm2 = memoize(({ wallAreasMm2 }: Slabs): number => wallAreasMm2.reduce((sum, area) => sum + area, 0));
