import * as v from "valibot";
import { changesProject } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { type OneOf, ids, modelIds, modifiedModelIds, sceneId, uuid, warningsList } from "../../api/schema.ts";
import type { Family } from "../../catalog/setting.ts";
import { ApiError } from "../../core/api-error.ts";
import { appendScenes, replaceScene } from "../../scene/edit.ts";
import { findScene, selectModels } from "../../scene/find.ts";
import { CHECK_KINDS } from "../../scene/findings.ts";
import type { Scene } from "../../scene/project.ts";
import type { CheckOptions } from "../findings/check-scene.ts";
import { checkedOnWire, checkedReply } from "../findings/endpoint.ts";
import { checkBounds } from "../layout/endpoint.ts";
import { orientOptions } from "../orient/endpoint.ts";
import {
  OVERFLOWS,
  type Preparation,
  layoutOptions,
  packOptions,
  prepareScene,
  supportOptions,
} from "./prepare-scene.ts";

const flag = v.boolean();

/** Whether a step is done, or its options. */
function step<Options extends v.GenericSchema>(options: Options, sentence: string) {
  const choose = (input: unknown): Options | typeof flag => (typeof input === "object" ? options : flag);
  const either: OneOf<Options | typeof flag> = Object.assign(v.lazy(choose), { shapes: [flag, options] });
  return field(v.optional(either), `${sentence} Done with its defaults if true or absent, left out if false.`);
}

const prepareBody = strictObject({
  scene_id: sceneId,
  model_ids: modelIds,
  orient: step(orientOptions, "For resin: how models are turned, with the fields of auto-orient."),
  support: step(supportOptions, "For resin: how models are supported, with the fields of auto-support."),
  layout: step(layoutOptions, "For resin: how models are arranged, with the fields of auto-layout."),
  pack: step(packOptions, "For powder: how models are packed, with the fields of auto-pack."),
  keep_hand_supports: field(
    v.optional(v.boolean(), true),
    "Whether models whose supports have points that a person set or locked keep them: these models are neither turned nor supported anew.",
  ),
  overflow: field(
    v.optional(v.picklist(OVERFLOWS), "FAIL"),
    "What happens if not all models fit. FAIL: nothing changes. BESIDE: the others stand in rows beside the build volume. NEW_SCENE: the others come to a new scene with the same print setting, where they are arranged in the same way.",
  ),
  check: field(
    v.optional(v.picklist(["QUICK", "ALL", "NONE"]), "QUICK"),
    "What is checked in the end, as by scene/check. QUICK: all kinds but THIN_FEATURES. ALL: walls thinner than 0.4 mm as well. NONE: nothing.",
  ),
});

type PrepareRequest = v.InferOutput<typeof prepareBody>;

export const prepare = changesProject(
  {
    method: "POST",
    path: "/v1/scene/prepare/",
    errors: ["UNSUPPORTED_SCENE", "BUILD_VOLUME_LIMIT_EXCEEDED"],
    summary:
      "An addition to the interface. Turns, supports and arranges the models of a resin scene, or packs those of a powder scene, and checks the result, as one change: if it fails or is cancelled, the scene stays as it was. Models with the lock FULLY_LOCKED stay as they are.",
    body: prepareBody,
    reply: object({
      modified_model_ids: modifiedModelIds,
      unplaced_model_ids: field(
        ids,
        "Ids of the models for which there was no room, beside the build volume; of the new scene if there is one.",
      ),
      new_scene_id: field(v.nullable(uuid), "Id of the new scene; null if there is none."),
      status: field(v.nullable(checkedReply.status), "As scene/check; null if nothing was checked."),
      findings: checkedReply.findings,
      warnings: warningsList,
    }),
    async: true,
    waitsFor: ({ scene_id }) => [scene_id],
    check({ layout }) {
      if (typeof layout === "object") checkBounds(layout);
    },
  },
  async (body, context, project) => {
    const scene = findScene(project, body.scene_id);
    const preparation = preparationOf(scene, body);
    const { scene: next, added, checked, ...prepared } = await prepareScene(scene, preparation, context);
    return [
      (now) => appendScenes(replaceScene(now, next), added ? [added] : [], context.maxScenes),
      {
        modified_model_ids: [...prepared.modifiedIds],
        unplaced_model_ids: [...prepared.unplacedIds],
        new_scene_id: added?.id ?? null,
        ...(checked ? checkedOnWire(next, checked) : { status: null, findings: [] }),
        warnings: [...prepared.warnings],
      },
    ];
  },
);

/** The steps of each family of printers. */
const STEPS = { resin: ["orient", "support", "layout"], powder: ["pack"] } as const satisfies Record<
  Family,
  readonly (keyof PrepareRequest)[]
>;

/** Thickness below which walls count as thin, mm: the preset of the page's search for thin walls. */
const THIN_MM = 0.4;

const CHECKS: Readonly<Record<"QUICK" | "ALL", CheckOptions>> = {
  QUICK: {},
  ALL: { checks: CHECK_KINDS, thresholdMm: THIN_MM },
};

function preparationOf(scene: Scene, body: PrepareRequest): Preparation {
  const { family, label } = scene.setting.printerType;
  const other = family === "resin" ? "powder" : "resin";
  const foreign = STEPS[other].find((name) => body[name] !== undefined);
  if (foreign !== undefined)
    throw new ApiError(
      "UNSUPPORTED_SCENE",
      `${foreign} is for ${other} printers; the scene is for the ${family} printer ${label}. Leave it out, or use another scene.`,
    );
  const isResin = family === "resin";
  return {
    models: selectModels(scene, body.model_ids),
    orient: isResin ? optionsOf(body.orient, orientOptions) : undefined,
    support: isResin ? optionsOf(body.support, supportOptions) : undefined,
    layout: isResin ? optionsOf(body.layout, layoutOptions) : undefined,
    pack: isResin ? undefined : optionsOf(body.pack, packOptions),
    keepsHandSupports: body.keep_hand_supports,
    overflow: body.overflow,
    check: body.check === "NONE" ? undefined : CHECKS[body.check],
  };
}

/** The options of a step; undefined if it is left out. */
function optionsOf<Options extends v.GenericSchema>(
  given: boolean | v.InferOutput<Options> | undefined,
  schema: Options,
): v.InferOutput<Options> | undefined {
  if (given === false) return undefined;
  return given === undefined || given === true ? v.parse(schema, {}) : given;
}
