import { savePrintSetting } from "../feature/print-settings/endpoint.ts";
import type { Endpoint } from "../api/endpoint.ts";
import { createScene, deleteScene, listScenes, updateScene, withSetting } from "../feature/scenes/endpoint.ts";
import { calculatePrintTime } from "../feature/print-time/endpoint.ts";
import { printScene } from "../feature/print/endpoint.ts";
import { openScenes, saveScenes } from "../feature/projects/endpoint.ts";
import { renderScene } from "../feature/render/endpoint.ts";
import { inputError, excerpt, operationFailed } from "../core/api-error.ts";
import { newId, parseId } from "../core/id.ts";
import { isRecord } from "../core/json.ts";
import { isPrinter } from "../printer/printer.ts";
import { appendScenes, replaceScene } from "../scene/edit.ts";
import { findScene } from "../scene/find.ts";
import { type Setting, settingsOnWire } from "../catalog/setting.ts";
import { type SceneAnswer, defaultSceneId, sceneAnswer, sceneNow } from "./answers.ts";
import { type Body, clamped, entry, modelIdsOf, pick, rounded } from "./body.ts";
import type { StagedCalls } from "./calls.ts";
import { type Call, type Row, type RowRequest, oneCall } from "./row.ts";

const COMBINATION_FIELDS = ["machine_type", "material_code", "print_setting", "layer_thickness_mm"];

/** The combination that a body gives, by its fields or by a file. */
const combinationOf = (body: Body): Body =>
  pick(body, ...(body.fps_file === undefined ? COMBINATION_FIELDS : ["fps_file"]));

const isEmpty = (text: unknown): boolean => text === undefined || text === "";

/** The custom print setting that a body names by its id: 0.9 describes scenes with that id, and accepts its own descriptions. */
function customSettingOf(
  { server }: StagedCalls,
  { fps_file, custom_print_setting_id: id }: Body,
): Setting | undefined {
  if (fps_file !== undefined || isEmpty(id)) return undefined;
  const settings = server.store.read().scenes.map(({ setting }) => setting);
  const known = settings.find(({ custom }) => custom && custom.id === parseId(String(id)));
  if (known) return known;
  throw inputError(
    `No scene has the custom print setting "${excerpt(String(id))}": give its file as fps_file, or leave custom_print_setting_id out.`,
  );
}

async function makeScene(calls: StagedCalls, body: Body): Promise<string> {
  const setting = customSettingOf(calls, body);
  if (!setting) return (await calls.call<{ scene_id: string }>(createScene, combinationOf(body))).scene_id;
  const scene = { id: newId(), setting, models: [], cages: [] };
  calls.edit((project) => appendScenes(project, [scene], calls.server.maxScenes));
  return scene.id;
}

/** Changes the setting of a scene. Fields that the body lacks keep their values. */
async function changeSetting(calls: StagedCalls, scene_id: string, body: Body): Promise<void> {
  const scene = findScene(calls.server.store.read(), scene_id);
  const setting = customSettingOf(calls, body);
  if (!setting) {
    const given = combinationOf(body);
    if (Object.keys(given).length === 0) return;
    const kept = body.fps_file === undefined ? pick(settingsOnWire(scene.setting), ...COMBINATION_FIELDS) : {};
    return calls.call(updateScene, { scene_id, ...kept, ...given });
  }
  const [next] = await withSetting(scene, setting);
  calls.edit((project) => replaceScene(project, next));
}

const firstOf =
  (endpoint: Endpoint) =>
  ({ sceneId: scene_id, body }: RowRequest): Call | undefined =>
    isEmpty(body.custom_print_setting_id) || body.fps_file !== undefined
      ? [endpoint, { ...(endpoint === updateScene && { scene_id }), ...combinationOf(body) }]
      : undefined;

/** Placeholders for the fields that a change lacks, until its scene is known. */
const ANY_COMBINATION = { machine_type: "", material_code: "", layer_thickness_mm: 1 };

const firstOfChange = (request: RowRequest): Call | undefined => {
  const body = request.body.fps_file === undefined ? { ...ANY_COMBINATION, ...request.body } : request.body;
  return firstOf(updateScene)({ ...request, body });
};

/** In 0.9, the degrees of a flyaround are in a list within an object. */
const flyaroundOf = (given: unknown): unknown =>
  isRecord(given)
    ? { ...entry("keyframes", keyframesOf(given.transform)), ...pick(given, "frame_count", "ensure_constant_size") }
    : given;

const keyframesOf = (transform: unknown): unknown =>
  Array.isArray(transform) ? transform.map((one: unknown) => pick(one, "yaw", "pitch")) : transform;

const MAX_FIND_S = 600;

/** Rows for scenes, their files and their jobs. */
export const SCENE_ROWS: readonly Row[] = [
  {
    method: "GET",
    path: "/scenes/",
    async run(calls) {
      const { scenes } = await calls.call<{ scenes: SceneAnswer[] }>(listScenes);
      return { scenes: scenes.map(sceneAnswer) };
    },
  },
  {
    method: "POST",
    path: "/scene/",
    changesScenes: true,
    answersNewest: true,
    first: firstOf(createScene),
    run: async (calls, { body }) => sceneNow(calls, await makeScene(calls, body)),
  },
  {
    method: "POST",
    path: "/scene/:scene/",
    onlyDefault: true,
    changesScenes: true,
    answersNewest: true,
    first: firstOf(updateScene),
    async run(calls, { sceneId, body }) {
      await calls.call(deleteScene, { scene_id: sceneId });
      await changeSetting(calls, sceneId, body);
      return sceneNow(calls, sceneId);
    },
  },
  {
    method: "GET",
    path: "/scene/:scene/",
    alsoOfNewest: true,
    needsNoMeshes: true,
    run: (calls, { sceneId }) => sceneNow(calls, sceneId),
  },
  {
    method: "PUT",
    path: "/scene/:scene/",
    alsoOfNewest: true,
    changesScenes: true,
    first: firstOfChange,
    async run(calls, { sceneId, body }) {
      await changeSetting(calls, sceneId, body);
      return sceneNow(calls, sceneId);
    },
  },
  {
    method: "DELETE",
    path: "/scene/:scene/",
    changesScenes: true,
    cancelsOthers: true,
    async run(calls, { sceneId: scene_id }) {
      const before = await sceneNow(calls, scene_id);
      await calls.call(deleteScene, { scene_id });
      return scene_id === defaultSceneId(calls) ? sceneNow(calls, scene_id) : before;
    },
  },
  {
    method: "POST",
    path: "/load-form/",
    async: true,
    changesScenes: true,
    answersNewest: true,
    first: ({ body }) => [openScenes, pick(body, "file")],
    async run(calls, { body }) {
      const { scenes } = await calls.call<{ scenes: { scene_id: string }[] }>(openScenes, pick(body, "file"));
      const [first] = scenes;
      if (!first) throw operationFailed("The project file has no scene to open: save one into it.");
      return sceneNow(calls, first.scene_id);
    },
  },
  {
    method: "POST",
    path: "/scene/:scene/save-form/",
    alsoOfNewest: true,
    async: true,
    ...oneCall(saveScenes, ({ sceneId, body }) => ({ scene_ids: [sceneId], ...pick(body, "file") })),
  },
  {
    method: "POST",
    path: "/scene/:scene/save-screenshot/",
    alsoOfNewest: true,
    async: true,
    ...oneCall(renderScene, ({ sceneId: scene_id, body }) => ({
      scene_id,
      ...pick(body, "file", "view_type", "yaw", "pitch", "image_size_px", "crop_to_models"),
      // An empty list draws all models, since a picture without models would show nothing.
      ...modelIdsOf(body.models),
      ...entry("flyaround", flyaroundOf(body.flyaround_transform)),
    })),
  },
  {
    method: "POST",
    path: "/scene/:scene/save-fps-file/",
    alsoOfNewest: true,
    ...oneCall(savePrintSetting, ({ sceneId: scene_id, body }) => ({ scene_id, ...pick(body, "file") })),
  },
  {
    method: "POST",
    path: "/scene/:scene/estimate-print-time/",
    alsoOfNewest: true,
    async: true,
    ...oneCall(
      calculatePrintTime,
      ({ sceneId: scene_id }) => ({ scene_id }),
      (time) => time,
    ),
  },
  {
    method: "POST",
    path: "/scene/:scene/print/",
    alsoOfNewest: true,
    async: true,
    first: (request) => [printScene, printBody(request)],
    async run(calls, request) {
      const body = printBody(request);
      const { context } = calls;
      if (body.print_now !== undefined) return calls.call(printScene, body);
      const timeoutS = (body.find_printer_timeout_seconds as number | undefined) ?? DEFAULT_FIND_S;
      const target = await context.printers.findWithin(body.printer as string, timeoutS, context.signal);
      // A queue holds the job until one of its printers is ready.
      const print_now = target !== undefined && (!isPrinter(target) || target.isReady());
      return calls.call(printScene, { ...body, print_now, ...(!target && { find_printer_timeout_seconds: 0 }) });
    },
  },
];

const DEFAULT_FIND_S = 30;

const printBody = ({ sceneId: scene_id, body }: RowRequest): Body => ({
  scene_id,
  ...pick(body, "printer", "job_name", "print_now"),
  ...entry("find_printer_timeout_seconds", rounded(clamped(body.find_printer_timeout_seconds, 0, MAX_FIND_S))),
});
