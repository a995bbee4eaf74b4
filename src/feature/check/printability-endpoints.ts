import * as v from "valibot";
import { wirePercent } from "../../scene/wire-numbers.ts";
import type { GroupCheck, LayerFindings } from "../../check/check-group.ts";
import { ApiError } from "../../core/api-error.ts";
import { isRecord } from "../../core/json.ts";
import { runStepwise, mapSteps } from "../../core/steps.ts";
import { memoize } from "../../core/memoize.ts";
import { paired } from "../../core/paired.ts";
import { must } from "../../core/must.ts";
import { sceneBodies } from "../../scene/body-clusters.ts";
import { type EqualGroups, checkGroups } from "../../scene/check-groups.ts";
import { layerBoundariesOf } from "../../scene/layers.ts";
import type { Scene } from "../../scene/project.ts";
import type { SharedItem } from "../../worker/shared-results.ts";
import type { TaskInput, TaskOutput } from "../../worker/task.ts";
import { type Endpoint, type FoundPlace, type RequestContext, readsScene } from "../../api/endpoint.ts";
import { type Field, field, object, strictObject } from "../../api/field.ts";
import { count, perModelReply, perModelResults, sceneId } from "../../api/schema.ts";
import { supportSettingsOf } from "../support/endpoint.ts";
import { checkDivided } from "./check-divided.ts";
import type { checkGroupTask } from "./task.ts";

const sceneBody = strictObject({ scene_id: sceneId });

/** A missing `scene_id` has its own error code, whatever else is in the body (interface, "Printability checks"). */
function requireSceneId(input: unknown): typeof sceneBody {
  if (!isRecord(input) || Object.hasOwn(input, "scene_id")) return sceneBody;
  throw new ApiError("MISSING_PARAMETER", "The body lacks scene_id: give the id of the scene to check.");
}

/** The shape is for the OpenAPI document, as in `oneOf`. */
const body = Object.assign(v.lazy(requireSceneId), { shapes: [sceneBody] });

/** The numbers that the checks count at a model. */
type Findings = Required<Omit<LayerFindings, "places">>;

const NOTHING: Findings = { cups: 0, minima: 0, overhangs: 0, unsupported: 0 };

const FIGURES = Object.keys(NOTHING) as (keyof Findings)[];

interface PrintabilityCheck {
  /** Last segment of the path. */
  readonly name: string;
  readonly check: GroupCheck["check"];
  readonly summary: string;
  /** Name of the number in the result of a model. */
  readonly figure: string;
  readonly value: Field<v.GenericSchema<number>>;
  readonly numberOf: (findings: Findings) => number;
}

/** An endpoint that computes one number for each model of a scene. It is 0 in powder scenes, where powder carries parts. */
const printabilityCheck = ({ name, check, summary, figure, value, numberOf }: PrintabilityCheck): Endpoint =>
  readsScene(
    {
      method: "POST",
      path: `/v1/scene/model/validate/${name}/`,
      summary,
      async: true,
      errors: ["MISSING_PARAMETER"],
      body,
      reply: perModelReply(object({ [figure]: value })),
      places: (scene, _body, _found, context) => placesOf(scene, check, context),
    },
    async (scene, _, context) => {
      const findings = await findingsOf(scene, context);
      return perModelResults(
        scene.models,
        findings.map((ofModel) => ({ [figure]: numberOf(ofModel) })),
      );
    },
  );

/** Checks whose findings are added up in one step, in a few milliseconds. */
const CHECKS_PER_STEP = 2048;

/** Findings of all checks at each model of a scene: the first request computes them for the requests of the other checks as well. */
async function findingsOf(scene: Scene, context: RequestContext): Promise<Findings[]> {
  const found = scene.models.map((): { -readonly [Figure in keyof Findings]: number } => ({ ...NOTHING }));
  const checks = await checksOf(scene);
  const results = await context.computeShared(checkDivided, checks);
  const addFindings = ([{ modelsOfEach }, result]: readonly [SceneCheck, CheckResult]): void => {
    for (const models of modelsOfEach) {
      for (const [index, ofModel] of paired(models, result)) {
        const sums = must(found[index], "A model of the scene");
        for (const figure of FIGURES) sums[figure] += ofModel[figure] ?? 0;
      }
    }
  };
  await runStepwise(mapSteps(paired(checks, results), addFindings, CHECKS_PER_STEP));
  return found;
}

/** Bodies nearer to each other than a pixel of a check are on one grid. */
export const REACH_MM = { CUPS: 0.1, MINIMA: 0.05, SUPPORTEDNESS: 0.1 };

/** A check of equal groups, with the indices of their models in the scene. */
type SceneCheck = SharedItem<TaskInput<typeof checkGroupTask>> & Pick<EqualGroups, "modelsOfEach" | "cornersOfEach">;

type CheckResult = TaskOutput<typeof checkGroupTask>;

/** The checks of all groups of a scene; none for a powder scene. */
const checksOf = memoize(async (scene: Scene): Promise<SceneCheck[]> => {
  const { models, setting } = scene;
  const supportSettings = supportSettingsOf(setting);
  if (models.length === 0 || supportSettings === undefined) return [];
  const { selfSupportingAngleDeg, bridgingDistanceMm } = supportSettings;
  const layered = {
    bodies: sceneBodies(models),
    boundariesMm: await runStepwise(layerBoundariesOf(scene)),
    volume: setting.printerType.volume,
  };
  const near = await runStepwise(checkGroups(layered, REACH_MM.CUPS));
  const nearer = await runStepwise(checkGroups(layered, REACH_MM.MINIMA));
  return [
    ...near.map(({ centred: group, centredKey: key, ...rest }) => ({
      ...rest,
      key: `cups ${key}`,
      input: { check: "CUPS", group } as const,
    })),
    ...nearer.map(({ centred: group, centredKey: key, ...rest }) => ({
      ...rest,
      key: `minima ${key}`,
      input: { check: "MINIMA", group } as const,
    })),
    // Overhangs are found in scene coordinates of single precision, whose rounding depends on the place of the group.
    ...near.map(({ placed: group, placedKey: key, ...rest }) => ({
      ...rest,
      key: `supportedness ${selfSupportingAngleDeg} ${bridgingDistanceMm} ${key}`,
      input: { check: "SUPPORTEDNESS", group, selfSupportingAngleDeg, bridgingDistanceMm } as const,
    })),
  ];
});

/** The places of the findings of one check, per model. Results of a request for the numbers are reused. */
async function placesOf(scene: Scene, check: GroupCheck["check"], context: RequestContext): Promise<FoundPlace[]> {
  const checks = (await checksOf(scene)).filter(({ input }) => input.check === check);
  const results = await context.computeShared(checkDivided, checks);
  const idOf = (index: number): string => must(scene.models[index], "A model of the scene").id;
  const toPlaces = ([{ modelsOfEach, cornersOfEach }, result]: readonly [SceneCheck, CheckResult]): FoundPlace[] => {
    // Overhangs are found at the position of the first of equal groups.
    const [originX, originY] =
      check === "SUPPORTEDNESS" ? must(cornersOfEach[0], "The corner of the first group") : ([0, 0] as const);
    return paired(modelsOfEach, cornersOfEach).flatMap(([models, [x, y]]) => {
      const byMm = [x - originX, y - originY, 0] as const;
      return paired(models, result).flatMap(([index, { places }]) =>
        places.map((place) => ({ modelIds: [idOf(index)], place, byMm })),
      );
    });
  };
  return (await runStepwise(mapSteps(paired(checks, results), toPlaces, CHECKS_PER_STEP))).flat();
}

export const validateCups = printabilityCheck({
  name: "cups",
  check: "CUPS",
  summary: "Counts the cups of each model: pockets that enclose resin while they are printed in the present pose.",
  figure: "cup_count",
  value: field(count, "Number of sealed pockets of at least 1 mm³."),
  numberOf: ({ cups }) => cups,
});

export const validateMinima = printabilityCheck({
  name: "minima",
  check: "MINIMA",
  summary: "Counts the minima of each model: regions that begin without a layer or a support below them.",
  figure: "minima_count",
  value: field(count, "Number of regions that begin in mid-air."),
  numberOf: ({ minima }) => minima,
});

export const validateSupportedness = printabilityCheck({
  name: "supportedness",
  check: "SUPPORTEDNESS",
  summary: "Measures the area of the unsupported overhangs of each model, in percent of the area of its overhangs.",
  figure: "percent_unsupported",
  value: field(
    v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
    "Area of the unsupported overhangs in percent of the area of all overhangs.",
  ),
  numberOf: ({ overhangs, unsupported }) => (overhangs === 0 ? 0 : wirePercent((100 * unsupported) / overhangs)),
});
