import { paired } from "../../core/paired.ts";
import { boxSize } from "../../geometry/box.ts";
import { partVolume } from "../../catalog/shrink-factors.ts";
import type { BuildVolume } from "../../geometry/build-volume.ts";
import type { Setting } from "../../catalog/setting.ts";
import { operationFailed } from "../../core/api-error.ts";
import { getOrInsert } from "../../core/memoize.ts";
import { type Pose, orientationScaleKey, toModelSpace } from "../../geometry/pose.ts";
import { type Vec3, add } from "../../geometry/vector.ts";
import { layerThicknessOf } from "../../scene/layers.ts";
import { internMesh } from "../../scene/model-mesh.ts";
import { bodyBox, isInBounds, placeModel } from "../../scene/placement.ts";
import { type Model, quotedName } from "../../scene/project.ts";
import type { PartLayers } from "../../hold/part-sections.ts";
import type { WalkedPart } from "../../support/points/walk-part.ts";
import type { SupportedModel } from "../../support/support-model.ts";
import type { SupportRequest } from "../../support/support-request.ts";
import type { SupportArea } from "../../support/plan/support-area.ts";
import type { Touchpoint } from "../../support/points/touchpoint.ts";
import type { SupportSettings } from "../../support/support-settings.ts";
import type { BatchItem } from "../../worker/task.ts";
import { type Compute, whileHeld } from "../../worker/compute.ts";
import { idsOf } from "../../api/schema.ts";
import { mapDistinct } from "../mesh-tasks.ts";
import { keptLoads, keptObstacles, layersKey } from "./kept-part.ts";
import { keptSupports } from "./kept-supports.ts";
import { supportWarnings } from "./support-warnings.ts";
import {
  type LayersOfPart,
  layersOnThreads,
  paysForThreads,
  supportOnThreads,
  walkOnThreads,
} from "./support-on-threads.ts";
import { rasterisePartTask, refitSupportsTask } from "./task.ts";

/** A model to support. */
export interface SupportTarget {
  readonly model: Model;
  readonly settings: SupportSettings;
  /** In the coordinates of the raw mesh. Without them, touchpoints are chosen. */
  readonly touchpoints?: readonly Touchpoint[];
  /** As of {@link SupportRequest}. */
  readonly kept?: readonly Touchpoint[] | undefined;
  readonly areas?: readonly SupportArea[] | undefined;
}

/** Models with their new supports, and the answer of the request. */
interface SupportedModels {
  readonly models: readonly Model[];
  readonly answer: { readonly modified_model_ids: string[]; readonly warnings: string[] };
}

/**
 * Builds the supports of models on all threads. Models that differ only in their position share the supports of a free-standing model.
 * If only the raft of these would leave the build volume, the raft ends at the rim; if more would, supports are routed from the same
 * touchpoints for the position of the model. Supports of a single model near the edge are routed there at once.
 */
export async function supportModels(
  targets: readonly SupportTarget[],
  setting: Setting,
  context: Compute,
): Promise<SupportedModels> {
  for (const { model } of targets) requirePrintableSize(model, setting.printerType.volume);
  const requests = targets.map((target) => freeRequestOf(target, setting));
  const keys = requests.map(keyOf);
  const alike = Map.groupBy(keys, (key) => key);
  const jobs = paired(paired(targets, requests), keys).map(([[target, request], key], index) => {
    return { target, request, key, index, isSingle: alike.get(key)?.length === 1 };
  });
  const batch = new SupportBatch(setting, context, jobs);
  const results = await mapDistinct(
    jobs,
    ({ target: { model }, key }) => [...model.pose.position.slice(0, 2), key].join(" "),
    (job) => batch.support(job),
  );
  const supported = paired(targets, results).map(([target, result]) => ({
    model: withSupports(target, result, setting),
    result,
  }));
  const models = supported.map(({ model }) => model);
  const warnings = supported.flatMap(({ model, result }) => supportWarnings(model, result, setting));
  return { models, answer: { modified_model_ids: idsOf(models), warnings } };
}

interface SupportJob {
  readonly target: SupportTarget;
  /** The request for the model in the middle of the platform. */
  readonly request: SupportRequest;
  /** Equal for models that share free-standing supports. */
  readonly key: string;
  /** Index among the models of the batch. */
  readonly index: number;
  /** Whether no other model of the batch has the key. */
  readonly isSingle: boolean;
}

/** Computes the supports of the models of one request. */
class SupportBatch {
  readonly #setting: Setting;
  readonly #context: Compute;
  readonly #count: number;
  /** Whether several threads share the work of a model: not where there are as many models as threads. */
  readonly #isDivided: boolean;
  /** By {@link layersKey}: models differ in their labels, and supports are routed several times near the edge of the platform. */
  readonly #layers = new Map<string, LayersOfPart>();
  /** Walks through the layers, by the key of free-standing supports. */
  readonly #walks = new Map<string, Promise<WalkedPart>>();
  /** Free-standing supports by key, computed at the first use: a single model near the edge of the platform may need none. */
  readonly #freeStanding = new Map<string, Promise<SupportedModel>>();

  constructor(setting: Setting, context: Compute, jobs: readonly SupportJob[]) {
    this.#setting = setting;
    this.#context = context;
    this.#count = jobs.length;
    this.#isDivided = new Set(jobs.map(({ key }) => key)).size < context.tasksAtOnce(rasterisePartTask, Infinity);
  }

  get #volume(): BuildVolume {
    return partVolume(this.#setting);
  }

  /** The supports of a model at its position. */
  async support(job: SupportJob): Promise<SupportedModel> {
    const { target } = job;
    const { model } = target;
    if (job.isSingle && isNearEdge(model, this.#volume) && isInBounds(bare(model), this.#setting)) {
      const routed = await this.#route(job, target.touchpoints);
      if (this.#isInside(target, routed)) return routed;
    }
    const free = await getOrInsert(this.#freeStanding, job.key, () => this.#kernel(job.request, job));
    const [x, y] = model.pose.position;
    const moved = translated(free, [x, y, 0]);
    const isWholeInside = isInBounds(withSupports(target, moved, this.#setting), this.#setting);
    if (isWholeInside || !this.#isInside(target, moved)) return moved;
    const refitted = await this.#refit(free, [x, y], job.index);
    if (refitted) return { ...moved, ...refitted };
    const routed = await this.#route(job, free.supports?.touchpoints ?? target.touchpoints);
    // Close to the rim other touchpoints may be reachable.
    return target.touchpoints || holdsAsMuch(routed, free) ? routed : this.#route(job, target.touchpoints);
  }

  /** The supports of a request. */
  #kernel(request: SupportRequest, job: SupportJob): Promise<SupportedModel> {
    const make = async (): Promise<SupportedModel> => {
      const made = await this.#built(request, job);
      const { loads } = made;
      // A person who edits the supports next gets the first draft sooner.
      if (loads) await keptLoads(request, this.#context, async () => ({ loads }));
      return made;
    };
    return request.touchpoints ? keptSupports(request, this.#context, make) : make();
  }

  async #built(request: SupportRequest, { index, key }: SupportJob): Promise<SupportedModel> {
    const context = this.#context;
    const item = { input: request, index, count: this.#count };
    if (!this.#isDivided || !paysForThreads(request, context)) return supportOnThreads(item, context);
    const isFirst = !this.#layers.has(layersKey(request));
    const layers = getOrInsert(this.#layers, layersKey(request), () => layersOnThreads(item, context));
    const [known, obstacles] = await Promise.all([
      request.touchpoints ? layersOf(layers) : this.#walked(item, key, layers),
      // At the same time as the layers: if they were made before, building it on another thread would gain nothing.
      isFirst ? keptObstacles(item, context) : undefined,
    ]);
    const input = { ...request, ...known, obstacles };
    return whileHeld([...Object.values(known), obstacles], context, () =>
      supportOnThreads({ ...item, input }, context),
    );
  }

  async #walked(item: BatchItem<SupportRequest>, key: string, layers: LayersOfPart): Promise<{ walked: WalkedPart }> {
    const walk = (): Promise<WalkedPart> => walkOnThreads(item, layers, this.#context);
    return { walked: await getOrInsert(this.#walks, key, walk) };
  }

  /** Supports that are routed within the build volume for the position of the model. */
  #route(job: SupportJob, touchpoints: readonly Touchpoint[] | undefined): Promise<SupportedModel> {
    const { target } = job;
    const at = requestOf({ ...target, ...(touchpoints && { touchpoints }) }, target.model.pose.position, this.#setting);
    return this.#kernel({ ...at, volume: this.#volume }, job);
  }

  /** Whether the model, without its supports, is inside the build volume at the height that its supports give it. */
  #isInside(target: SupportTarget, result: SupportedModel): boolean {
    return isInBounds(bare(withSupports(target, result, this.#setting)), this.#setting);
  }

  /**
   * Free-standing supports with a smaller raft, for a position where the raft would leave the volume; undefined if more than the raft
   * would.
   */
  async #refit(
    { skeleton, supports }: SupportedModel,
    offset: readonly [x: number, y: number],
    index: number,
  ): Promise<Pick<SupportedModel, "supports" | "isLoose"> | undefined> {
    if (!skeleton || !supports) return undefined;
    const input = { skeleton, offset, volume: this.#volume };
    const made = await this.#context.compute(refitSupportsTask, { input, index, count: this.#count });
    if (!made) return undefined;
    const { isLoose, tree, ...body } = made;
    return { supports: { ...supports, ...body, routed: { ...supports.routed, tree } }, isLoose };
  }
}

const layersOf = async ({ whole }: LayersOfPart): Promise<{ layers: PartLayers }> => ({ layers: await whole });

const holdsAsMuch = (there: SupportedModel, free: SupportedModel): boolean =>
  there.unreached.length <= free.unreached.length && there.weaknesses.length <= free.weaknesses.length;

const bare = (model: Model): Model => ({ ...model, supports: undefined });

/** Pillars lean out by at most this, mm; rafts are hardly wider. */
const NEAR_EDGE_MM = 10;

function isNearEdge(model: Model, { dimensionsMm }: BuildVolume): boolean {
  const { min, max } = bodyBox(model);
  return ([0, 1] as const).some((axis) => Math.max(-min[axis], max[axis]) + NEAR_EDGE_MM > dimensionsMm[axis] / 2);
}

/** Larger models are rejected: they cannot be printed, and the computation has no limit of time. Multiple of the volume. */
const MAX_SIZE_RATIO = 2;

function requirePrintableSize(model: Model, { dimensionsMm }: BuildVolume): void {
  const size = boxSize(bodyBox(model));
  if (paired(size, dimensionsMm).every(([mm, limitMm]) => mm <= MAX_SIZE_RATIO * limitMm)) return;
  throw operationFailed(
    `The model ${quotedName(model)} measures ${size.map((mm) => mm.toFixed(0)).join(" × ")} mm and is far larger than the build ` +
      `volume of ${dimensionsMm.join(" × ")} mm: scale it down, or change its units. Nothing was changed.`,
  );
}

function requestOf(target: SupportTarget, position: Vec3, setting: Setting): SupportRequest {
  const { model, settings, touchpoints, kept, areas } = target;
  const { mesh, outline, pose, name } = model;
  const thickness = layerThicknessOf(setting);
  return {
    placed: { mesh, pose: { ...pose, position } },
    outline,
    settings,
    layerThicknessMm: typeof thickness === "number" ? thickness : thickness.minMm,
    label: name,
    ...(touchpoints && { touchpoints }),
    ...(kept && kept.length > 0 && { kept }),
    ...(areas && areas.length > 0 && { areas }),
  };
}

/** The request for a model alone: at its place within the volume if it is near the edge of it, else in the middle of the platform. */
export function singleRequestOf(target: SupportTarget, setting: Setting): SupportRequest {
  const { model } = target;
  const volume = partVolume(setting);
  requirePrintableSize(model, volume);
  return isNearEdge(model, volume) && isInBounds(bare(model), setting)
    ? { ...requestOf(target, model.pose.position, setting), volume }
    : freeRequestOf(target, setting);
}

/** The request for the model in the middle of the platform. */
const freeRequestOf = (target: SupportTarget, setting: Setting): SupportRequest =>
  requestOf(target, [0, 0, target.model.pose.position[2]], setting);

/** Equal for models whose supports differ only in their position. */
function keyOf({ placed: { mesh, pose }, settings, label, touchpoints, kept, areas }: SupportRequest): string {
  const printedLabel = settings.raftLabelEnabled ? label : "";
  return JSON.stringify([orientationScaleKey(mesh.hash, pose), settings, printedLabel, touchpoints, kept, areas]);
}

const translated = (
  { pose, supports, unreached, weaknesses, slender, isLoose }: SupportedModel,
  offset: Vec3,
): SupportedModel => ({
  pose: { ...pose, position: add(pose.position, offset) },
  ...(supports && {
    supports: { ...supports, pose: { ...supports.pose, position: add(supports.pose.position, offset) } },
  }),
  unreached: unreached.map((place) => add(place, offset)),
  weaknesses: weaknesses.map((weakness) => ({ ...weakness, point: add(weakness.point, offset) })),
  slender: slender.map((place) => add(place, offset)),
  isLoose,
});

function withSupports({ model, settings }: SupportTarget, supported: SupportedModel, setting: Setting): Model {
  const { pose, supports, unreached, slender, weaknesses, isLoose } = supported;
  const [x, y] = model.pose.position;
  const lifted: Pose = { ...model.pose, position: [x, y, pose.position[2]] };
  const placed = { mesh: model.mesh, pose: lifted };
  const inMesh = (places: readonly Vec3[]): Vec3[] => places.map((place) => toModelSpace(placed, place));
  const unheld = inMesh(weaknesses.map(({ point }) => point));
  const faults = { unreached: inMesh(unreached), slender: inMesh(slender), unheld, isLoose };
  const internedSupports = supports && { ...supports, mesh: internMesh(supports.mesh), settings, faults };
  return placeModel({ ...model, pose: lifted, supports: internedSupports, lostSupports: undefined }, setting);
}
