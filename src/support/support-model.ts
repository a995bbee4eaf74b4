import { type BuildVolume, centreOf, type Vec3 } from "../core/geometry.ts";
import type { Watch } from "../core/watch.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { Outline } from "../mesh/outline.ts";
import { outlineOf } from "../mesh/outline-of.ts";
import { HOME, type Pose, toMatrix } from "../mesh/pose.ts";
import { layerBoundariesMm } from "../slice/layer-heights.ts";
import type { Placed } from "../slice/placed.ts";
import { toRaw, toScene } from "./on-the-model.ts";
import { touchpointsOf } from "./points/touchpoints-of.ts";
import { groundMm, liftMm } from "./raft/ground.ts";
import type { SupportSettings } from "./settings.ts";
import { supportSolid } from "./solid/support-solid.ts";
import type { Touchpoint } from "./touchpoint.ts";
import { routeTree } from "./tree/route-tree.ts";

export interface SupportRequest {
  /** Where the model stands, seen from above; supports lift it to their own height. */
  readonly placed: Placed;
  /** Of the model. */
  readonly outline: Outline;
  readonly settings: SupportSettings;
  readonly layerThicknessMm: number;
  /** What the raft says where it is labelled. */
  readonly label: string;
  /** Where to hold the model, in the coordinates of its raw mesh; absent: wherever it needs to be held. */
  readonly touchpoints?: readonly Touchpoint[];
  /** What nothing may stand out of; absent: the model stands free. */
  readonly room?: { readonly volume: BuildVolume };
}

export interface SupportedModel {
  /** Where the model stands on its supports. */
  readonly pose: Pose;
  /** Absent where nothing needs to be held, or nothing can be. */
  readonly supports?: {
    readonly mesh: Mesh;
    readonly outline: Outline;
    readonly pose: Pose;
    /** In the coordinates of the model's raw mesh. */
    readonly touchpoints: readonly Touchpoint[];
  };
  /** Places of touchpoints that no support leads to, in scene coordinates. */
  readonly unreached: readonly Vec3[];
}

/** Shares of the progress at which the touchpoints are known, and the way from each to the ground. */
const HELD = 0.35;
const ROUTED = 0.7;

/** Lifts a model, finds where it must be held, leads tips and pillars from there to the ground and makes a solid of them. */
export async function supportModel(request: SupportRequest, watch: Watch): Promise<SupportedModel> {
  const { outline, settings, label, room } = request;
  const placed = lifted(request);
  const { pose } = placed;
  const touchpoints =
    request.touchpoints?.map((point) => toScene(point, placed)) ??
    touchpointsOf({ placed, boundariesMm: boundariesOf(placed, request), settings }, watch.part(0, HELD));
  if (touchpoints.length === 0) return { pose, unreached: [] };
  const ground = groundMm(settings);
  const tree = routeTree({ placed, touchpoints, settings, groundMm: ground, room }, watch.part(HELD, ROUTED));
  const unreached = touchpoints.flatMap(({ position }, i) => (tree.touches[i]! < 0 ? [position] : []));
  if (tree.struts.length === 0) return { pose, unreached };
  const footprint = outline.hullXy.map((coordinate, i) => pose.position[i % 2] + pose.scale * coordinate);
  const mesh = await supportSolid({ tree, settings, footprint, room, label }, watch.part(ROUTED, 1));
  return {
    pose,
    supports: {
      mesh,
      outline: outlineOf(mesh, toMatrix(HOME.orientation)),
      pose: asFiled(mesh),
      touchpoints: touchpoints.map((point) => toRaw(point, placed)),
    },
    unreached,
  };
}

/** The model with its lowest point as high as its supports carry it. */
function lifted({ placed: { mesh, pose }, outline, settings }: SupportRequest): Placed {
  const [x, y] = pose.position;
  return { mesh, pose: { ...pose, position: [x, y, liftMm(settings) - pose.scale * outline.box.min[2]] } };
}

function boundariesOf({ pose }: Placed, { outline, layerThicknessMm }: SupportRequest): Float64Array {
  return layerBoundariesMm(layerThicknessMm, pose.position[2] + pose.scale * outline.box.max[2], []);
}

/** Where a mesh stands whose coordinates are those of the scene. */
const asFiled = ({ box }: Mesh): Pose => ({ ...HOME, position: centreOf(box) });
