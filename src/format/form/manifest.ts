import * as v from "valibot";
import type { Fault } from "../../core/fault.ts";
import { isRecord } from "../../core/is-record.ts";
import { LOCKS } from "../../core/lock.ts";
import { UNITS } from "../../core/units.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { normalise } from "../../mesh/pose.ts";
import { MAX_DOCUMENT_DEPTH } from "../../core/parse-json.ts";
import type { FormDocument, FormModel, FormScene } from "./document.ts";
import { fromManifestHollowed, HollowedSchema, toManifestHollowed } from "./manifest-hollowed.ts";
import { fromManifestSupports, SupportsSchema, toManifestSupports } from "./manifest-supports.ts";
import { finite, fromPosition, meshHash, position, toPosition } from "./manifest-values.ts";

/** Path of the manifest inside the archive. */
export const MANIFEST_NAME = "manifest.json";

/** Larger manifests are neither written nor read: room for 100,000 models. */
export const MAX_MANIFEST_BYTES = 64 * 2 ** 20;

/** Tells our containers from other programs' files of the same extension. */
const FORMAT = "printwright-form";

/** Why a file of another program is refused. */
export const NOT_OURS = "it is no project of this program; give a .form file that scene/save has written";

/** The newest container version that is read. */
const VERSION = 2;

/** A file carries the lowest version that can hold it: only supports need the second. */
const versionOf = (scenes: readonly FormScene[]): number =>
  scenes.some(({ models }) => models.some(({ supports }) => supports)) ? VERSION : 1;

/** The document of a print setting lies four levels deep: manifest, scenes, scene, custom_print_setting. */
export const MANIFEST_DEPTH = 4 + MAX_DOCUMENT_DEPTH;

type SettingDocument = NonNullable<FormScene["customPrintSetting"]>["document"];

const ModelSchema = v.object({
  name: v.string(),
  original_file: v.string(),
  units: v.picklist(UNITS),
  visible: v.boolean(),
  lock: v.picklist(LOCKS),
  position,
  orientation: v.object({ x: finite, y: finite, z: finite }),
  scale: v.pipe(finite, v.gtValue(0)),
  mesh: meshHash,
  supports: v.optional(SupportsSchema),
  hollowed: v.optional(HollowedSchema),
});

type ManifestModel = v.InferOutput<typeof ModelSchema>;

const SceneSchema = v.object({
  name: v.string(),
  scene_settings: v.object({
    machine_type: v.string(),
    material_code: v.string(),
    print_setting: v.string(),
    layer_thickness_mm: v.union([v.pipe(finite, v.gtValue(0)), v.literal("ADAPTIVE")]),
  }),
  custom_print_setting: v.optional(v.object({
    id: v.pipe(v.string(), v.uuid()),
    name: v.string(),
    document: v.custom<SettingDocument>(isRecord, "expected an object"),
  })),
  models: v.array(ModelSchema),
});

const HeadSchema = v.object({ format: v.literal(FORMAT), version: v.pipe(v.number(), v.integer(), v.minValue(1)) });
const ManifestSchema = v.object({ ...HeadSchema.entries, project_name: v.string(), scenes: v.array(SceneSchema) });

export type Manifest = v.InferOutput<typeof ManifestSchema>;

/** The hashes of all meshes that a manifest names, in the order in which it does. */
export const hashesIn = ({ scenes }: Manifest): string[] => [
  ...new Set(
    scenes.flatMap(({ models }) =>
      models.flatMap(({ mesh, supports, hollowed }) => [
        mesh,
        ...(supports ? [supports.mesh] : []),
        ...(hollowed ? [hollowed.solid] : []),
      ]),
    ),
  ),
];

export const toManifest = ({ projectName, scenes }: FormDocument): Manifest => ({
  format: FORMAT,
  version: versionOf(scenes),
  project_name: projectName,
  scenes: scenes.map(({ name, combination, customPrintSetting, models }) => ({
    name,
    scene_settings: {
      machine_type: combination.machineType,
      material_code: combination.materialCode,
      print_setting: combination.printSetting,
      layer_thickness_mm: combination.layerThicknessMm,
    },
    custom_print_setting: customPrintSetting,
    models: models.map(toManifestModel),
  })),
});

function toManifestModel(model: FormModel): ManifestModel {
  const { name, originalFile, units, visible, lock, pose, mesh, supports, hollowed } = model;
  return {
    name,
    original_file: originalFile,
    units,
    visible,
    lock,
    position: toPosition(pose.position),
    orientation: pose.orientation,
    scale: pose.scale,
    mesh: mesh.hash,
    ...(supports && { supports: toManifestSupports(supports) }),
    ...(hollowed && { hollowed: toManifestHollowed(hollowed) }),
  };
}

/** The document of a manifest and of meshes by their hashes, which must hold all that the manifest names. */
export const toDocument = (manifest: Manifest, meshes: ReadonlyMap<string, Mesh>): FormDocument => ({
  projectName: manifest.project_name,
  scenes: manifest.scenes.map(({ name, scene_settings, custom_print_setting, models }): FormScene => ({
    name,
    combination: {
      machineType: scene_settings.machine_type,
      materialCode: scene_settings.material_code,
      printSetting: scene_settings.print_setting,
      layerThicknessMm: scene_settings.layer_thickness_mm,
    },
    ...(custom_print_setting && { customPrintSetting: custom_print_setting }),
    models: models.map((model): FormModel => ({
      name: model.name,
      originalFile: model.original_file,
      units: model.units,
      visible: model.visible,
      lock: model.lock,
      pose: {
        position: fromPosition(model.position),
        orientation: normalise(model.orientation),
        scale: model.scale,
      },
      mesh: meshes.get(model.mesh)!,
      ...(model.supports && { supports: fromManifestSupports(model.supports, meshes) }),
      ...(model.hollowed && { hollowed: fromManifestHollowed(model.hollowed, meshes) }),
    })),
  })),
});

/** The manifest in a JSON value, without keys that this version does not know. `refuse` makes the fault from its cause. */
export function checkManifest(value: unknown, refuse: (why: string) => Fault): Manifest {
  const head = v.safeParse(HeadSchema, value);
  if (!head.success) throw refuse(NOT_OURS);
  const { version } = head.output;
  if (version > VERSION) {
    throw refuse(
      `it was saved by a newer Printwright (container version ${version}; this one reads up to ${VERSION}): ` +
        "update Printwright",
    );
  }
  const checked = v.safeParse(ManifestSchema, value, { abortEarly: true });
  if (checked.success) return checked.output;
  const [issue] = checked.issues;
  throw refuse(`${MANIFEST_NAME} is wrong at ${v.getDotPath(issue)}: ${issue.message}; save the project again`);
}
