import { duration, usage } from "../command/describe-scene.ts";
import { listed, named, quoted, toTenth } from "./answer.ts";
import type { ToolCall } from "./workspace.ts";

/** Most parts that an answer lists. */
const MAX_PARTS = 20;

interface Corner {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

interface WireModel {
  readonly id: string;
  readonly name: string;
  readonly bounding_box: { readonly min_corner: Corner; readonly max_corner: Corner };
  readonly has_supports: boolean;
  readonly in_bounds: boolean;
  readonly is_group: boolean;
}

/** A plate, in lines and as data. */
export interface PlateSummary {
  readonly lines: readonly string[];
  readonly data: Readonly<Record<string, unknown>>;
}

/** Describes a plate: its printer, layers, time and material, and its parts, or those of `modelIds` alone. */
export async function summarisePlate(
  call: ToolCall,
  plate: string,
  modelIds?: readonly string[],
): Promise<PlateSummary> {
  const scene_id = call.sceneId(plate);
  const metadata = await call.request("scene/metadata", { scene_id });
  const { printer_type: printer, material, layer_thickness_mm, layer_count, material_usage } = metadata;
  const { parts, lines } = await listParts(call, plate, modelIds);
  const volume = call.scene(plate).setting.printerType.volume.dimensionsMm;
  const { estimated_print_time_s: time } = metadata;
  const layers = layer_thickness_mm === "ADAPTIVE" ? "adaptive layers" : `layers of ${layer_thickness_mm} mm`;
  const total = call.scene(plate).models.length;
  const used = total === 0 ? "" : `: ${layer_count} layers, about ${duration(time)}, ${usage(metadata)}`;
  return {
    lines: [
      `${plate}: ${printer}, ${material}, ${layers}, build volume ${volume.join(" × ")} mm`,
      `${total === 0 ? "no parts yet: add_parts" : `${total} ${total === 1 ? "part" : "parts"}`}${used}`,
      ...lines,
    ],
    data: {
      plate,
      printer,
      material,
      layer_thickness_mm,
      build_volume_mm: [...volume],
      part_count: total,
      layer_count,
      estimated_print_time_s: time,
      material_usage,
      parts,
    },
  };
}

/** Lists parts of a plate: all of them, or those of `modelIds`. */
export async function listParts(call: ToolCall, plate: string, modelIds: readonly string[] = []) {
  const { models } = (await call.request("scene/model/list", {
    scene_id: call.sceneId(plate),
    model_ids: modelIds,
  })) as { models: readonly WireModel[] };
  const parts = models.filter(({ is_group }) => !is_group).map((model) => partOf(call, model));
  return {
    parts: parts.slice(0, MAX_PARTS),
    lines: listed(parts, lineOf, MAX_PARTS),
  };
}

function partOf(call: ToolCall, { id, name, bounding_box: box, has_supports, in_bounds }: WireModel) {
  const { min_corner: min, max_corner: max } = box;
  return {
    part: call.workspace.parts.of(id),
    name: named(name),
    size_mm: [max.x - min.x, max.y - min.y, max.z - min.z].map(toTenth),
    middle_mm: [(min.x + max.x) / 2, (min.y + max.y) / 2, (min.z + max.z) / 2].map(toTenth),
    has_supports,
    in_bounds,
  };
}

const lineOf = ({ part, name, size_mm, middle_mm, has_supports, in_bounds }: ReturnType<typeof partOf>): string =>
  [
    `${part} ${quoted(name)} ${size_mm.join(" × ")} mm${has_supports ? " with supports" : ""}`,
    `middle at ${middle_mm.join(", ")}`,
    ...(in_bounds ? [] : ["OUT OF THE BUILD VOLUME"]),
  ].join("; ");
