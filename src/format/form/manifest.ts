import * as v from "valibot";
import type { ErrorFactory } from "../../core/api-error.ts";
import { MAX_DOCUMENT_DEPTH, isRecord } from "../../core/json.ts";
import { LOCKS } from "../../geometry/pose-lock.ts";
import { RAFT_TYPES } from "../../catalog/raft-type.ts";
import { MAX_COORDINATE_MM } from "../../core/limits.ts";
import { UNITS } from "../../core/units.ts";

/** Path of the manifest inside the archive. */
export const MANIFEST_NAME = "manifest.json";

/** Larger manifests are neither written nor read: room for 100,000 models. */
export const MAX_MANIFEST_BYTES = 64 * 2 ** 20;

/** The document of a print setting is at depth 4: manifest, scenes, scene, custom_print_setting. */
export const MANIFEST_DEPTH = 4 + MAX_DOCUMENT_DEPTH;

/** Distinguishes this program's containers from other files with the same extension. */
export const FORMAT_NAME = "printwright-form";

/** The newest container version that is read. */
export const FORM_VERSION = 2;

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

const pointSchema = v.tuple([coordinate, coordinate, coordinate]);

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
  faults: v.optional(
    v.object({ unreached: v.array(pointSchema), slender: v.array(pointSchema), is_loose: v.boolean() }),
  ),
});

/** Coordinates of a position, mm. */
export type ManifestPosition = v.InferOutput<typeof positionSchema>;
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

export type ManifestHollowed = v.InferOutput<typeof HollowedSchema>;

type SettingDocument = Readonly<Record<string, unknown>>;

const LettersSchema = v.object({ axis: v.picklist([0, 1]), side: v.picklist([1, -1]), at_mm: coordinate });

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
  lost_supports: v.optional(v.picklist(["TURNED", "SCALED", "MESH", "SETTING"])),
  hollowed: v.optional(HollowedSchema),
  letters: v.optional(LettersSchema),
});

export type ManifestModel = v.InferOutput<typeof ModelSchema>;

const indexSchema = v.pipe(v.number(), v.integer(), v.minValue(0));

const CageSchema = v.object({ name: v.string(), lattice: indexSchema, parts: v.array(indexSchema) });

type ManifestCage = v.InferOutput<typeof CageSchema>;

const AcceptedSchema = v.object({
  id: v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/, "expected 16 hexadecimal digits")),
  count: nonNegative,
  size: nonNegative,
});

interface ManifestMembers {
  readonly models: readonly unknown[];
  readonly cages?: readonly ManifestCage[] | undefined;
}

/** Whether the cages refer to models of the scene, each of them once. */
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
    accepted_findings: v.optional(v.array(AcceptedSchema)),
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
  if (version > FORM_VERSION) {
    throw refuse(
      `it was saved by a newer Printwright (container version ${version}; this one reads up to ${FORM_VERSION}): ` +
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
