import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import { settingFromFps, settingWithFigures } from "../../catalog/custom-print-setting.ts";
import { resinFiguresSchema } from "../../catalog/resin.ts";
import { resolveCombination } from "../../catalog/resolve.ts";
import { type Setting, settingsOnWire } from "../../catalog/setting.ts";
import { excerpt, withErrorPrefix } from "../../core/api-error.ts";
import { newId } from "../../core/id.ts";
import { runStepwise } from "../../core/steps.ts";
import { latticeOf } from "../../scene/cages.ts";
import { appendScenes, removeModels, removeScene } from "../../scene/edit.ts";
import { findScene } from "../../scene/find.ts";
import { sceneOnWire } from "../../scene/on-wire.ts";
import { placeModels } from "../../scene/placement.ts";
import { type Model, type Scene, quotedNames, withLostSupports } from "../../scene/project.ts";
import { type RequestContext, changesProject, changesScene, readsProject, readsScene } from "../../api/endpoint.ts";
import { type Fields, field, object, strictObject } from "../../api/field.ts";
import {
  ids,
  idsOf,
  layerThicknessMm,
  machineType,
  materialCode,
  oneOf,
  printSetting,
  sceneId,
  sceneName,
  sceneReply,
  sceneSettings,
  warningsReply,
} from "../../api/schema.ts";
import { supportSettingsOf } from "../support/endpoint.ts";
import { requireFile } from "../../api/preconditions.ts";
import { commonVolumesOf } from "../slice/common-volumes.ts";
import { openFpsTask } from "../print-settings/task.ts";

const combinationFields = {
  machine_type: machineType,
  material_code: materialCode,
  print_setting: printSetting,
  layer_thickness_mm: layerThicknessMm,
  resin_settings: field(
    v.optional(resinFiguresSchema),
    "An addition to the interface, for open printers: figures of the resin in place of those of the combination, and in its units. layer_thickness_mm may then be any from half to twice one that the catalog has; without exposure_s, the exposure is estimated for it.",
  ),
};

type CombinationRequest =
  | v.InferOutput<v.StrictObjectSchema<typeof combinationFields, undefined>>
  | { fps_file: string };

/** The schema of a body with a combination, given by its fields or by an `.fps` file, and the fields of `others`. */
function combinationBody<Others extends Fields>(others: Others) {
  // valibot cannot infer the output of an object schema whose fields are partly generic.
  type Shape = v.GenericSchema<unknown, v.InferOutput<v.ObjectSchema<Others, undefined>> & CombinationRequest>;
  const withFields = strictObject({ ...others, ...combinationFields }) as unknown as Shape;
  const withFile = strictObject({
    ...others,
    fps_file: field(
      v.string(),
      "Absolute path of an .fps file with the print setting of the scene. It replaces the other four fields.",
    ),
  }) as unknown as Shape;
  return oneOf({ fps_file: withFile }, withFields);
}

function checkCombination(request: CombinationRequest): void {
  if ("fps_file" in request) requireFile(request.fps_file, ["fps"]);
}

/** The setting of a combination. Throws INPUT_ERROR if the catalog or the file has no such setting. */
async function settingOf(request: CombinationRequest, context: RequestContext): Promise<Setting> {
  if (!("fps_file" in request)) {
    const { resin_settings, ...combination } = request;
    return resin_settings ? settingWithFigures(combination, resin_settings) : resolveCombination(combination);
  }
  const document = await context.compute(openFpsTask, request.fps_file);
  return withErrorPrefix("INPUT_ERROR", `"${excerpt(request.fps_file)}" has no usable print setting`, () =>
    settingFromFps(document),
  );
}

export const createScene = changesProject(
  {
    method: "POST",
    path: "/v1/scene/create/",
    errors: ["BUILD_VOLUME_LIMIT_EXCEEDED"],
    summary: "Creates an empty scene for a combination of the catalog or for an .fps file.",
    body: combinationBody({}),
    reply: object({ scene_id: sceneId, scene_settings: sceneSettings }),
    check: checkCombination,
  },
  async (body, context) => {
    const setting = await settingOf(body, context);
    const scene = { id: newId(), setting, models: [], cages: [] };
    const answer = { scene_id: scene.id, scene_settings: settingsOnWire(setting) };
    return [(project) => appendScenes(project, [scene], context.maxScenes), answer];
  },
);

export const listScenes = readsProject(
  {
    method: "GET",
    path: "/v1/scene/list/",
    summary: "Lists all scenes in project order. The default scene is first.",
    reply: object({ scenes: field(v.array(sceneReply), "The scenes, in the order of the project.") }),
  },
  async ({ scenes }, _, context) => ({
    scenes: await Promise.all(
      scenes.map(async (scene) => runStepwise(sceneOnWire(scene, await commonVolumesOf(scene, context)))),
    ),
  }),
);

export const getScene = readsScene(
  {
    method: "POST",
    path: "/v1/scene/get/",
    summary: "Returns the state of one scene after the last finished change.",
    needsNoMeshes: true,
    body: strictObject({ scene_id: sceneId }),
    reply: sceneReply,
  },
  async (scene, _, context) => runStepwise(sceneOnWire(scene, await commonVolumesOf(scene, context))),
);

export const renameScene = changesScene(
  {
    method: "POST",
    path: "/v1/scene/rename/",
    summary: "Names a scene. Saving the scene writes the name, and files that the page saves have it.",
    body: strictObject({ scene_id: sceneId, name: field(sceneName, "New name of the scene.") }),
    reply: object({ name: field(v.string(), "Name of the scene."), warnings: warningsReply }),
    needsNoMeshes: true,
  },
  (scene, { name }) => [{ ...scene, name }, { name }],
);

const updateReply = object({
  scene_settings: sceneSettings,
  unsupported_model_ids: field(ids, "Ids of the models whose supports were removed."),
  warnings: warningsReply,
});

type UpdateReply = v.InferInput<typeof updateReply>;

export const updateScene = changesScene(
  {
    method: "POST",
    path: "/v1/scene/update/",
    summary:
      "Changes the combination of a scene, or applies an .fps file. Models keep their position as far as the placement rules of the new printer allow. Supports are removed if the default support settings differ. A resin printer has no cages: the cages are removed, and their parts stay as models without a cage.",
    body: combinationBody({ scene_id: sceneId }),
    reply: updateReply,
    check: checkCombination,
  },
  async (scene, body, context) => withSetting(scene, await settingOf(body, context)),
);

/** The scene with another setting, and the answer of `scene/update`. */
export async function withSetting(scene: Scene, setting: Setting): Promise<[Scene, UpdateReply]> {
  const keepsSupports = supportsAlike(setting, scene.setting);
  const unsupported = keepsSupports ? [] : scene.models.filter(({ supports }) => supports);
  const lattices = setting.printerType.family === "powder" ? [] : scene.cages.map((cage) => latticeOf(scene, cage));
  // Parts that must touch the platform would fall through a lattice.
  const base = removeModels(scene, lattices);
  const kept = keepsSupports ? base.models : base.models.map((model) => withoutSupports(model, setting));
  const models = await runStepwise(placeModels(kept, setting));
  return [
    { ...base, setting, models },
    {
      scene_settings: settingsOnWire(setting),
      unsupported_model_ids: idsOf(unsupported),
      ...(lattices.length > 0 && { warnings: [removedLatticesWarning(lattices)] }),
    },
  ];
}

/** A model without supports in a scene of another setting. Powder carries the parts: none misses its supports. */
export const withoutSupports = (model: Model, { printerType }: Setting): Model =>
  printerType.family === "powder"
    ? { ...model, supports: undefined, lostSupports: undefined }
    : withLostSupports(model, "SETTING");

/** Whether supports of a model stay when it comes from a scene of one setting to one of the other. */
export const supportsAlike = (a: Setting, b: Setting): boolean =>
  isDeepStrictEqual(supportSettingsOf(a), supportSettingsOf(b));

const removedLatticesWarning = (lattices: readonly Model[]): string =>
  `Cages are for powder: ${quotedNames(lattices)} ${lattices.length === 1 ? "was" : "were"} removed. The parts of the cages stay, as models without one.`;

export const deleteScene = changesProject(
  {
    method: "DELETE",
    path: "/v1/scene/delete/",
    summary:
      "Cancels all running and waiting requests of a scene and removes the scene. The default scene is emptied instead.",
    cancelsOthers: true,
    body: strictObject({ scene_id: sceneId }),
    waitsFor: ({ scene_id }) => [scene_id],
  },
  async ({ scene_id }) => [(project) => removeScene(project, findScene(project, scene_id)), undefined],
);
