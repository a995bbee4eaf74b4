import { basename, extname } from "node:path";
import * as v from "valibot";
import { ApiError, operationFailed } from "../../core/api-error.ts";
import { jobExtensions } from "../../catalog/catalog.ts";
import { newId } from "../../core/id.ts";
import { type Steps, runStepwise, mapSteps } from "../../core/steps.ts";
import { WRITTEN_EXTENSIONS, extensionOf } from "../../format/model-formats.ts";
import type { WrittenBody } from "../../format/model-writer.ts";
import { selectModels } from "../../scene/find.ts";
import { type Model, type Scene, quotedNames } from "../../scene/project.ts";
import { readsScene } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { modelIds, sceneId, warningsList } from "../../api/schema.ts";
import { requireFile, requirePrintable } from "../../api/preconditions.ts";
import { unlitWarnings } from "../slice/unlit-models.ts";
import { compensationName, compensationReply } from "../print/job-compensation.ts";
import { drawingFields, drawingOf, greysName, greysReply, unusedVolume } from "../print/job-greys.ts";
import { lossesOf } from "../print/job-losses.ts";
import { requireJobConverter, writeMachineJob } from "../print/write-converted-job.ts";
import { exportFileTask } from "./task.ts";

/** Without the dot. */
const jobs = (): string[] => [...jobExtensions()].map((extension) => extension.slice(1));

/** An addition of ours (interface supplement, section 8). */
export const exportScene = readsScene(
  {
    method: "POST",
    path: "/v1/scene/export/",
    errors: ["UNSUPPORTED_SCENE"],
    summary:
      "An addition to the interface. Writes all models or those of model_ids, in their poses in the scene and with their supports, to a model file: .stl, .obj and .3mf in mm, .glb in metres with y up. With the extension of the jobs of the scene's machine, such as .sl1s or .goo, it slices them and writes the job that scene/print sends to a printer.",
    async: true,
    body: strictObject({
      scene_id: sceneId,
      file: field(
        v.string(),
        "Absolute path of the model file or job archive to write; the extension selects the format. Its folder must exist; an existing file is replaced.",
      ),
      model_ids: modelIds,
      include_supports: field(
        v.optional(v.boolean(), true),
        "Whether the file or job includes the supports of the models.",
      ),
      include_infill: field(
        v.optional(v.boolean(), false),
        "Whether a model file has the infill of hollow models as bodies of their own, coarse and overlapping the walls. Jobs always have it.",
      ),
      ...drawingFields,
    }),
    reply: v.optional(object({ greys: greysReply, compensation: compensationReply, warnings: warningsList })),
    check: ({ file }) =>
      requireFile(file, [...WRITTEN_EXTENSIONS, ...jobs()], { ofProject: "write it with /v1/scene/save/" }),
  },
  async (scene, { file, model_ids, include_supports, include_infill, ...drawn }, context) => {
    const isJob = jobs().includes(extensionOf(file));
    if (isJob) requireJobExtension(scene, file);
    const chosen = partOf(scene, selectModels(scene, model_ids), include_supports);
    if (isJob) {
      requireJobConverter(chosen, context);
      await requirePrintable(chosen);
      const drawing = drawingOf(drawn);
      const warnings = [
        ...(await unlitWarnings(chosen, context)),
        ...lossesOf(chosen.setting),
        ...unusedVolume(chosen.setting, drawing),
      ];
      const { created, ctbNotice } = context;
      const name = basename(file, extname(file));
      const job = { id: newId(), name, created, ctbNotice, drawing };
      await writeMachineJob(chosen, job, file, context, context.commit);
      const greys = greysName(chosen, drawing);
      const compensation = compensationName(chosen.setting);
      const told = {
        ...(greys !== undefined && { greys }),
        ...(compensation !== undefined && { compensation }),
      };
      return Object.keys(told).length > 0 || warnings.length > 0 ? { ...told, warnings } : undefined;
    }
    if (chosen.models.length === 0) throw operationFailed("The scene has no models to export: import a model first.");
    await context.compute(exportFileTask, {
      file,
      bodies: await runStepwise(bodiesOf(chosen)),
      includesInfill: include_infill,
    });
    const latticed = chosen.models.filter(({ mesh }) => mesh.latticed !== undefined);
    if (latticed.length === 0) return undefined;
    const warning = `The lattice of beams of ${quotedNames(latticed)} is written as coarse tubes: only jobs and .form files have its beams.`;
    return { warnings: [warning] };
  },
);

function requireJobExtension({ setting }: Scene, file: string): void {
  const { jobExtension: extension, label } = setting.printerType;
  if (`.${extensionOf(file)}` === extension) return;
  throw new ApiError(
    "UNSUPPORTED_SCENE",
    `The scene is for ${label}, whose jobs are ${extension} files, not .${extensionOf(file)}: give the file the extension ${extension}, ` +
      "or change the scene's machine with /v1/scene/update/.",
  );
}

/** The scene with only these models. Returns the scene itself if these are all its models, so that its cached layers can be used. */
function partOf(scene: Scene, models: readonly Model[], includeSupports: boolean): Scene {
  const isWithout = !includeSupports && models.some(({ supports }) => supports);
  if (isWithout) return { ...scene, models: models.map((model) => ({ ...model, supports: undefined })) };
  return models.length === scene.models.length ? scene : { ...scene, models };
}

/** Models that are listed in one step, in a few milliseconds. */
const MODELS_PER_STEP = 2048;

/** The models and their supports as bodies of a file, in steps. */
function* bodiesOf({ models, cages }: Scene): Steps<WrittenBody[]> {
  const lattices = new Set(cages.map(({ latticeId }) => latticeId));
  const bodiesOfModel = ({ id, name, mesh, pose, supports }: Model): WrittenBody[] => [
    { name, kind: lattices.has(id) ? "lattice" : "part", mesh, pose },
    ...(supports
      ? [{ name: `${name} supports`, kind: "support" as const, mesh: supports.mesh, pose: supports.pose }]
      : []),
  ];
  return (yield* mapSteps(models, bodiesOfModel, MODELS_PER_STEP)).flat();
}
