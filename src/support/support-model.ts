import type { Progress } from "../core/progress.ts";
import { memoize } from "../core/memoize.ts";
import type { Pose } from "../geometry/pose.ts";
import { type Vec3, lerp } from "../geometry/vector.ts";
import { prepareManifold } from "../geometry/manifold.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { Outline } from "../mesh/outline.ts";
import type { HeldTip } from "../hold/held-tip.ts";
import { type Weakness, findWeaknesses } from "../hold/hold-walk.ts";
import { layerLoads } from "../hold/layer-loads.ts";
import { partSections } from "../hold/part-sections.ts";
import { touchStrengthN } from "../hold/strengths.ts";
import { groundMm, liftMm } from "../hold/support-lift.ts";
import { worstWeaknesses } from "../hold/worst-weaknesses.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import { markSurface } from "./plan/marked-surface.ts";
import { type RoutedSupports, treesOfTouches } from "./plan/routed-supports.ts";
import { type PlacedTouchpoints, placeTouchpoints } from "./points/place-touchpoints.ts";
import { reachedTouchLoads } from "./points/touch-loads.ts";
import type { FindStanding, Standing, Touchpoint } from "./points/touchpoint.ts";
import { toModel, toScene } from "./points/touchpoint-space.ts";
import { neededRaftArea } from "./solid/raft-hold.ts";
import { packLoads } from "./draft/packed-loads.ts";
import { type DividedSolid, divideSolid, supportBody } from "./divided-solid.ts";
import type { SupportSolidRequest } from "./solid/solid-base.ts";
import { supportSolid } from "./solid/support-solid.ts";
import { type SupportRequest, layerBoundaries } from "./support-request.ts";
import { lifted } from "./lifted.ts";
import { freeLengths, isSlender } from "./tree/buckling.ts";
import { footOnModel, reachOf, routingSpace } from "./tree/reach.ts";
import { routeTree } from "./tree/route-tree.ts";
import { type SupportTree, ballOf } from "./tree/support-tree.ts";

export interface SupportsOfModel {
  readonly mesh: Mesh;
  readonly outline: Outline;
  readonly pose: Pose;
  /** In model space. */
  readonly touchpoints: readonly Touchpoint[];
  readonly routed: RoutedSupports;
}

export interface SupportedModel {
  /** The lifted model's pose. */
  readonly pose: Pose;
  /** Absent if no touchpoint is needed, or none can be reached. */
  readonly supports?: SupportsOfModel;
  /** Positions of touchpoints that no support reaches, in scene coordinates. */
  readonly unreached: readonly Vec3[];
  /** Places of struts that may buckle and that have no room to be stiffened, in scene coordinates. */
  readonly slender: readonly Vec3[];
  /** Places that neither supports nor the model itself hold, in scene coordinates, the worst first. */
  readonly weaknesses: readonly Weakness[];
  /** Whether the raft is too small to hold the model on the platform, and has no room to be wider. */
  readonly isLoose: boolean;
  /** {@link packLoads} of the layers of a model with supports, for drafts of other points. */
  readonly loads?: Float64Array;
  /** The skeleton of supports without limits, from which `refitSupports` makes others. */
  readonly skeleton?: SupportSkeleton;
}

/** The input from which the solid of supports is made, without the volume. */
export type SupportSkeleton = Omit<SupportSolidRequest, "volume">;

/** The result for a model without supports. */
const SOUND = { slender: [], isLoose: false };

/** A model whose supports lack their solid: `finishSupports` makes it. */
export interface UnfinishedModel {
  readonly model: SupportedModel;
  /** In model space. */
  readonly touchpoints: readonly Touchpoint[];
  readonly routed: RoutedSupports;
  readonly solid: SupportSolidRequest;
}

/** Share of the progress at which the tree is routed. */
const ROUTED_SHARE = 0.8;

/**
 * Lifts a model to the height of its supports, finds its touchpoints where none are given, routes tips and pillars from
 * there to the ground, and makes a solid of them and their raft.
 */
export async function supportModel(request: SupportRequest, progress: Progress): Promise<SupportedModel> {
  const routed = routeSupports(request, progress.part(0, ROUTED_SHARE));
  return "solid" in routed ? withSolid(routed, progress.part(ROUTED_SHARE, 1)) : routed;
}

/** {@link supportModel}, but the solid of a large tree is left to several threads, which make the same one. */
export async function beginSupports(
  request: SupportRequest,
  progress: Progress,
): Promise<SupportedModel | (UnfinishedModel & DividedSolid)> {
  const routed = routeSupports(request, progress.part(0, ROUTED_SHARE));
  if (!("solid" in routed)) return routed;
  const rest = progress.part(ROUTED_SHARE, 1);
  const divided = divideSolid(routed.solid, rest.silent());
  if (!divided) return withSolid(routed, rest);
  await prepareManifold();
  return { ...routed, ...divided };
}

async function withSolid(
  { model, touchpoints, routed, solid }: UnfinishedModel,
  progress: Progress,
): Promise<SupportedModel> {
  const { mesh, isLoose } = await supportSolid(solid, progress);
  return { ...model, supports: { ...supportBody(mesh), touchpoints, routed }, isLoose };
}

/** Shares of the progress at which the stages of {@link routeSupports} end; the tree is the last. */
const SHARES = { space: 0.0625, touchpoints: 0.6875 };

/** The model, or, where it gets supports, everything but their solid. */
function routeSupports(request: SupportRequest, progress: Progress): SupportedModel | UnfinishedModel {
  const { outline, settings, label, volume, obstacles } = request;
  const { space: spaceShare, touchpoints: touchpointsShare } = SHARES;
  const placed = lifted(request);
  const { pose } = placed;
  const free = routingSpace(placed, groundMm(settings), volume, progress.part(0, spaceShare), obstacles);
  const marks = markSurface(free.surface, request.areas, placed, () => free.bvh);
  const space = { ...free, isBarred: marks?.isBarred };
  const reach = memoize((touchpoint: Touchpoint) => ({ how: reachOf(space, settings, touchpoint) }));
  const standingOf = (touchpoint: Touchpoint): Standing | undefined => {
    const { how } = reach(touchpoint);
    return how && { foot: footOnModel(how) };
  };
  const placing = progress.part(spaceShare, touchpointsShare);
  const { touchpoints, sections, regions, given } = touchpointsOf(request, placed, standingOf, placing);
  const reaches = touchpoints.map((point) => reach(point).how);
  const tips = touchpoints.flatMap(({ position, sizeMm }, i): HeldTip[] => {
    const [region, how] = [regions[i], reaches[i]];
    if (!how || region < 0) return [];
    return [{ position, region, foot: footOnModel(how), strengthN: touchStrengthN(sizeMm), sizeMm }];
  });
  const checkCancelled = (): void => placing.report(1);
  const standingMm = standsBelowMm(request);
  const weaknesses = worstWeaknesses(
    findWeaknesses({ sections, tips, groundMm: standingMm, margin: 1, checkCancelled }),
  );
  if (touchpoints.length === 0) return { pose, ...SOUND, unreached: [], weaknesses };
  const unreached = touchpoints.flatMap(({ position }, i) => (reaches[i] ? [] : [position]));
  const loads = layerLoads(sections);
  const touchLoadsN = reachedTouchLoads(loads, touchpoints, reaches);
  const tree = routeTree({ space, settings, reaches, touchLoadsN }, progress.part(touchpointsShare, 1));
  if (tree.struts.length === 0) return { pose, ...SOUND, unreached, weaknesses };
  const footprint = outline.hullXy.map((coordinate, i) => pose.position[i % 2] + pose.scale * coordinate);
  const skeleton = { tree, settings, footprint, label, neededAreaMm2: neededRaftArea(loads), loads };
  const slender = slenderPlaces(tree, touchLoadsN);
  return {
    model: {
      pose,
      unreached,
      weaknesses,
      slender,
      isLoose: false,
      loads: packLoads(loads),
      ...(volume === undefined && { skeleton }),
    },
    // Given ones are not converted back, so that no rounding moves them.
    touchpoints: touchpoints.map((point) => given.get(point) ?? toModel(point, placed)),
    routed: { tree, touchLoadsN, trees: treesOfTouches(tree) },
    solid: { ...skeleton, volume },
  };
}

interface GivenTouchpoints extends PlacedTouchpoints {
  /** The touchpoints of the request, in model space, by those in the scene. */
  readonly given: ReadonlyMap<Touchpoint, Touchpoint>;
}

/** The touchpoints of a request, or else new ones, in scene coordinates, with the sections of the model. */
function touchpointsOf(
  request: SupportRequest,
  placed: PlacedMesh,
  standingOf: FindStanding,
  progress: Progress,
): GivenTouchpoints {
  const { settings, layers, walked, areas } = request;
  const given = new Map(
    (request.touchpoints ?? request.kept ?? []).map((point) => [toScene(point, placed), point] as const),
  );
  const boundariesMm = layerBoundaries(placed, request);
  if (!request.touchpoints) {
    const groundMm = standsBelowMm(request);
    const kept = [...given.keys()];
    const wanted = { placed, boundariesMm, settings, groundMm, standingOf, layers, walked, areas, kept };
    return { ...placeTouchpoints(wanted, progress), given };
  }
  const touchpoints = [...given.keys()];
  const positions = touchpoints.map(({ position }) => position);
  return { touchpoints, ...partSections(placed, boundariesMm, positions, progress, layers), given };
}

/** Height below which the model rests on its raft or the platform by itself: its lowest layer, if nothing lifts it. */
const standsBelowMm = ({ settings, layerThicknessMm }: SupportRequest): number =>
  (settings.heightAboveRaftMm === 0 ? liftMm(settings) : 0) + layerThicknessMm;

/** The middles of the struts that stay too slender. */
const slenderPlaces = (tree: SupportTree, touchLoadsN: Float64Array): Vec3[] =>
  freeLengths(tree, touchLoadsN)
    .filter(isSlender)
    .map(({ nodes }) => lerp(ballOf(tree, nodes[0]).centre, ballOf(tree, nodes[nodes.length - 1]).centre, 0.5));
