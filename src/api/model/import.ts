import { basename, extname } from "node:path";
import * as v from "valibot";
import { inputError } from "../../core/fault.ts";
import { centreOf } from "../../core/geometry.ts";
import { newId } from "../../core/id.ts";
import type { Lock } from "../../core/lock.ts";
import { UNIT_MM, type Units } from "../../core/units.ts";
import { shortened } from "../../core/shortened.ts";
import { MODEL_EXTENSIONS } from "../../format/readers.ts";
import { internMesh } from "../../scene/intern-mesh.ts";
import { HOME } from "../../mesh/pose.ts";
import { appendModels } from "../../scene/edit.ts";
import { enter } from "../../scene/enter.ts";
import type { Model } from "../../scene/model.ts";
import type { ImportedFile, ImportedPart } from "../../worker/task/import-file.ts";
import { changesScene } from "../endpoint.ts";
import { requireFile } from "../require-file.ts";
import { lock, name, sceneId } from "../schema.ts";

const tolerance = (byDefault: number) => v.optional(v.pipe(v.number(), v.finite(), v.gtValue(0)), byDefault);

export const importModel = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/import/",
    summary: "Imports a model file. It keeps the file's coordinates, then the printer's placement rules act.",
    async: true,
    body: v.strictObject({
      scene_id: sceneId,
      file: v.string(),
      repair_behavior: v.optional(v.picklist(["ERROR", "REPAIR", "IGNORE"]), "ERROR"),
      name: v.optional(name),
      units: v.optional(v.picklist(["DETECTED", "MILLIMETERS", "INCHES"]), "DETECTED"),
      lock: v.optional(lock),
      chordal_tolerance_um: tolerance(10),
      angle_tolerance_deg: tolerance(5),
      split_multi_model_file: v.optional(v.boolean(), false),
    }),
    reply: v.object({
      new_models: v.array(
        v.object({
          model_id: v.string(),
          source_part_name: v.optional(v.string()),
          source_part_index: v.optional(v.pipe(v.number(), v.integer())),
        }),
      ),
    }),
    check: ({ file }) => requireFile(file, MODEL_EXTENSIONS),
  },
  async (scene, body, kit) => {
    const forced = body.units === "DETECTED" ? undefined : body.units;
    const imported = await kit.compute("importFile", {
      file: body.file,
      repairBehavior: body.repair_behavior,
      unitMm: forced && UNIT_MM[forced],
      split: body.split_multi_model_file,
      options: { chordalToleranceMm: body.chordal_tolerance_um / 1000, angleToleranceDeg: body.angle_tolerance_deg },
    });
    if (imported.parts.length > 1 && (body.name !== undefined || body.lock !== undefined)) {
      throw inputError(
        `name and lock are for one model, but the file holds ${imported.parts.length} parts: leave them out, or import without split_multi_model_file.`,
      );
    }
    const models = toModels(imported, { ...body, units: forced ?? unitsOf(imported) });
    const standing = models.map((model) => enter(model, scene.setting));
    const newModels = imported.parts.map(({ name, index }, i) => ({
      model_id: models[i]!.id,
      source_part_name: name,
      source_part_index: index,
    }));
    return [appendModels(scene, standing), { new_models: newModels }];
  },
);

const unitsOf = ({ fileUnitMm }: ImportedFile): Units => (fileUnitMm === UNIT_MM.INCHES ? "INCHES" : "MILLIMETERS");

function toModels(imported: ImportedFile, given: { file: string; name?: string; lock?: Lock; units: Units }): Model[] {
  const stem = basename(given.file, extname(given.file));
  const nameOf = ({ name, index = 0 }: ImportedPart): string =>
    given.name ?? (imported.parts.length === 1 ? stem : shortened(`${stem} ${name ?? index + 1}`));
  return imported.parts.map((part) => ({
    id: newId(),
    name: nameOf(part),
    originalFile: given.file,
    units: given.units,
    visible: true,
    lock: given.lock ?? "FREE",
    mesh: internMesh(part.mesh),
    outline: part.outline,
    pose: { ...HOME, position: centreOf(part.mesh.box) },
  }));
}
