import * as v from "valibot";
import type { RequestContext } from "../../api/endpoint.ts";
import { lostSupportsWarnings } from "../../api/lost-supports.ts";
import { idsOf } from "../../api/schema.ts";
import { newId } from "../../core/id.ts";
import { containersOf } from "../../scene/cages.ts";
import { appendModels, removeModels } from "../../scene/edit.ts";
import { selectModels } from "../../scene/find.ts";
import type { Model, Scene } from "../../scene/project.ts";
import { type CheckOptions, type CheckedScene, checkScene } from "../findings/check-scene.ts";
import { layOutModels, layoutBody } from "../layout/endpoint.ts";
import { autoOrientModels, orientOptions } from "../orient/endpoint.ts";
import { packBody, packModels } from "../pack/endpoint.ts";
import { supportBody, autoSupportModels } from "../support/endpoint.ts";

export const supportOptions = v.omit(supportBody, ["scene_id", "model_ids"]);
export const layoutOptions = v.omit(layoutBody, ["scene_id", "model_ids", "overflow"]);
export const packOptions = v.omit(packBody, ["scene_id", "model_ids", "overflow"]);

export const OVERFLOWS = ["FAIL", "BESIDE", "NEW_SCENE"] as const;

/** What is done with the models of a scene. A step that is left out is undefined. */
export interface Preparation {
  readonly models: readonly Model[];
  readonly orient: v.InferOutput<typeof orientOptions> | undefined;
  readonly support: v.InferOutput<typeof supportOptions> | undefined;
  /** For resin. */
  readonly layout: v.InferOutput<typeof layoutOptions> | undefined;
  /** For powder. */
  readonly pack: v.InferOutput<typeof packOptions> | undefined;
  /** Whether models whose supports a person edited keep these: they are neither turned nor supported. */
  readonly keepsHandSupports: boolean;
  readonly overflow: (typeof OVERFLOWS)[number];
  /** What is checked in the end; undefined: nothing. */
  readonly check: CheckOptions | undefined;
}

export interface PreparedScene {
  readonly scene: Scene;
  /** The new scene of the models that do not fit, with `overflow` NEW_SCENE. */
  readonly added: Scene | undefined;
  readonly modifiedIds: readonly string[];
  /** Models beside the build volume, of the new scene if there is one. */
  readonly unplacedIds: readonly string[];
  readonly warnings: readonly string[];
  /** Undefined if nothing was checked. */
  readonly checked: CheckedScene | undefined;
}

/** The answer of a step. */
interface StepAnswer {
  readonly modified_model_ids: readonly string[];
  readonly unplaced_model_ids?: readonly string[] | undefined;
  readonly warnings?: readonly string[] | undefined;
}

type StepResult = readonly [Scene, StepAnswer];

interface PreparationStep {
  readonly title: string;
  /** Usual time in relation to the other steps. */
  readonly weight: number;
  readonly run: (scene: Scene) => Promise<StepResult>;
}

/** Titles of the stages of a preparation. */
export const PREPARE_STAGES = {
  orient: "Orienting",
  support: "Supporting",
  layout: "Laying out",
  pack: "Packing",
  check: "Checking",
} as const;

/** Times of a plate of nine parts of 0.3 MB each on two cores, s. */
const ORIENT_S = 2.7;
const SUPPORT_S = 10.7;
const PLACE_S = 1.6;
const CHECK_S = 6.5;

/**
 * Turns, supports, places and checks the models of a scene, by the functions of `auto-orient`, `auto-support`, `auto-layout`, `auto-pack` and
 * `scene/check`. Models with the lock FULLY_LOCKED stay as they are.
 */
export async function prepareScene(
  scene: Scene,
  preparation: Preparation,
  context: RequestContext,
): Promise<PreparedScene> {
  const { check, overflow } = preparation;
  const steps = stepsOf(scene, preparation, context);
  const titles = [...steps.map(({ title }) => title), ...(check ? [PREPARE_STAGES.check] : [])];
  const whole = steps.reduce((sum, { weight }) => sum + weight, check ? CHECK_S : 0);
  const answers: StepAnswer[] = [];
  let [prepared, done] = [scene, 0];
  for (const [i, { weight, run }] of steps.entries()) {
    context.enterStage(titles, i);
    context.enterPhase(done / whole, (done + weight) / whole);
    done += weight;
    const [next, answer] = await run(prepared);
    prepared = next;
    answers.push(answer);
  }
  const unplacedIds = answers.flatMap(({ unplaced_model_ids = [] }) => unplaced_model_ids);
  const placed =
    overflow === "NEW_SCENE" && unplacedIds.length > 0
      ? await withNewScene(prepared, unplacedIds, preparation, context)
      : { scene: prepared, added: undefined, unplacedIds };
  if (check) context.enterStage(titles, steps.length);
  return {
    ...placed,
    modifiedIds: [...new Set(answers.flatMap(({ modified_model_ids }) => modified_model_ids))],
    warnings: [...answers.flatMap((answer) => answer.warnings ?? []), ...lostSupportsWarnings(scene, prepared)],
    checked: check && (await checkScene(placed.scene, { ...check, phase: [done / whole, 1] }, context)),
  };
}

/** The steps of a preparation. Steps without models are left out: an empty list of ids means all models. */
function stepsOf(scene: Scene, preparation: Preparation, context: RequestContext): PreparationStep[] {
  const { models, orient, support, keepsHandSupports } = preparation;
  const unlocked = models.filter(({ lock }) => lock !== "FULLY_LOCKED");
  const model_ids = idsOf(unlocked);
  const remade = idsOf(keepsHandSupports ? unlocked.filter((model) => !hasHandSupports(model)) : unlocked);
  if (model_ids.length === 0) return [];
  const steps: PreparationStep[] = [];
  if (orient && remade.length > 0) {
    const run = (now: Scene): Promise<StepResult> => autoOrientModels(now, selectModels(now, remade), orient, context);
    steps.push({ title: PREPARE_STAGES.orient, weight: ORIENT_S, run });
  }
  if (support && remade.length > 0) {
    const body = { ...support, scene_id: scene.id, model_ids: remade };
    steps.push({
      title: PREPARE_STAGES.support,
      weight: SUPPORT_S,
      run: (now) => autoSupportModels(now, body, context),
    });
  }
  const title = PREPARE_STAGES[preparation.pack ? "pack" : "layout"];
  const place = placingOf(model_ids, preparation, context);
  if (place) steps.push({ title, weight: PLACE_S, run: place });
  return steps;
}

/** Whether the supports of a model hold it at points that a person set or locked. */
const hasHandSupports = ({ supports }: Model): boolean =>
  supports?.touchpoints.some(({ origin, locked }) => origin === "MANUAL" || locked) ?? false;

/** Places these models in a scene. Undefined if the preparation places none. */
function placingOf(
  model_ids: string[],
  { layout, pack, overflow }: Preparation,
  context: RequestContext,
): PreparationStep["run"] | undefined {
  const others = { model_ids, overflow: overflow === "FAIL" ? "FAIL" : "BESIDE" } as const;
  if (layout) return (scene) => layOutModels(scene, { ...layout, ...others, scene_id: scene.id }, context);
  if (pack) return (scene) => packModels(scene, { ...pack, ...others, scene_id: scene.id }, context);
  return undefined;
}

/** Moves models that have no place to a new scene, and places them there. */
async function withNewScene(
  scene: Scene,
  unplacedIds: readonly string[],
  preparation: Preparation,
  context: RequestContext,
): Promise<Pick<PreparedScene, "scene" | "added" | "unplacedIds">> {
  const models = selectModels(scene, unplacedIds);
  const empty: Scene = { id: newId(), setting: scene.setting, models: [], cages: [] };
  const moved = appendModels(empty, models, containersOf(scene, models));
  // Models without a place come from a step that places.
  const [added, answer] = await placingOf(idsOf(models), preparation, context)!(moved);
  return { scene: removeModels(scene, models), added, unplacedIds: answer.unplaced_model_ids ?? [] };
}
