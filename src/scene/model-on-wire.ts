import { createHash } from "node:crypto";
import type { Vec3 } from "../core/geometry.ts";
import type { Setting } from "../catalog/setting.ts";
import type { Model } from "./model.ts";
import { isInBounds, worldBox } from "./stand.ts";

export interface PositionOnWire {
  x: number;
  y: number;
  z: number;
}

/** A model as responses show it (interface, "Model"). Worked out once for a model and the setting it stands in. */
export function modelOnWire(model: Model, setting: Setting): ModelOnWire {
  const known = shown.get(model);
  if (known?.setting === setting) return known.wire;
  const wire = show(model, setting);
  shown.set(model, { setting, wire });
  return wire;
}

export type ModelOnWire = ReturnType<typeof show>;

const shown = new WeakMap<Model, { readonly setting: Setting; readonly wire: ModelOnWire }>();

function show(model: Model, setting: Setting) {
  const { position, orientation, scale } = model.pose;
  const box = worldBox(model);
  return {
    id: model.id,
    name: model.name,
    position: positionOnWire(position),
    orientation,
    scale,
    units: model.units,
    bounding_box: { min_corner: positionOnWire(box.min), max_corner: positionOnWire(box.max) },
    original_file: model.originalFile,
    visible: model.visible,
    has_supports: model.supports !== undefined,
    is_group: false,
    is_cage: false,
    in_bounds: isInBounds(model, setting),
    raw_mesh_hash: model.mesh.hash,
    canonical_model_hash: canonicalHashOf(model),
    lock: model.lock,
  };
}

export const positionOnWire = ([x, y, z]: Vec3): PositionOnWire => ({ x, y, z });

/** SHA-256 over the raw mesh's hash, the position in whole micrometres, the angles and the scale (supplement, section 4). */
function canonicalHashOf({ mesh, pose: { position, orientation, scale } }: Model): string {
  const positionUm = position.map((mm) => Math.round(mm * 1000) + 0);
  const placed = [mesh.hash, ...positionUm, orientation.z, orientation.x, orientation.y, scale].join(" ");
  return createHash("sha256").update(placed).digest("hex");
}
