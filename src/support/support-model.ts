import type { Progress } from "../core/progress.ts";
import { boxCentre } from "../geometry/box.ts";
import type { BuildVolume } from "../geometry/build-volume.ts";
import {
  IDENTITY_POSE,
  type Pose,
  rotateVector,
  rotationMatrix,
  toModelSpace,
  toSceneSpace,
  transpose,
} from "../geometry/pose.ts";
import { type Vec3, lerp } from "../geometry/vector.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { type Outline, outlineOf } from "../mesh/outline.ts";
import { layerBoundariesMm } from "../slice/layer-heights.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import { layerAreas, touchLoads } from "./points/layer-areas.ts";
import { placeTouchpoints } from "./points/place-touchpoints.ts";
import type { Touchpoint } from "./points/touchpoint.ts";
import { groundMm, liftMm } from "./solid/raft-form.ts";
import { neededRaftArea } from "./solid/raft-hold.ts";
import { supportSolid } from "./solid/support-solid.ts";
import type { SupportSettings } from "./support-settings.ts";
import { freeLengths, isSlender } from "./tree/buckling.ts";
import { routeTree } from "./tree/route-tree.ts";
import { type SupportTree, ballOf, touchHeights } from "./tree/support-tree.ts";

export interface SupportRequest {
  /** The model's pose; its height is ignored, supports lift the model to their own. */
  readonly placed: PlacedMesh;
  readonly outline: Outline;
  readonly settings: SupportSettings;
  readonly layerThicknessMm: number;
  /** Text of the raft's label, where the settings ask for one. */
  readonly label: string;
  /** In model space. Absent: they are found. */
  readonly touchpoints?: readonly Touchpoint[];
  /** Supports stay inside. Absent: they have no limits. */
  readonly volume?: BuildVolume;
}

export interface SupportedModel {
  /** The lifted model's pose. */
  readonly pose: Pose;
  /** Absent where no touchpoint is needed, or none can be reached. */
  readonly supports?: {
    readonly mesh: Mesh;
    readonly outline: Outline;
    readonly pose: Pose;
    /** In model space. */
    readonly touchpoints: readonly Touchpoint[];
  };
  /** Positions of touchpoints that no support reaches, in scene coordinates. */
  readonly unreached: readonly Vec3[];
  /** Places of struts that may buckle and leave no room for more, in scene coordinates. */
  readonly slender: readonly Vec3[];
  /** Whether the raft is too small to hold the model on the platform, and has no room to be wider. */
  readonly isLoose: boolean;
}

/** What is true of a model without supports. */
const SOUND = { slender: [], isLoose: false };

/** Shares of the progress at which each stage ends; the solid is the last. */
const PROGRESS_SHARES = { touchpoints: 0.35, tree: 0.7 };

/**
 * Lifts a model to the height of its supports, finds its touchpoints where none are given, routes tips and pillars from
 * there to the ground, and makes a solid of them and their raft.
 */
export async function supportModel(request: SupportRequest, progress: Progress): Promise<SupportedModel> {
  const { outline, settings, label, volume } = request;
  const placed = lifted(request);
  const { pose } = placed;
  const boundariesMm = layerBoundaries(placed, request);
  const placing = progress.part(0, PROGRESS_SHARES.touchpoints);
  const { touchpoints, layers } = request.touchpoints
    ? {
        touchpoints: request.touchpoints.map((point) => toScene(point, placed)),
        layers: layerAreas(placed, boundariesMm, placing),
      }
    : placeTouchpoints({ placed, boundariesMm, settings }, placing);
  if (touchpoints.length === 0) return { pose, ...SOUND, unreached: [] };
  const tree = routeTree(
    { placed, touchpoints, layers, settings, groundMm: groundMm(settings), volume },
    progress.part(PROGRESS_SHARES.touchpoints, PROGRESS_SHARES.tree),
  );
  const unreached = touchpoints.flatMap(({ position }, i) => (tree.touches[i] < 0 ? [position] : []));
  if (tree.struts.length === 0) return { pose, ...SOUND, unreached };
  const footprint = outline.hullXy.map((coordinate, i) => pose.position[i % 2] + pose.scale * coordinate);
  const { mesh, isLoose } = await supportSolid(
    { tree, settings, footprint, volume, label, neededAreaMm2: neededRaftArea(layers) },
    progress.part(PROGRESS_SHARES.tree, 1),
  );
  return {
    pose,
    supports: {
      mesh,
      outline: outlineOf(mesh, rotationMatrix(IDENTITY_POSE.orientation)),
      // The mesh has scene coordinates.
      pose: { ...IDENTITY_POSE, position: boxCentre(mesh.box) },
      touchpoints: touchpoints.map((point) => toModel(point, placed)),
    },
    unreached,
    slender: slenderPlaces(tree, touchLoads(layers, touchHeights(tree), settings.touchpointSizeMm)),
    isLoose,
  };
}

/** The middles of the struts that stay too slender. */
const slenderPlaces = (tree: SupportTree, touchLoadsN: Float64Array): Vec3[] =>
  freeLengths(tree, touchLoadsN)
    .filter(isSlender)
    .map(({ nodes }) => lerp(ballOf(tree, nodes[0]).centre, ballOf(tree, nodes[nodes.length - 1]).centre, 0.5));

/** The model with its lowest point at the height that its supports give it. */
function lifted({ placed: { mesh, pose }, outline, settings }: SupportRequest): PlacedMesh {
  const [x, y] = pose.position;
  return { mesh, pose: { ...pose, position: [x, y, liftMm(settings) - pose.scale * outline.box.min[2]] } };
}

function layerBoundaries({ pose }: PlacedMesh, { outline, layerThicknessMm }: SupportRequest): Float64Array {
  return layerBoundariesMm(layerThicknessMm, pose.position[2] + pose.scale * outline.box.max[2], []);
}

/** A touchpoint in model space, as one in scene coordinates. */
export const toScene = (point: Touchpoint, placed: PlacedMesh): Touchpoint => ({
  ...point,
  position: toSceneSpace(placed, point.position),
  normal: rotateVector(rotationMatrix(placed.pose.orientation), point.normal),
});

/** The inverse of {@link toScene}. */
const toModel = (point: Touchpoint, placed: PlacedMesh): Touchpoint => ({
  ...point,
  position: toModelSpace(placed, point.position),
  normal: rotateVector(transpose(rotationMatrix(placed.pose.orientation)), point.normal),
});
