/** Millimetres. */
interface Corner {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** The fields of the reply of scene/metadata that the description uses. */
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
  readonly models: readonly {
    readonly name: string;
    readonly bounding_box: { readonly min_corner: Corner; readonly max_corner: Corner };
  }[];
}

/**
 * Describes a prepared scene, for people and for programs. Where units were guessed, people are warned of parts that are unlikely in mm.
 */
export function describeScene(metadata: Metadata, areUnitsGuessed: boolean): { text: string; json: object } {
  const { printer_type, material, layer_count, layer_thickness_mm, estimated_print_time_s, models } = metadata;
  const thickness = layer_thickness_mm === "ADAPTIVE" ? "adaptive layers" : `${layer_thickness_mm} mm`;
  const parts = `${models.length} ${models.length === 1 ? "part" : "parts"}`;
  const text = [
    `${parts} for ${printer_type}, ${material}, ${thickness}`,
    `  ${layer_count} layers, about ${duration(estimated_print_time_s)}, ${usage(metadata)}`,
    ...(areUnitsGuessed ? tinyParts(metadata) : []),
  ].join("\n");
  const { scene_settings, material_usage } = metadata;
  const json = { scene_settings, layer_count, estimated_print_time_s, material_usage, models };
  return { text, json };
}

/** A smaller part is probably drawn in inches: few such small parts are printed, and few parts are longer than 5 inches. */
const TINY_MM = 5;

function tinyParts({ models }: Metadata): string[] {
  const sized = models.map(({ name, bounding_box: { min_corner: min, max_corner: max } }) => ({
    name,
    sidesMm: [max.x - min.x, max.y - min.y, max.z - min.z],
  }));
  const tiny = sized.find(({ sidesMm }) => Math.max(...sidesMm) < TINY_MM);
  if (!tiny) return [];
  const size = tiny.sidesMm.map((side) => side.toPrecision(2)).join(" × ");
  return [`  "${tiny.name}" is ${size} mm small: where its file is in inches, add --units inch`];
}

/** A smaller volume of resin is shown with its first digit that is not 0, millilitres. */
const SMALL_ML = 0.05;

/** The material of a print in words. */
export function usage({ material_usage: used }: Pick<Metadata, "material_usage">): string {
  const { volume_ml, unsupported_volume_ml = 0, total_powder_kg = 0, mass_packing_density = 0 } = used;
  if (volume_ml === undefined)
    return `${total_powder_kg.toFixed(2)} kg of powder, packing density ${mass_packing_density.toFixed(3)} kg/l`;
  const supports = volume_ml - unsupported_volume_ml;
  // For a part of a few millimetres one decimal would show 0.
  const resin = volume_ml < SMALL_ML ? volume_ml.toPrecision(1) : volume_ml.toFixed(1);
  return `${resin} ml of resin${supports > 0 ? ` (${supports.toFixed(1)} ml supports)` : ""}`;
}

/** A time in words, in minutes. */
export function duration(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
