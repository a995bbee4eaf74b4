import type { GroupCheck, LayerFindings } from "../../check/check-group.ts";
import { must } from "../../core/must.ts";
import { paired } from "../../core/paired.ts";
import { mapSteps, runStepwise } from "../../core/steps.ts";
import { toModelSpace } from "../../geometry/pose.ts";
import { wirePercent } from "../../scene/wire-numbers.ts";
import { sceneBodies } from "../../scene/body-clusters.ts";
import { type EqualGroups, separateGroups } from "../../scene/check-groups.ts";
import { layerBoundariesOf } from "../../scene/layers.ts";
import type { Model, Scene } from "../../scene/project.ts";
import type { SharedItem } from "../../worker/shared-results.ts";
import type { RequestContext } from "../../api/endpoint.ts";
import { checkDivided } from "../check/check-divided.ts";
import { NEGLIGIBLE_PERCENT } from "../check/page.ts";
import { supportSettingsOf } from "../support/endpoint.ts";
import type { Found } from "./causes.ts";
import { closePairs } from "./overlaps.ts";

export type LayerCheck = GroupCheck["check"];

/** A check of equal groups. */
interface CheckOfGroups extends SharedItem<GroupCheck> {
  readonly groups: EqualGroups;
}

/** Groups whose findings are described in one step, in a few milliseconds. */
const GROUPS_PER_STEP = 512;

/**
 * The findings of checks of layers. Each model, or group of models that are close to each other, is examined on a grid of its own, so that a
 * result is found again wherever the model is moved. None in powder, which carries the parts. `offsetMm`: that of the check of overlaps, which
 * then shares its results.
 */
export async function layerFindings(
  scene: Scene,
  checks: readonly LayerCheck[],
  offsetMm: number,
  context: RequestContext,
): Promise<Found[]> {
  const items = await checksOf(scene, checks, offsetMm, context);
  const results = await context.computeShared(checkDivided, items);
  const found = mapSteps(paired(items, results), ([item, result]) => foundIn(scene, item, result), GROUPS_PER_STEP);
  return (await runStepwise(found)).flat();
}

async function checksOf(
  scene: Scene,
  checks: readonly LayerCheck[],
  offsetMm: number,
  context: RequestContext,
): Promise<CheckOfGroups[]> {
  const { models, setting } = scene;
  const settings = supportSettingsOf(setting);
  if (models.length === 0 || settings === undefined) return [];
  const { selfSupportingAngleDeg, bridgingDistanceMm } = settings;
  const boundariesMm = await runStepwise(layerBoundariesOf(scene));
  const layered = { bodies: sceneBodies(models), boundariesMm, volume: setting.printerType.volume };
  const indices = new Map(models.map((model, i) => [model, i]));
  const indexOf = (model: Model): number => must(indices.get(model), "A model of the scene");
  const near = (await closePairs(scene, offsetMm, context)).map(
    ({ models: [a, b] }) => [indexOf(a), indexOf(b)] as const,
  );
  const found = await runStepwise(separateGroups(layered, near));
  return checks.flatMap((check) =>
    found.map((groups): CheckOfGroups => {
      const { centred: group, centredKey, effort } = groups;
      if (check !== "SUPPORTEDNESS")
        return { key: `${check.toLowerCase()} ${centredKey}`, input: { check, group }, effort, groups };
      const key = `supportedness ${selfSupportingAngleDeg} ${bridgingDistanceMm} ${centredKey}`;
      return { key, input: { check, group, selfSupportingAngleDeg, bridgingDistanceMm }, effort, groups };
    }),
  );
}

/** What a check found at the models of equal groups. */
function foundIn(scene: Scene, { input, groups }: CheckOfGroups, result: readonly LayerFindings[]): Found[] {
  return groups.modelsOfEach.flatMap((indices) =>
    paired(indices, result).flatMap(([index, findings], inGroup): Found[] => {
      const found = describe(must(scene.models[index], "A model of the scene"), findings);
      if (!found) return [];
      const body = input.group.bodies.find(({ model, isSupport }) => model === inGroup && !isSupport);
      const places = findings.places.flatMap(({ point }) => (body ? [toModelSpace(body.placed, point)] : []));
      return [{ ...found, places }];
    }),
  );
}

function describe(model: Model, findings: LayerFindings): Found | undefined {
  const { cups = 0, minima = 0, overhangs = 0, unsupported = 0, places } = findings;
  const models = [model];
  if (cups > 0) return { cause: "CUPS", models, count: cups, size: places.reduce((sum, { size }) => sum + size, 0) };
  if (minima > 0) {
    return { cause: model.supports ? "MINIMA" : "IN_THE_AIR", models, count: minima, size: minima };
  }
  const percent = overhangs === 0 ? 0 : wirePercent((100 * unsupported) / overhangs);
  return percent > NEGLIGIBLE_PERCENT
    ? { cause: "UNSUPPORTED", models, count: places.length, size: percent }
    : undefined;
}
