import type * as v from "valibot";
import { basename, extname } from "node:path";
import { changesProject } from "../../api/endpoint.ts";
import { object } from "../../api/field.ts";
import { requireFile } from "../../api/preconditions.ts";
import { newModelIds, idsOf, sceneId, sceneSettings, warningsReply } from "../../api/schema.ts";
import { resolveCombination } from "../../catalog/resolve.ts";
import { settingsOnWire } from "../../catalog/setting.ts";
import { excerpt, inputError } from "../../core/api-error.ts";
import { newId } from "../../core/id.ts";
import { must } from "../../core/must.ts";
import { paired } from "../../core/paired.ts";
import { runStepwise } from "../../core/steps.ts";
import { READ_EXTENSIONS } from "../../format/model-formats.ts";
import { boxCentre } from "../../geometry/box.ts";
import { IDENTITY_POSE, UPRIGHT, normaliseAngles } from "../../geometry/pose.ts";
import { appendScenes } from "../../scene/edit.ts";
import { internMesh } from "../../scene/model-mesh.ts";
import { placeNewModels } from "../../scene/placement.ts";
import { withLayoutPlace, withPose } from "../../scene/pose.ts";
import type { Model } from "../../scene/project.ts";
import { importOnThreads } from "../import/import-on-threads.ts";
import { mapDistinct, updateOutlines } from "../mesh-tasks.ts";
import { FILE_OPTIONS } from "./plan-files.ts";
import { openPlateBody } from "./plan-fields.ts";

export const openPlate = changesProject(
  {
    method: "POST",
    path: "/v1/plan/open/",
    errors: ["BUILD_VOLUME_LIMIT_EXCEEDED", "INPUT_ERROR", "OPERATION_FAILED"],
    summary:
      "An addition to the interface. Creates the scene of a plate or chamber of plan/create: reads the files of its parts as they are, and puts each at its place. The scene has no supports yet.",
    async: true,
    body: openPlateBody,
    reply: object({
      scene_id: sceneId,
      scene_settings: sceneSettings,
      new_model_ids: newModelIds,
      warnings: warningsReply,
    }),
    check: ({ parts }) => {
      for (const { file } of parts) requireFile(file, READ_EXTENSIONS);
    },
  },
  async ({ parts, name, ...combination }, context) => {
    const setting = resolveCombination(combination);
    const isChamber = setting.printerType.family === "powder";
    for (const part of parts) requireComplete(part, isChamber);
    const warnings = new Set<string>();
    const imported = await mapDistinct(
      parts,
      ({ file }) => file,
      async ({ file }) => {
        const read = await importOnThreads({ file, ...FILE_OPTIONS }, context);
        for (const warning of read.warnings) warnings.add(warning);
        const part = must(read.parts[0], "The part of a file");
        return { ...part, mesh: internMesh(part.mesh) };
      },
    );
    const models = paired(parts, imported).map(([{ order, file }, { mesh, outline }]): Model => ({
      id: newId(),
      name: order ?? basename(file, extname(file)),
      originalFile: file,
      units: "MILLIMETERS",
      visible: true,
      lock: "FREE",
      mesh,
      outline,
      pose: { ...IDENTITY_POSE, position: boxCentre(mesh.box) },
    }));
    const moved = isChamber
      ? inChamber(models, parts)
      : onPlate(await runStepwise(placeNewModels(models, setting)), parts);
    const placed = await updateOutlines(moved, setting, context);
    const scene = { id: newId(), ...(name !== undefined && { name }), setting, models: placed, cages: [] };
    return [
      (project) => appendScenes(project, [scene], context.maxScenes),
      {
        scene_id: scene.id,
        scene_settings: settingsOnWire(setting),
        new_model_ids: idsOf(placed),
        ...(warnings.size > 0 && { warnings: [...warnings] }),
      },
    ];
  },
);

type PlatePart = v.InferOutput<typeof openPlateBody>["parts"][number];

/** Throws INPUT_ERROR for a part that has no place in a scene of this kind. */
function requireComplete({ file, turn_deg, z_mm, orientation }: PlatePart, isChamber: boolean): void {
  const name = excerpt(basename(file));
  if (isChamber && (z_mm === undefined || orientation === undefined || turn_deg !== undefined))
    throw inputError(`The part ${name} is in a powder chamber: give its z_mm and orientation, and no turn_deg.`);
  if (!isChamber && (z_mm !== undefined || orientation !== undefined))
    throw inputError(
      `The part ${name} stands on a plate of resin: give its turn_deg, and neither z_mm nor orientation.`,
    );
}

const onPlate = (models: readonly Model[], parts: readonly PlatePart[]): Model[] =>
  paired(models, parts).map(([model, { turn_deg: turnDeg = 0, x_mm: x, y_mm: y }]) =>
    withLayoutPlace(model, { turnDeg, x, y }),
  );

const inChamber = (models: readonly Model[], parts: readonly PlatePart[]): Model[] =>
  paired(models, parts).map(([model, { x_mm, y_mm, z_mm = 0, orientation = UPRIGHT }]) =>
    withPose(model, { ...model.pose, position: [x_mm, y_mm, z_mm], orientation: normaliseAngles(orientation) }),
  );
