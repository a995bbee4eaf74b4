import * as v from "valibot";
import { field } from "../../api/field.ts";
import { machineType, materialCode } from "../../api/schema.ts";

const MAX_S = 1000;
export const layerMm = v.pipe(v.number(), v.minValue(0.005), v.maxValue(1));
export const seconds = v.pipe(v.number(), v.gtValue(0), v.maxValue(MAX_S));
const dose = v.pipe(v.number(), v.minValue(0), v.maxValue(1));

/** The fields that say which plate was printed. */
export const plateFields = {
  machine_type: machineType,
  material_code: materialCode,
  layer_thickness_mm: field(layerMm, "Layer thickness in mm."),
  exposure_s: field(seconds, "Exposure of the normal layers of the plate in seconds."),
  time_ratio: field(
    v.pipe(v.number(), v.minValue(1), v.maxValue(10)),
    "Exposure of the layer in which greys are compared with times, in those of the normal layers; 1 for plates of panels whose response is known.",
  ),
  corner_layers: field(
    v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000)),
    "Layers by which the posts at the corners are higher than all else of the plate.",
  ),
  response: field(
    v.optional(v.union([v.pipe(v.number(), v.minValue(0.2), v.maxValue(6)), v.pipe(v.array(dose), v.length(16))])),
    "The response of the panel if it was known, as in the optics of printers.",
  ),
};
