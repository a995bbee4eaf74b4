import { basename, extname } from "node:path";
import * as v from "valibot";
import { excerpt, inputError } from "../../core/api-error.ts";
import { newId } from "../../core/id.ts";
import { type Steps, runStepwise, mapSteps } from "../../core/steps.ts";
import type { Lock } from "../../geometry/pose-lock.ts";
import { MAX_MODELS } from "../../core/limits.ts";
import { UNIT_MM, type Units } from "../../core/units.ts";
import { paired } from "../../core/paired.ts";
import { MODEL_EXTENSIONS, READ_EXTENSIONS } from "../../format/model-formats.ts";
import { IDENTITY_POSE } from "../../geometry/pose.ts";
import { boxCentre } from "../../geometry/box.ts";
import { ORIGIN, add } from "../../geometry/vector.ts";
import { appendModels } from "../../scene/edit.ts";
import { internMesh } from "../../scene/model-mesh.ts";
import { placeParts } from "../../scene/place-parts.ts";
import type { Model } from "../../scene/project.ts";
import type { ImportedFile, ImportedPart } from "./import-file.ts";
import { type RequestContext, changesScene } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { finiteNumber, integer, lock, modelId, name, sceneId, warningsReply } from "../../api/schema.ts";
import { requireFile } from "../../api/preconditions.ts";
import { importOnThreads } from "./import-on-threads.ts";

/** The interface has no bounds for tolerances. Values below these are raised to them: no printer shows finer detail. */
const tolerance = (defaultValue: number, finest: number) =>
  v.optional(
    v.pipe(
      finiteNumber,
      v.transform((given) => Math.max(given, finest)),
    ),
    defaultValue,
  );

export const importModel = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/import/",
    summary:
      "Imports a model file at the coordinates of the file, then applies the placement rules of the printer. A file has at most 2 GiB (STEP, IGES, BREP and Rhino 512 MiB), 20,000,000 triangles or vertices and 10,000 parts. A file that needs more memory than the server's --max-memory is refused with OPERATION_FAILED before the memory is allocated. STEP, IGES and BREP are read with a chordal tolerance of at least 1/50,000 of the size of the model, and a warning reports a tolerance that was raised to it. Files with an extension for which the server was started with --converter go through that program first, which may take 10 minutes: use async=true.",
    async: true,
    body: strictObject({
      scene_id: sceneId,
      file: field(
        v.string(),
        `Absolute path of the model file to read: ${READ_EXTENSIONS.map((one) => `.${one}`).join(", ")}. The buffers of a .gltf file must be in its folder or below.`,
      ),
      repair_behavior: field(
        v.optional(v.picklist(["ERROR", "REPAIR", "IGNORE"]), "ERROR"),
        "What happens to a mesh with defects: ERROR refuses the file, REPAIR repairs it, IGNORE imports it as it is. ERROR also refuses a damaged file of which parts are missing; REPAIR and IGNORE import the rest, and name the missing parts in warnings.",
      ),
      name: field(v.optional(name), "Name of the model; the name of the file without its extension if absent."),
      units: field(
        v.optional(v.picklist(["DETECTED", "MILLIMETERS", "INCHES"]), "DETECTED"),
        "Unit of the coordinates in the file. DETECTED: the unit that the file states, or mm.",
      ),
      lock,
      chordal_tolerance_um: field(
        tolerance(10, 1),
        "Largest distance from a curved surface to its triangles in µm, for files with curved surfaces; values below 1 count as 1.",
      ),
      angle_tolerance_deg: field(
        tolerance(5, 0.5),
        "Largest angle between neighbouring triangles of a curved surface in degrees, for files with curved surfaces; values below 0.5 count as 0.5.",
      ),
      split_multi_model_file: field(
        v.optional(v.boolean(), false),
        "Whether each part of the file becomes a separate model.",
      ),
    }),
    reply: object({
      new_models: field(
        v.array(
          object({
            model_id: modelId,
            source_part_name: field(v.optional(v.string()), "Name of the part in the file; absent if it has none."),
            source_part_index: field(v.optional(integer), "Index of the part among all parts of the file, 0-based."),
          }),
        ),
        "The new models, in no particular order.",
      ),
      warnings: warningsReply,
    }),
    check: ({ file }, converted) => {
      const unread = MODEL_EXTENSIONS.filter((one) => !READ_EXTENSIONS.includes(one) && !converted.includes(one));
      requireFile(file, [...new Set([...READ_EXTENSIONS, ...converted, ...unread])], { unlisted: unread });
    },
  },
  async (scene, body, context) => {
    const forced = body.units === "DETECTED" ? undefined : body.units;
    const imported = await readConverted(body.file, context, (file) =>
      importOnThreads(
        {
          file,
          repairBehavior: body.repair_behavior,
          unitMm: forced && UNIT_MM[forced],
          split: body.split_multi_model_file,
          maxParts: MAX_MODELS - scene.models.length,
          options: {
            chordalToleranceMm: body.chordal_tolerance_um / 1000,
            angleToleranceDeg: body.angle_tolerance_deg,
          },
        },
        context,
      ),
    );
    if (imported.parts.length > 1 && (body.name !== undefined || body.lock !== undefined)) {
      throw inputError(
        `name and lock are for one model, but the file holds ${imported.parts.length} parts: leave them out, or import without split_multi_model_file.`,
      );
    }
    const models = await runStepwise(toModels(imported, { ...body, units: forced ?? unitsOf(imported) }));
    const placed = await runStepwise(placeParts(models, scene.setting));
    const newModels = paired(imported.parts, models).map(([{ name, index }, { id }]) => ({
      model_id: id,
      source_part_name: name,
      source_part_index: index,
    }));
    const { warnings } = imported;
    return [
      appendModels(scene, placed),
      { new_models: newModels, ...(warnings.length > 0 && { warnings: [...warnings] }) },
    ];
  },
);

/** The share of the progress at which a program has converted the file. */
const CONVERTED_SHARE = 0.5;

/** Reads a file, or the output of the converter for its extension. */
async function readConverted<T>(file: string, context: RequestContext, read: (file: string) => Promise<T>): Promise<T> {
  if (!context.converters.takes(file)) return read(file);
  context.enterPhase(0, CONVERTED_SHARE);
  return context.converters.convert(file, context, (result) => {
    context.enterPhase(CONVERTED_SHARE, 1);
    return read(result);
  });
}

const unitsOf = ({ fileUnitMm }: ImportedFile): Units => (fileUnitMm === UNIT_MM.INCHES ? "INCHES" : "MILLIMETERS");

interface ModelOptions {
  readonly file: string;
  readonly name?: string | undefined;
  readonly lock?: Lock | undefined;
  readonly units: Units;
}

/** Parts that become models in one step, in a millisecond. */
const PARTS_PER_STEP = 512;

function* toModels({ parts }: ImportedFile, { file, name, lock, units }: ModelOptions): Steps<Model[]> {
  const stem = basename(file, extname(file));
  const nameOf = (part: ImportedPart): string =>
    parts.length === 1 ? stem : excerpt(`${stem} ${part.name ?? (part.index ?? 0) + 1}`);
  const names = name === undefined ? numbered(parts.map(nameOf)) : parts.map(() => name);
  yield;
  const toModel = ([part, modelName]: readonly [ImportedPart, string]): Model => ({
    id: newId(),
    name: modelName,
    originalFile: file,
    units,
    visible: true,
    lock: lock ?? "FREE",
    mesh: internMesh(part.mesh),
    outline: part.outline,
    pose: { ...IDENTITY_POSE, position: add(boxCentre(part.mesh.box), part.originMm ?? ORIGIN) },
  });
  return yield* mapSteps(paired(parts, names), toModel, PARTS_PER_STEP);
}

/** The names, with a number appended to repeated ones. */
function numbered(names: readonly string[]): string[] {
  const taken = new Set(names);
  const groups = Map.groupBy(names, (name) => name);
  const last = new Map<string, number>();
  return names.map((name) => {
    if (groups.get(name)!.length === 1) return name;
    let number = last.get(name) ?? 0;
    let unique: string;
    do unique = `${name} ${++number}`;
    while (taken.has(unique));
    last.set(name, number);
    taken.add(unique);
    return unique;
  });
}
