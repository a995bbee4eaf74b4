import { CATALOG, type MaterialSetting } from "./catalog.ts";

/**
 * The `printer_types` of print-setting/list. Each `scene_settings` can be posted to scene/create and
 * print-setting/validate.
 */
export const listPrinterTypes = () =>
  CATALOG.map(({ printerType, materials }) => ({
    label: printerType.label,
    supported_machine_type_ids: [...printerType.supportedMachineTypes],
    supported_product_names: [...printerType.productNames],
    build_volume_dimensions_mm: [...printerType.volume.dimensionsMm],
    materials: materials.map(({ label, settings }) => ({
      label,
      description: "",
      material_settings: settings.map(onWire),
    })),
  }));

const onWire = ({ label, combination }: MaterialSetting) => ({
  label,
  scene_settings: {
    machine_type: combination.machineType,
    material_code: combination.materialCode,
    print_setting: combination.printSetting,
    layer_thickness_mm: combination.layerThicknessMm,
  },
});
