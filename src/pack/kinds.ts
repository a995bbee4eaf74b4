import { type MeshTree, type PlacedMeshTree, interfere, meshTree } from "../mesh/bvh/interfere.ts";
import { getOrInsert } from "../core/memoize.ts";
import type { Progress } from "../core/progress.ts";
import { boxCentre } from "../geometry/box.ts";
import { BOUNDS_TOLERANCE_MM } from "../geometry/build-volume.ts";
import { UPRIGHT, orientationScaleKey } from "../geometry/pose.ts";
import { IDENTITY, type Vec3, subtract } from "../geometry/vector.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import {
  type OrientedPart,
  type KindOptions,
  type PartKind,
  distinctShapes,
  roomExcessMm,
  orientedGroup,
  partKind,
} from "./candidate.ts";
import { cellMmFor } from "./cell-size.ts";
import { type PartExtent, type PackedPart, type Room, areBoxesApart, extentOf } from "./clearance.ts";
import { type OrientedBvh, orientBvh } from "./oriented-bvh.ts";
import type { PartField } from "./part-shape.ts";
import type { Core } from "./thick-cores.ts";
import type { AllowedTurns } from "./turns.ts";

/** A part to place: its mesh, its current pose, and the rotations that its lock allows. */
export interface ChamberPart extends PlacedMesh {
  readonly turns: AllowedTurns;
}

/** Share of a cell that is added to the spacing: cells with a centre nearer to a part are blocked. The exact place is found afterwards. */
const CLEARANCE = 0.3;
/** Least such distance, in cells: without a spacing, parts would pass through walls thinner than a cell. */
const WALL_CLEARANCE = 0.5;

/** Distance from a part up to which the centres of cells are blocked. */
export const clearanceMm = (spacingMm: number, cellMm: number): number =>
  Math.max(spacingMm + CLEARANCE * cellMm, WALL_CLEARANCE * cellMm);

/** Data of meshes and of equal parts, shared by several searches. */
export interface Kinds {
  readonly spacingMm: number;
  readonly cellMm: number;
  readonly room: Room;
  readonly trees: Map<string, MeshTree>;
  readonly kinds: Map<string, PartKind>;
  readonly tilted: Map<PartKind, readonly OrientedPart[]>;
  readonly cores: Map<PartField, Core | null>;
  readonly bvhs: Map<OrientedPart, OrientedBvh>;
  readonly extents: Map<OrientedPart, PartExtent>;
}

/** `parts`: the parts to place. */
export const newKinds = (parts: readonly PlacedMesh[], spacingMm: number, room: Room): Kinds => ({
  room,
  spacingMm,
  cellMm: cellMmFor(parts, spacingMm),
  trees: new Map(),
  kinds: new Map(),
  tilted: new Map(),
  cores: new Map(),
  bvhs: new Map(),
  extents: new Map(),
});

/** The kinds of the last packing on this thread, until they are garbage collected. */
let last: { readonly key: string; readonly wanted: string; readonly kinds: WeakRef<Kinds> } | undefined;

/**
 * As {@link newKinds}, but with what the last packing on this thread knew of the same parts: parts are packed several times, in different
 * orders and numbers.
 */
export function kindsAgain(parts: readonly ChamberPart[], spacingMm: number, room: Room): Kinds {
  const empty = newKinds(parts, spacingMm, room);
  const key = JSON.stringify([spacingMm, room, empty.cellMm]);
  const wantedKeys = new Set(parts.map(kindKey));
  const wanted = JSON.stringify([...wantedKeys]);
  const known = last?.key === key ? last.kinds.deref() : undefined;
  if (known && last?.wanted === wanted) return known;
  const kinds = known ? knownOf(known, wantedKeys, new Set(parts.map(({ mesh }) => mesh.hash))) : empty;
  last = { key, wanted, kinds: new WeakRef(kinds) };
  return kinds;
}

/** What is known of some kinds and meshes. The rest is left to garbage collection: memory is claimed for the parts of one packing. */
function knownOf(known: Kinds, kindKeys: ReadonlySet<string>, hashes: ReadonlySet<string>): Kinds {
  const kinds = onlyKeys(known.kinds, kindKeys);
  const tilted = onlyKeys(known.tilted, new Set(kinds.values()));
  const candidates = new Set([
    ...kinds.values().flatMap((kind) => kind.candidates),
    ...tilted.values().flatMap((own) => own),
  ]);
  return {
    ...known,
    kinds,
    tilted,
    trees: onlyKeys(known.trees, hashes),
    cores: onlyKeys(known.cores, new Set(candidates.values().map(({ field }) => field))),
    bvhs: onlyKeys(known.bvhs, candidates),
    extents: onlyKeys(known.extents, candidates),
  };
}

const onlyKeys = <Key, Value>(map: ReadonlyMap<Key, Value>, keys: ReadonlySet<Key>): Map<Key, Value> =>
  new Map(map.entries().filter(([key]) => keys.has(key)));

/** The extent of a candidate; computed once it is needed, since most candidates are never placed. */
const extentIn = (
  { extents }: Kinds,
  candidate: OrientedPart,
  { mesh, pose: { scale } }: PlacedMesh,
  progress: Progress,
): PartExtent =>
  getOrInsert(extents, candidate, () => extentOf(mesh, { orientation: candidate.orientation, scale }, progress));

export const treeOf = ({ trees }: Kinds, { mesh }: PlacedMesh, progress: Progress): MeshTree =>
  getOrInsert(trees, mesh.hash, () => meshTree(mesh, progress));

/** The data that equal parts share: computed once. */
export const kindOf = (kinds: Kinds, part: ChamberPart, progress: Progress): PartKind =>
  getOrInsert(kinds.kinds, kindKey(part), () => partKind(part, kindOptions(kinds), progress));

function kindKey({ mesh, pose, turns }: ChamberPart): string {
  const orientation = turns === "all" ? UPRIGHT : pose.orientation;
  return `${turns} ${orientationScaleKey(mesh.hash, { orientation, scale: pose.scale })}`;
}

/** A part that is larger than the room in each of its orientations. */
export interface TooLarge {
  /** Index of the part. */
  readonly part: number;
  /** The least excess over all its orientations. */
  readonly byMm: number;
}

/** The first part that exceeds the room by more than the tolerance of bounds. */
export function tooLargeOf(kinds: Kinds, parts: readonly ChamberPart[], progress: Progress): TooLarge | undefined {
  for (const [part, one] of parts.entries()) {
    const { candidates } = kindOf(kinds, one, progress);
    const byMm = candidates.reduce(
      (least, candidate) => Math.min(least, roomExcessMm(candidate, kinds.room)),
      Infinity,
    );
    if (byMm > BOUNDS_TOLERANCE_MM) return { part, byMm };
  }
  return undefined;
}

function kindOptions({ cellMm, spacingMm, room }: Kinds): KindOptions {
  return { cellMm, spacingMm, reachMm: clearanceMm(spacingMm, cellMm) + cellMm, room };
}

/** The orientations of a part, including tilted ones if they are wanted. */
export function candidatesOf(
  kinds: Kinds,
  part: ChamberPart,
  tilts: boolean,
  progress: Progress,
): readonly OrientedPart[] {
  const kind = kindOf(kinds, part, progress);
  const { candidates, tilted } = kind;
  if (!tilts || !tilted) return candidates;
  return getOrInsert(kinds.tilted, kind, () =>
    distinctShapes([...candidates, ...orientedGroup(part, tilted, kindOptions(kinds), progress).candidates]),
  );
}

/** The part in one of its orientations, with the centre of its box at `centre`, or at its position if that is undefined. */
export function packedPart(
  kinds: Kinds,
  candidate: OrientedPart,
  part: PlacedMesh,
  centre: Vec3 | undefined,
  progress: Progress,
): PackedPart {
  const { mesh, pose } = part;
  const { orientation } = candidate;
  const extent = extentIn(kinds, candidate, part, progress);
  const { tree } = treeOf(kinds, part, progress);
  const bvh = getOrInsert(kinds.bvhs, candidate, () => orientBvh(tree, mesh, orientation, pose.scale, progress));
  const position = centre ? subtract(centre, boxCentre(extent.box)) : pose.position;
  return { mesh, pose: { ...pose, orientation, position }, extent, bvh };
}

/** Whether two parts keep the spacing by the measure of the check of interferences. */
export function areApartBySolids(a: PackedPart, b: PackedPart, kinds: Kinds, progress: Progress): boolean {
  const { spacingMm } = kinds;
  if (areBoxesApart(a, b, spacingMm)) return true;
  const [one, other] = [a, b].map((part) => turnedSolid(part, treeOf(kinds, part, progress), a.pose.position));
  return !interfere(one, other, spacingMm, progress);
}

/** As in `placeMeshTree`, without a rotation: the boxes of the rotated tree are tighter than rotated boxes. */
const turnedSolid = ({ bvh, mesh, pose }: PackedPart, { tree, partFacets }: MeshTree, from: Vec3): PlacedMeshTree => ({
  tree: { ...bvh, facets: tree.facets },
  partFacets,
  rotation: IDENTITY,
  scale: 1,
  offset: subtract(pose.position, from),
  facing: mesh.volumeMm3 < 0 ? -1 : 1,
});
