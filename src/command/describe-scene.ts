/** The parts of the reply of scene/metadata that are told. */
interface Metadata {
  readonly scene_settings: object;
  readonly printer_type: string;
  readonly material: string;
  readonly layer_count: number;
  readonly layer_thickness_mm: number | "ADAPTIVE";
  readonly material_usage: {
    readonly volume_ml?: number;
    readonly unsupported_volume_ml?: number;
    readonly total_powder_kg?: number;
    readonly mass_packing_density?: number;
  };
  readonly estimated_print_time_s: number;
  readonly models: readonly { readonly name: string }[];
}

/** A prepared scene, for people and for programs. */
export function describeScene(metadata: Metadata): { text: string; json: object } {
  const { printer_type, material, layer_count, layer_thickness_mm, estimated_print_time_s, models } = metadata;
  const thickness = layer_thickness_mm === "ADAPTIVE" ? "adaptive layers" : `${layer_thickness_mm} mm`;
  const parts = `${models.length} ${models.length === 1 ? "part" : "parts"}`;
  const text = [
    `${parts} for ${printer_type}, ${material}, ${thickness}`,
    `  ${layer_count} layers, about ${duration(estimated_print_time_s)}, ${usage(metadata)}`,
  ].join("\n");
  const { scene_settings, material_usage } = metadata;
  const json = { scene_settings, layer_count, estimated_print_time_s, material_usage, models };
  return { text, json };
}

function usage({ material_usage: used }: Metadata): string {
  const { volume_ml, unsupported_volume_ml = 0, total_powder_kg = 0, mass_packing_density = 0 } = used;
  if (volume_ml === undefined)
    return `${total_powder_kg.toFixed(2)} kg of powder, packing density ${(100 * mass_packing_density).toFixed(1)} %`;
  const supports = volume_ml - unsupported_volume_ml;
  return `${volume_ml.toFixed(1)} ml of resin${supports > 0 ? ` (${supports.toFixed(1)} ml supports)` : ""}`;
}

function duration(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
