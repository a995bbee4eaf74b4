import { resolveCombination } from "./resolve.ts";
import type { Setting } from "./setting.ts";

/**
 * Of a fresh server: the newest mid-size resin printer, its grey general-purpose resin, 0.1 mm (interface supplement,
 * section 3).
 */
export const defaultSetting = (): Setting =>
  resolveCombination({ machine_type: "FORM-4-0", material_code: "FLGPGR05", layer_thickness_mm: 0.1 });
