import { labelModel } from "../feature/label/endpoint.ts";
import { deleteModels, duplicateModels, replaceModel, updateModels } from "../feature/models/endpoint.ts";
import { dentalHollow } from "../feature/dental/endpoint.ts";
import { importModel } from "../feature/import/endpoint.ts";
import { orientModels, scaleModels, translateModels } from "../feature/placement/endpoint.ts";
import { modelNow, noticesOf, sceneNow, withScene } from "./answers.ts";
import { type Body, entry, orientationOf, pick, positionOf } from "./body.ts";
import type { StagedCalls } from "./calls.ts";
import { type Row, type RowRequest, oneCall } from "./row.ts";
import { must } from "../core/must.ts";

const importBody = (scene_id: string, body: Body): Body => ({
  scene_id,
  ...pick(body, "file", "repair_behavior", "name", "units", "lock", "split_multi_model_file"),
});

interface ImportAnswer {
  readonly new_models: readonly { readonly model_id: string }[];
  readonly warnings?: readonly string[];
}

interface Imported {
  readonly ids: readonly string[];
  readonly warnings: readonly string[];
}

async function importFile(calls: StagedCalls, scene_id: string, body: Body): Promise<Imported> {
  const { new_models, warnings = [] } = await calls.call<ImportAnswer>(importModel, importBody(scene_id, body));
  return { ids: new_models.map(({ model_id }) => model_id), warnings };
}

/** Applies the fields scale, orientation and position of a body, if given, in this order. */
async function place(calls: StagedCalls, selection: Body, { scale, orientation, position }: Body): Promise<void> {
  if (scale !== undefined) await calls.call(scaleModels, { ...selection, scale });
  if (orientation !== undefined)
    await calls.call(orientModels, { ...selection, orientation: orientationOf(orientation) });
  if (position !== undefined) await calls.call(translateModels, { ...selection, position: positionOf(position) });
}

async function editModel(calls: StagedCalls, { sceneId: scene_id, id, body }: RowRequest): Promise<void> {
  const selection = { scene_id, model_ids: [id] };
  const { units, name, lock } = body;
  // A missing model is an error even if nothing is to be changed.
  await modelNow(calls, scene_id, id);
  if (units !== undefined) await calls.call(updateModels, { ...selection, units });
  await place(calls, selection, body);
  if (name !== undefined || lock !== undefined)
    await calls.call(updateModels, { ...selection, ...entry("name", name), ...entry("lock", lock) });
}

/** Share of a request's progress at which its files are read and the rest begins. */
const READ_SHARE = 0.4;

const DENTAL_FIELDS = ["extrude_distance_mm", "hollow", "enable_smooth_contour_extended_sides"];
/** Fields that `/v1/` accepts only for hollow models. */
const HOLLOW_FIELDS = [
  "shell_thickness_mm",
  "wall_thickness_mm",
  "drain_hole_radius_mm",
  "drain_hole_height_ratio",
  "drain_hole_suppression_distance_mm",
  "drain_hole_max_count",
  "enable_honeycomb_infill",
];

/** `/v1/` does not accept both cutoffs together: the cutoff by height has precedence here. Unlike 0.9, `/v1/` requires the extrude distance. */
const dentalBody = (body: Body): Body => ({
  extrude_distance_mm: 0,
  ...pick(body, ...DENTAL_FIELDS),
  ...(body.hollow === true && pick(body, ...HOLLOW_FIELDS)),
  ...pick(body, body.cutoff_height_mm === undefined ? "cutoff_below_gumline_mm" : "cutoff_height_mm"),
});

const filesOf = ({ file, files }: Body): unknown[] => [
  ...new Set([...(file === undefined ? [] : [file]), ...(Array.isArray(files) ? files : [])]),
];

async function scanToModel(calls: StagedCalls, { sceneId: scene_id, body }: RowRequest): Promise<unknown> {
  const files = filesOf(body);
  const warnings: string[] = [];
  const model_ids: string[] = [];
  calls.context.enterPhase(0, READ_SHARE);
  for (const file of files.length === 0 ? [undefined] : files) {
    const imported = await importFile(calls, scene_id, { ...pick(body, "units"), ...entry("file", file) });
    model_ids.push(...imported.ids);
    warnings.push(...imported.warnings);
  }
  calls.context.enterPhase(READ_SHARE, 1);
  const cut = { scene_id, model_ids, ...dentalBody(body) };
  const made = await calls.call<{ warnings: string[] }>(dentalHollow, cut);
  return { ...(await sceneNow(calls, scene_id)), warnings: [...warnings, ...made.warnings], infos: [] };
}

/** Rows for models of a scene: imports, and actions on a single model. */
export const MODEL_ROWS: readonly Row[] = [
  {
    method: "POST",
    path: "/scene/:scene/import-model/",
    alsoOfNewest: true,
    async: true,
    changesScenes: true,
    first: ({ sceneId, body }) => [importModel, importBody(sceneId, body)],
    async run(calls, { sceneId: scene_id, body }) {
      const { ids } = await importFile(calls, scene_id, body);
      await place(calls, { scene_id, model_ids: ids }, body);
      return modelNow(calls, scene_id, must(ids[0], "the imported model"));
    },
  },
  {
    method: "POST",
    path: "/scene/:scene/scan-to-model/",
    alsoOfNewest: true,
    async: true,
    changesScenes: true,
    first: ({ sceneId: scene_id, body }) => [dentalHollow, { scene_id, ...dentalBody(body) }],
    run: scanToModel,
  },
  {
    method: "GET",
    path: "/scene/:scene/models/:id/",
    alsoOfNewest: true,
    needsNoMeshes: true,
    run: (calls, { sceneId, id }) => modelNow(calls, sceneId, id),
  },
  {
    method: "POST",
    path: "/scene/:scene/models/:id/",
    alsoOfNewest: true,
    changesScenes: true,
    run: editModel,
  },
  {
    method: "DELETE",
    path: "/scene/:scene/models/:id/",
    alsoOfNewest: true,
    changesScenes: true,
    ...oneCall(deleteModels, ({ sceneId: scene_id, id }) => ({ scene_id, model_ids: [id] })),
  },
  {
    method: "POST",
    path: "/scene/:scene/models/:id/duplicate/",
    alsoOfNewest: true,
    changesScenes: true,
    ...oneCall(
      duplicateModels,
      ({ sceneId: scene_id, id, body }) => ({ scene_id, model_ids: [id], count: body.count ?? 1 }),
      withScene,
    ),
  },
  {
    method: "POST",
    path: "/scene/:scene/models/:id/replace/",
    alsoOfNewest: true,
    changesScenes: true,
    first: ({ sceneId, body }) => [importModel, importBody(sceneId, pick(body, "file", "repair_behavior"))],
    async run(calls, { sceneId: scene_id, id, body }) {
      await modelNow(calls, scene_id, id);
      calls.context.enterPhase(0, READ_SHARE);
      const { ids, warnings } = await importFile(calls, scene_id, pick(body, "file", "repair_behavior"));
      calls.context.enterPhase(READ_SHARE, 1);
      const exchange = { scene_id, model_id: id, replacement_model_id: ids[0] };
      const replaced = await calls.call<{ readonly warnings?: readonly string[] }>(replaceModel, exchange);
      return {
        warnings: [...warnings, ...(replaced.warnings ?? [])],
        model_properties: await modelNow(calls, scene_id, must(ids[0], "the imported model")),
      };
    },
  },
  {
    method: "POST",
    path: "/scene/:scene/label/",
    alsoOfNewest: true,
    async: true,
    changesScenes: true,
    ...oneCall(
      labelModel,
      ({ sceneId: scene_id, body }) => ({
        scene_id,
        ...pick(body, "model_id", "label", "application_mode", "font_size_mm", "depth_mm"),
        ...entry("orientation", orientationOf(body.orientation)),
        ...entry("position", positionOf(body.position)),
      }),
      noticesOf,
    ),
  },
];
