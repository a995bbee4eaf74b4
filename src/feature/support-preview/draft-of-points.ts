import { createHash } from "node:crypto";
import { getOrInsert, memoize } from "../../core/memoize.ts";
import { orientationScaleKey } from "../../geometry/pose.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import type { DraftPart } from "../../support/draft/draft-part.ts";
import type { PointList } from "../../support/draft/draft-points.ts";
import type { Draft } from "../../support/draft/draft-supports.ts";
import type { RoutingRequest } from "../../support/draft/routed-points.ts";
import type { RoutedSupports } from "../../support/plan/routed-supports.ts";
import type { SupportRequest } from "../../support/support-request.ts";
import { type Compute, whileHeld } from "../../worker/compute.ts";
import type { HeldValues } from "../../worker/held-values.ts";
import { keptLoads, keptObstacles, knownObstacles } from "../support/kept-part.ts";
import { layersOnThreads, paysForThreads } from "../support/support-on-threads.ts";
import { draftLoadsTask, draftObstaclesTask, draftSupportsTask, routedPointsTask } from "./task.ts";

/**
 * The draft of some points of a part. The part and its last drafts are kept ({@link HeldValues}): the draft of points that were drafted before is
 * the same again, that of others is made from the last one.
 */
export async function draftOfPoints(request: SupportRequest, list: PointList, context: Compute): Promise<Draft> {
  const part = await partOf(request, context);
  const draftKey = `draft ${part.key} ${hashOf(list)}`;
  const recent = recentDrafts(context.held, part.key);
  const make = (): Promise<Draft> => context.compute(draftSupportsTask, { part, list, base: baseOf(recent, context) });
  const draft = await kept(draftKey, request, context, make);
  remember(recent, draftKey);
  return draft;
}

/** Routes the points of a part as a whole, for its next drafts: so that differences from a full routing do not add up over many edits. */
export async function routeAnew(request: SupportRequest, list: PointList, context: Compute): Promise<void> {
  const part = await partOf(request, context);
  const key = `routed ${part.key} ${hashOf(list)}`;
  await kept(key, request, context, () => context.compute(draftSupportsTask, { part, list, base: undefined }));
  remember(recentDrafts(context.held, part.key), key);
}

/**
 * How supports hold the points of a request without their solid, with struts at the place of its model; undefined where only supports with their
 * solid are known to be right: if they leave the volume there, or the model is at another height than they would lift it to.
 */
export async function routedOfPoints(
  { request, touchpoints, position: [x, y, z], volume }: PlacedPoints,
  context: Compute,
): Promise<RoutedSupports | undefined> {
  const part = await partOf(request, context);
  if (Math.abs(part.position[2] - z) > SAME_HEIGHT_MM) return undefined;
  return context.compute(routedPointsTask, { part, touchpoints, place: [x, y], volume });
}

interface PlacedPoints extends Pick<RoutingRequest, "touchpoints" | "volume"> {
  readonly request: SupportRequest;
  /** Of the model. */
  readonly position: Vec3;
}

const SAME_HEIGHT_MM = 1e-3;

/** What drafts need of a part. */
async function partOf(request: SupportRequest, context: Compute): Promise<DraftPart> {
  const key = partKey(request);
  const [draftObstacles, { loads }] = await Promise.all([
    kept(`draft obstacles ${key}`, request, context, () =>
      context.compute(draftObstaclesTask, { ...request, obstacles: knownObstacles(request, context) }),
    ),
    keptLoads(request, context, async () => ({ loads: await loadsOf(request, context) })),
  ]);
  // For the supports that are built next.
  await keptObstacles({ input: request, index: 0, count: 1 }, context, async () => draftObstacles.bvh);
  return { ...draftObstacles, key, loads };
}

/** The loads of the layers of a part. If several threads rasterise these, they are kept for the supports that are built next. */
async function loadsOf(request: SupportRequest, context: Compute): Promise<Float64Array> {
  if (!paysForThreads(request, context)) return context.compute(draftLoadsTask, request);
  const layers = await layersOnThreads({ input: request, index: 0, count: 1 }, context).whole;
  return whileHeld([layers], context, () => context.compute(draftLoadsTask, { ...request, layers }));
}

/** Also values of a few KB are kept: a person waits for each edit. */
const kept = <Value extends object>(
  key: string,
  { placed: { mesh } }: SupportRequest,
  { held }: Compute,
  make: () => Promise<Value>,
): Promise<Value> => held?.keep(key, mesh, make, 0) ?? make();

/** Everything on which the routes and loads of a part depend but its points. */
function partKey({ placed: { mesh, pose }, settings, layerThicknessMm, volume, areas }: SupportRequest): string {
  const place = pose.position.slice(0, 2);
  return JSON.stringify([orientationScaleKey(mesh.hash, pose), place, settings, layerThicknessMm, volume, areas]);
}

const hashOf = ({ points, origin, snapMm }: PointList): string =>
  createHash("sha256")
    .update(points)
    .update(JSON.stringify([origin, snapMm]))
    .digest("hex");

/** Keys of the drafts of a part, the newest last. */
type RecentDrafts = string[];

/** Parts whose drafts are known, and drafts of a part: as many edits can be taken back and give the same trees. */
const MAX_PARTS = 4;
const MAX_DRAFTS = 64;

const partsOf = memoize((_held: HeldValues) => new Map<string, RecentDrafts>());

function recentDrafts(held: HeldValues | undefined, key: string): RecentDrafts {
  if (!held) return [];
  const parts = partsOf(held);
  const recent = getOrInsert(parts, key, (): RecentDrafts => []);
  parts.delete(key);
  parts.set(key, recent);
  for (const oldest of parts.keys()) if (parts.size > MAX_PARTS) parts.delete(oldest);
  return recent;
}

function remember(recent: RecentDrafts, key: string): void {
  const at = recent.indexOf(key);
  if (at >= 0) recent.splice(at, 1);
  recent.push(key);
  if (recent.length > MAX_DRAFTS) recent.shift();
}

/** The forest of the newest draft that is still kept. */
function baseOf(recent: RecentDrafts, { held }: Compute): Float64Array | undefined {
  for (const key of recent.toReversed()) {
    const draft = held?.kept<Draft>(key);
    if (draft) return draft.forest;
  }
  return undefined;
}
