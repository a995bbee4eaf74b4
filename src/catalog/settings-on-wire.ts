import type { Setting } from "./setting.ts";

/** The `scene_settings` object of scene responses; here the layer thickness is always a string. */
export const settingsOnWire = ({ combination, custom }: Setting) => ({
  machine_type: combination.machineType,
  material_code: combination.materialCode,
  print_setting: combination.printSetting,
  layer_thickness_mm: String(combination.layerThicknessMm),
  ...(custom && { custom_print_setting_id: custom.id }),
});
