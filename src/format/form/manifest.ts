import * as v from "valibot";
import type { ErrorFactory } from "../../core/api-error.ts";
import { MAX_DOCUMENT_DEPTH, camelKeys, isRecord, snakeKeys } from "../../core/json.ts";
import { LOCKS, RAFT_TYPES } from "../../core/model-options.ts";
import { MAX_COORDINATE_MM, UNITS } from "../../core/units.ts";
import { normaliseAngles } from "../../geometry/pose.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import type { FormDocument, FormHollowed, FormModel, FormScene, FormSupports } from "./document.ts";

/** Path of the manifest inside the archive. */
export const MANIFEST_NAME = "manifest.json";

/** Larger manifests are neither written nor read: room for 100,000 models. */
export const MAX_MANIFEST_BYTES = 64 * 2 ** 20;

/** The document of a print setting is at depth 4: manifest, scenes, scene, custom_print_setting. */
export const MANIFEST_DEPTH = 4 + MAX_DOCUMENT_DEPTH;

/** Distinguishes this program's containers from other files with the same extension. */
const FORMAT_NAME = "printwright-form";

/** The newest container version that is read. */
const VERSION = 2;

/** The cause in the error for a file of another program. */
export const NOT_OURS = "it is no project of this program; give a .form file that scene/save has written";

const finiteNumber = v.pipe(v.number(), v.finite());
const nonNegative = v.pipe(finiteNumber, v.minValue(0));
const positive = v.pipe(finiteNumber, v.gtValue(0));
const atMost = (max: number) => v.pipe(nonNegative, v.maxValue(max));
const coordinate = v.pipe(finiteNumber, v.minValue(-MAX_COORDINATE_MM), v.maxValue(MAX_COORDINATE_MM));
const positionSchema = v.object({ x: coordinate, y: coordinate, z: coordinate });
const hashSchema = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, "expected 64 hexadecimal digits"));

/** How far the length of a unit vector may be from 1: those of older files were computed in single precision. */
const UNIT_TOLERANCE = 1e-3;
const isUnit = (...components: readonly number[]): boolean =>
  Math.abs(Math.sqrt(components.reduce((sum, component) => sum + component ** 2, 0)) - 1) <= UNIT_TOLERANCE;

/** x, y, z, the normal's x, y, z, and the cause. */
const TouchpointSchema = v.pipe(
  v.tuple([
    coordinate,
    coordinate,
    coordinate,
    finiteNumber,
    finiteNumber,
    finiteNumber,
    v.picklist(["MINIMUM", "ISLAND", "PENINSULA", "OVERHANG"]),
  ]),
  v.check(([, , , x, y, z]) => isUnit(x, y, z), "expected a normal of length 1"),
);

const directionSchema = v.pipe(
  v.object({ x: finiteNumber, y: finiteNumber, z: finiteNumber }),
  v.check(({ x, y, z }) => isUnit(x, y, z), "expected a direction of length 1"),
);

const SupportsSchema = v.object({
  position: positionSchema,
  turn_deg: finiteNumber,
  mesh: hashSchema,
  settings: v.object({
    density: nonNegative,
    slope_multiplier: nonNegative,
    only_minima: v.boolean(),
    raft_type: v.picklist(RAFT_TYPES),
    raft_label_enabled: v.boolean(),
    breakaway_structure_enabled: v.boolean(),
    internal_supports_enabled: v.boolean(),
    // The ranges of `auto-support` (interface supplement, section 6).
    touchpoint_size_mm: v.pipe(atMost(5), v.minValue(0.1)),
    raft_thickness_mm: atMost(10),
    height_above_raft_mm: atMost(50),
    z_compression_correction_mm: atMost(5),
    early_layer_merge_mm: atMost(5),
    self_supporting_angle_deg: atMost(90),
    bridging_distance_mm: atMost(1000),
  }),
  touchpoints: v.array(TouchpointSchema),
});

export type ManifestSupports = v.InferOutput<typeof SupportsSchema>;

const HollowedSchema = v.object({
  solid: hashSchema,
  holes: v.array(
    v.object({
      position: positionSchema,
      direction: directionSchema,
      diameter_mm: positive,
      depth_mm: v.union([positive, v.literal("AUTO")]),
      outset_mm: nonNegative,
      search_mm: v.optional(positive),
    }),
  ),
});

type ManifestHollowed = v.InferOutput<typeof HollowedSchema>;

type SettingDocument = NonNullable<FormScene["customPrintSetting"]>["document"];

const ModelSchema = v.object({
  name: v.string(),
  original_file: v.string(),
  units: v.picklist(UNITS),
  visible: v.boolean(),
  lock: v.picklist(LOCKS),
  position: positionSchema,
  orientation: v.object({ x: finiteNumber, y: finiteNumber, z: finiteNumber }),
  scale: positive,
  mesh: hashSchema,
  supports: v.optional(SupportsSchema),
  hollowed: v.optional(HollowedSchema),
});

type ManifestModel = v.InferOutput<typeof ModelSchema>;

const indexSchema = v.pipe(v.number(), v.integer(), v.minValue(0));

const CageSchema = v.object({ name: v.string(), lattice: indexSchema, parts: v.array(indexSchema) });

type ManifestCage = v.InferOutput<typeof CageSchema>;

interface ManifestMembers {
  readonly models: readonly unknown[];
  readonly cages?: readonly ManifestCage[] | undefined;
}

/** Whether cages name models of the scene, each of them once. */
function areCagesDistinct({ models, cages = [] }: ManifestMembers): boolean {
  const members = cages.flatMap(({ lattice, parts }) => [lattice, ...parts]);
  return members.every((index) => index < models.length) && new Set(members).size === members.length;
}

const SceneSchema = v.pipe(
  v.object({
    name: v.string(),
    scene_settings: v.object({
      machine_type: v.string(),
      material_code: v.string(),
      print_setting: v.string(),
      layer_thickness_mm: v.union([positive, v.literal("ADAPTIVE")]),
    }),
    custom_print_setting: v.optional(
      v.object({
        id: v.pipe(v.string(), v.uuid()),
        name: v.string(),
        document: v.custom<SettingDocument>(isRecord, "expected an object"),
      }),
    ),
    models: v.array(ModelSchema),
    cages: v.optional(v.array(CageSchema)),
  }),
  v.check((scene) => areCagesDistinct(scene), "its cages name a model that is not there, or one twice"),
);

const HeadSchema = v.object({
  format: v.literal(FORMAT_NAME),
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
});
const ManifestSchema = v.object({ ...HeadSchema.entries, project_name: v.string(), scenes: v.array(SceneSchema) });

export type Manifest = v.InferOutput<typeof ManifestSchema>;

/** The manifest in a JSON value, without keys that this version does not know. `refuse` makes an error of its cause. */
export function checkManifest(value: unknown, refuse: ErrorFactory): Manifest {
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

/** The hashes of all meshes that a manifest refers to, in the order of first use. */
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
  format: FORMAT_NAME,
  version: versionOf(scenes),
  project_name: projectName,
  scenes: scenes.map(({ name, combination, customPrintSetting, models, cages }) => ({
    name,
    scene_settings: {
      machine_type: combination.machineType,
      material_code: combination.materialCode,
      print_setting: combination.printSetting,
      layer_thickness_mm: combination.layerThicknessMm,
    },
    custom_print_setting: customPrintSetting,
    models: models.map(toManifestModel),
    ...(cages && { cages: cages.map(({ name, lattice, parts }) => ({ name, lattice, parts: [...parts] })) }),
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
    position: positionOf(pose.position),
    orientation: pose.orientation,
    scale: pose.scale,
    mesh: mesh.hash,
    ...(supports && { supports: toManifestSupports(supports) }),
    ...(hollowed && { hollowed: toManifestHollowed(hollowed) }),
  };
}

/** A file carries the lowest version that can hold it: only supports need version 2. */
const versionOf = (scenes: readonly FormScene[]): number =>
  scenes.some(({ models }) => models.some(({ supports }) => supports)) ? VERSION : 1;

function toManifestSupports({ pose, mesh, settings, touchpoints }: FormSupports): ManifestSupports {
  return {
    position: positionOf(pose.position),
    turn_deg: pose.orientation.z,
    mesh: mesh.hash,
    settings: snakeKeys(settings),
    touchpoints: touchpoints.map(({ position, normal, cause }) => [...position, ...normal, cause]),
  };
}

const toManifestHollowed = ({ solid, holes }: FormHollowed): ManifestHollowed => ({
  solid: solid.hash,
  holes: holes.map(({ position, direction, diameterMm, depthMm, outsetMm, searchMm }) => ({
    position: positionOf(position),
    direction: positionOf(direction),
    diameter_mm: diameterMm,
    depth_mm: depthMm,
    outset_mm: outsetMm,
    search_mm: searchMm,
  })),
});

const positionOf = ([x, y, z]: Vec3): v.InferOutput<typeof positionSchema> => ({ x, y, z });

/** The document of a manifest. `meshOf` gives the mesh with each hash of {@link hashesIn}. */
export const toDocument = (manifest: Manifest, meshOf: (hash: string) => Mesh): FormDocument => ({
  projectName: manifest.project_name,
  scenes: manifest.scenes.map(({ name, scene_settings, custom_print_setting, models, cages }): FormScene => ({
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
        position: parsePosition(model.position),
        orientation: normaliseAngles(model.orientation),
        scale: model.scale,
      },
      mesh: meshOf(model.mesh),
      ...(model.supports && { supports: fromManifestSupports(model.supports, meshOf) }),
      ...(model.hollowed && { hollowed: fromManifestHollowed(model.hollowed, meshOf) }),
    })),
    ...(cages && { cages }),
  })),
});

function fromManifestSupports(
  { position, turn_deg, mesh, settings, touchpoints }: ManifestSupports,
  meshOf: (hash: string) => Mesh,
): FormSupports {
  return {
    pose: {
      position: parsePosition(position),
      orientation: { x: 0, y: 0, z: turn_deg + 0 },
      scale: 1,
    },
    mesh: meshOf(mesh),
    settings: camelKeys(settings),
    touchpoints: touchpoints.map(([x, y, z, nx, ny, nz, cause]) => ({
      position: [x, y, z],
      normal: [nx, ny, nz],
      cause,
    })),
  };
}

const fromManifestHollowed = ({ solid, holes }: ManifestHollowed, meshOf: (hash: string) => Mesh): FormHollowed => ({
  solid: meshOf(solid),
  holes: holes.map(({ position, direction, diameter_mm, depth_mm, outset_mm, search_mm }) => ({
    position: parsePosition(position),
    direction: parsePosition(direction),
    diameterMm: diameter_mm,
    depthMm: depth_mm,
    outsetMm: outset_mm,
    ...(search_mm !== undefined && { searchMm: search_mm }),
  })),
});

/** −0 is read as 0. */
const parsePosition = ({ x, y, z }: v.InferOutput<typeof positionSchema>): Vec3 => [x + 0, y + 0, z + 0];
