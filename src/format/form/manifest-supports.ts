import * as v from "valibot";
import { camelKeys, snakeKeys } from "../../core/key-case.ts";
import { RAFT_TYPES } from "../../core/raft-type.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import type { FormSupports } from "./document.ts";
import { coordinate, finite, fromPosition, meshHash, position, toPosition } from "./manifest-values.ts";

const amount = v.pipe(finite, v.minValue(0));

const TouchpointSchema = v.tuple([
  coordinate,
  coordinate,
  coordinate,
  finite,
  finite,
  finite,
  v.picklist(["MINIMUM", "ISLAND", "PENINSULA", "OVERHANG"]),
]);

/** The supports of a model in the manifest. */
export const SupportsSchema = v.object({
  position,
  turn_deg: finite,
  mesh: meshHash,
  settings: v.object({
    density: amount,
    slope_multiplier: amount,
    only_minima: v.boolean(),
    raft_type: v.picklist(RAFT_TYPES),
    raft_label_enabled: v.boolean(),
    breakaway_structure_enabled: v.boolean(),
    internal_supports_enabled: v.boolean(),
    touchpoint_size_mm: amount,
    raft_thickness_mm: amount,
    height_above_raft_mm: amount,
    z_compression_correction_mm: amount,
    early_layer_merge_mm: amount,
    self_supporting_angle_deg: amount,
    bridging_distance_mm: amount,
  }),
  /** x, y, z, the normal's x, y, z, and the cause. */
  touchpoints: v.array(TouchpointSchema),
});

export type ManifestSupports = v.InferOutput<typeof SupportsSchema>;

export function toManifestSupports({ pose, mesh, settings, touchpoints }: FormSupports): ManifestSupports {
  return {
    position: toPosition(pose.position),
    turn_deg: pose.orientation.z,
    mesh: mesh.hash,
    settings: snakeKeys(settings),
    touchpoints: touchpoints.map(({ position, normal, cause }) => [...position, ...normal, cause]),
  };
}

export function fromManifestSupports(
  { position, turn_deg, mesh, settings, touchpoints }: ManifestSupports,
  meshes: ReadonlyMap<string, Mesh>,
): FormSupports {
  return {
    pose: {
      position: fromPosition(position),
      orientation: { x: 0, y: 0, z: turn_deg + 0 },
      scale: 1,
    },
    mesh: meshes.get(mesh)!,
    settings: camelKeys(settings),
    touchpoints: touchpoints.map(([x, y, z, nx, ny, nz, cause]) => ({
      position: [x, y, z],
      normal: [nx, ny, nz],
      cause,
    })),
  };
}
