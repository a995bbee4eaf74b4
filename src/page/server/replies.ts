// The fields of answers of `/v1/` that the page reads. Answers of `/ui/` are in `ui/replies.ts`.

import type { JobFacts } from "../../feature/job-files/page.ts";

export interface Corner {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** A model in `/v1/scene/get/`. */
export interface ModelDetails {
  readonly id: string;
  readonly name: string;
  readonly position: Corner;
  readonly orientation: Corner;
  readonly scale: number;
  readonly units: string;
  readonly bounding_box: { readonly min_corner: Corner; readonly max_corner: Corner };
  readonly has_supports: boolean;
  readonly is_group: boolean;
  readonly is_cage: boolean;
  readonly in_bounds: boolean;
  readonly lock: string;
  readonly visible: boolean;
}

/** `/v1/scene/metadata/`. */
export interface Metadata {
  readonly layer_count: number;
  readonly material: string;
  readonly material_usage: Readonly<Record<string, number>>;
  readonly estimated_print_time_s: number;
  readonly models: readonly {
    readonly id: string;
    readonly volume_ml: number;
    readonly surface_area_mm2: number;
    readonly triangle_count: number;
    readonly support_volume_ml: number;
  }[];
}

/** A combination of machine, material, print setting and layer thickness. */
export interface SceneSettings {
  readonly machine_type: string;
  readonly material_code: string;
  readonly print_setting: string;
  readonly layer_thickness_mm: number | string;
}

export interface MaterialType {
  readonly label: string;
  readonly material_settings: readonly { readonly label: string; readonly scene_settings: SceneSettings }[];
}

/** `/v1/print-setting/list/`. */
export interface CatalogPrinter {
  readonly label: string;
  readonly supported_product_names: readonly string[];
  readonly supported_machine_type_ids: readonly string[];
  readonly build_volume_dimensions_mm: readonly number[];
  readonly materials: readonly MaterialType[];
}

/** A job that a queue holds. */
export interface ListedJob {
  readonly id: string;
  readonly name: string;
  readonly state: "WAITING_FOR_RELEASE" | "WAITING_FOR_PRINTER" | "SENDING" | "SET_ASIDE";
  readonly reason?: string;
  readonly ready_printers: readonly string[];
}

/** A printer of `/v1/device/unusable/`. */
export interface UnusableDevice {
  readonly id: string;
  readonly product_name: string;
  readonly ip_address?: string;
  readonly reason: string;
}

/** A queue of `/v1/queue/list/`. */
export interface Queue {
  readonly id: string;
  readonly name: string;
  readonly queue_paused: boolean;
  readonly jobs: readonly ListedJob[];
}

/** A printer or queue of `/v1/device/list/`; fields that only some of them have are optional. */
export interface ListedDevice {
  readonly id: string;
  readonly product_name: string;
  readonly status: string;
  readonly is_connected: boolean;
  readonly connection_type?: string;
  readonly ip_address?: string;
  readonly firmware_version: string;
  readonly ready_to_print_now?: boolean;
  readonly estimated_print_time_remaining_ms?: number;
  readonly tank_material_code?: string;
  readonly material_code?: string;
  readonly queue_paused?: boolean;
  readonly printers?: readonly { readonly id: string; readonly machine_type_id: string }[];
  readonly bed_temperature_c?: number;
  readonly powder_level?: string;
}

/** A place in a job: the layer, and a point of its picture in the file, pixels from the left and the top. */
interface JobPlace {
  readonly layer: number;
  readonly pixel: { readonly x: number; readonly y: number };
}

/** `/v1/job/inspect/`: facts, and findings once the layers are read. */
export interface InspectedJob extends JobFacts {
  readonly warnings: readonly string[];
  readonly finding_count?: number;
  readonly island_count?: number;
  readonly islands?: readonly (JobPlace & { readonly area_mm2?: number })[];
  readonly cup_count?: number;
  readonly cups?: readonly (JobPlace & { readonly volume_mm3: number })[];
  readonly overhangs?: readonly (JobPlace & { readonly area_mm2: number })[];
  readonly borders?: readonly { readonly layer: number; readonly pixel_count: number }[];
  readonly empty_layers?: readonly number[];
}

/** The reply of `calibration/plate`, as far as the page shows it. */
export interface PlateToRead {
  readonly plate: object;
  readonly print_time_s: number;
  readonly readings: readonly { readonly patch: string; readonly measure: string; readonly unit: "mm" | "count" }[];
  readonly warnings: readonly string[];
}

/** The reply of `calibration/fit`. */
export interface FittedResin {
  readonly figures: readonly {
    readonly name: string;
    readonly value: number;
    readonly standard_error: number;
    readonly is_determined: boolean;
    readonly needs?: string;
  }[];
  readonly machines: object;
  readonly warnings: readonly string[];
}

/** A plate of `plan/create`. */
export interface PlanPlate {
  readonly plate: number;
  readonly machine_type: string;
  readonly material_code: string;
  readonly print_setting: string;
  readonly layer_thickness_mm: string;
  readonly printer: string;
  readonly starts_at: string;
  readonly ends_at: string;
  readonly due?: string;
  readonly is_late: boolean;
  readonly late_reason?: string;
  /** Height of the highest part of a powder chamber, mm; absent on plates. */
  readonly height_mm?: number;
  /** Share of a powder chamber up to that height that its parts take. */
  readonly density?: number;
  readonly parts: readonly object[];
}

/** The reply of `plan/create`, and a file of `printwright plan`. */
export interface MadePlan {
  readonly plates: readonly PlanPlate[];
  readonly late: readonly {
    readonly order: string;
    readonly due: string;
    readonly ends_at: string;
    readonly reason: string;
  }[];
  readonly unplaced: readonly { readonly order: string; readonly message: string }[];
  readonly split_groups: readonly { readonly group: string; readonly plates: readonly number[] }[];
  readonly is_cut_off: boolean;
}
