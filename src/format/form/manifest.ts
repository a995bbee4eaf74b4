import * as v from "valibot";
import type { ErrorFactory } from "../../core/api-error.ts";
import { MAX_DOCUMENT_DEPTH, isRecord } from "../../core/json.ts";
import { LOCKS } from "../../geometry/pose-lock.ts";
import { INFILL_KINDS } from "../../mesh/mesh.ts";
import { UNITS } from "../../core/units.ts";
import { SupportPlanSchema, SupportsSchema } from "./manifest-supports.ts";
import {
  coordinate,
  directionSchema,
  finiteNumber,
  hashSchema,
  nonNegative,
  positionSchema,
  positive,
} from "./manifest-values.ts";

/** Path of the manifest inside the archive. */
export const MANIFEST_NAME = "manifest.json";

/** Larger manifests are neither written nor read: room for 100,000 models. */
export const MAX_MANIFEST_BYTES = 64 * 2 ** 20;

/** The document of a print setting is at depth 4: manifest, scenes, scene, custom_print_setting. */
export const MANIFEST_DEPTH = 4 + MAX_DOCUMENT_DEPTH;

/** Distinguishes this program's containers from other files with the same extension. */
export const FORMAT_NAME = "printwright-form";

/** The newest container version that is read. */
export const FORM_VERSION = 3;

/** The cause in the error for a file of another program. */
export const NOT_OURS = "it is no project of this program; give a .form file that scene/save has written";

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
  infill: v.optional(
    v.object({
      kind: v.picklist(INFILL_KINDS),
      cell_size_mm: positive,
      wall_thickness_mm: positive,
      clearance_mm: nonNegative,
      cavity: hashSchema,
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
  support_plan: v.optional(SupportPlanSchema),
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
        ...(hollowed ? [hollowed.solid, ...(hollowed.infill ? [hollowed.infill.cavity] : [])] : []),
      ]),
    ),
  ),
];
