import { type JobMetadata, type JobTotals, meanThicknessMm } from "../job.ts";
import type { JobCycle, JobExposure } from "../job-exposure.ts";
import { type Json, decimal } from "./json-text.ts";
import { CURRENCY, densityOf, hasOwnMotions, liftOf } from "./tables.ts";
import type { ZipMachine } from "./zip-machines.ts";
import { type Zone, zonesOf } from "./zones.ts";

// Content of `anycubic_photon_resins.pwsp`: the machine and the resin. Keys, constants and the kinds of numbers are those of
// df-plugin-anycubic (MIT), of whose files an M7 Pro took one; waits between motions are keys of Photon Workshop 4.2.

/** Sizes of the previews in an archive. */
export const ZIP_PREVIEWS = [
  { width: 224, height: 168 },
  { width: 336, height: 252 },
  { width: 800, height: 600 },
] as const;

/** Density of the resin if nothing is printed, g/ml: machines may divide by it. */
const SOME_DENSITY = 1.1;

export function zipSettings(job: JobMetadata, exposure: JobExposure, machine: ZipMachine, totals: JobTotals): Json {
  const resin = resinOf(job, exposure, densityOf(totals) || SOME_DENSITY);
  return {
    version: "3",
    machine_type: machineType(job, machine),
    machine_extern: {
      version: "3",
      alias: machine.name,
      picture: machine.picture,
      cloud_property: 0,
      device_cn_code: "",
      factory_resins: [],
      user_resins: [resin.settings],
      active_resins: [resin.name],
      firmware_calc_print_time: 1,
      firmware_calc_print_time_paras: PRINT_TIME_CONSTANTS,
      firmware_calc_exp_time_paras: EXPOSURE_CONSTANTS,
    },
  };
}

const colour = (...channels: readonly number[]): Json => channels.map(decimal);
const sizeOf = ({ width, height }: { readonly width: number; readonly height: number }): Json => [width, height];

/** Micrometres, without the rounding errors of quotients. */
const micrometres = (mm: number): Json => decimal(Math.round(mm * 1e5) / 100);

function machineType({ printer }: JobMetadata, machine: ZipMachine): Json {
  const [columns, rows] = printer.pixels;
  const [width, depth, height] = printer.volumeMm;
  const usableMm = machine.usableMm ?? [width, depth];
  return {
    version: "3",
    name: machine.name,
    key_suffix: machine.suffix,
    // Also in archives whose pictures have another format.
    key_image_format: "pwszImg",
    res_x: columns,
    res_y: rows,
    xy_pixel: micrometres(printer.pixelMm[0]),
    xy_pixel_y: micrometres(printer.pixelMm[1]),
    rotate_z: decimal(machine.rotateZ),
    max_samples: 16,
    property: 119,
    print_xsize: decimal(usableMm[0]),
    print_ysize: decimal(usableMm[1]),
    print_zsize: decimal(height),
    max_file_version: printer.maxVersion ?? machine.maxVersion,
    prev_back_color: colour(0.007813, 0.28125, 0.390625),
    prev_model_color: colour(0.804688, 0.804688, 0.804688),
    prev_supports_color: colour(0.074219, 0.925781, 0.929688),
    prev_image_size: sizeOf(ZIP_PREVIEWS[0]),
    child_screen: [{ x: 0, y: 0, width: columns, height: rows }],
    prev2_back_color: colour(0.07843, 0.10588, 0.16078),
    prev2_image_size: sizeOf(ZIP_PREVIEWS[1]),
    raster_segments_capacity: machine.segmentsCapacity,
    raster_antialiasing: 8,
    cloudprev_back_color: colour(0.933333, 0.941176, 0.964706),
    cloudprev_imag_size: sizeOf(ZIP_PREVIEWS[2]),
  };
}

/** Parts of the names of resins are separated by @. */
const namePart = (text: string): string => text.replaceAll(/[@\p{Cc}]+/gu, " ").trim() || "resin";

function resinOf(job: JobMetadata, exposure: JobExposure, density: number): { name: string; settings: Json } {
  const [brand, resin, film, setting] = ["Generic", namePart(job.material.label), "ACF", namePart(job.printSetting)];
  const name = [brand, resin, film, setting].join("@");
  const settings: Json = {
    version: "2",
    property: {
      version: "4",
      code: "10",
      currency: CURRENCY,
      name,
      price: decimal(0),
      type: "Standard resin",
      volume: decimal(1000),
      subfunc_code: 0,
      density: decimal(density),
      target_temperature: decimal(25),
      brand_name: brand,
      resin_name: resin,
      film_name: film,
      setting_name: setting,
    },
    depth_penetration_curve: {
      zthick_min: decimal(0.01),
      zthick_max: decimal(0.2),
      light_intensity: decimal(9000),
      safety_coefficient: decimal(1.6),
      current_tempcurve_selector: -1,
      temperature_coefficients: [],
    },
    slice_extpara: sliceExtras(exposure),
    slicepara: sliceParameters(job, exposure),
  };
  return { name, settings };
}

const zoneJson = ({ mm, upMmPerS, downMmPerS }: Zone): Json => ({
  height: decimal(mm),
  up_speed: decimal(upMmPerS),
  down_speed: decimal(downMmPerS),
});

function sliceExtras(exposure: JobExposure): Json {
  const [first, normal] = [zonesOf(exposure.firstCycle), zonesOf(exposure.normalCycle)];
  return {
    version: "3",
    multi_state_used: hasOwnMotions(exposure) ? 1 : 0,
    transition_layercount: exposure.fadingLayers,
    transition_type: 0,
    multi_state_paras: {
      bott_0: zoneJson(first[0]),
      bott_1: zoneJson(first[1]),
      normal_0: zoneJson(normal[0]),
      normal_1: zoneJson(normal[1]),
    },
    exposure_compensate: decimal(0),
    intelli_mode: 0, // the machine keeps the exposures
    max_acceleration: Z_ACCELERATION,
    separate_support_exposure_delayed: decimal(0),
  };
}

function sliceParameters(job: JobMetadata, { firstCycle, normalCycle, ...exposure }: JobExposure): Json {
  const { liftMm, up, down } = liftOf(normalCycle);
  return {
    anti_count: 1,
    blur_level: 0,
    bott_layers: exposure.firstLayers,
    bott_time: decimal(exposure.firstS),
    exposure_time: decimal(exposure.normalS),
    gray_level: 0,
    off_time: decimal(normalCycle.waitAfterRetractS),
    // Printers of this maker misbehave with exposures and motions of single layers.
    use_indivi_layerpara: 0,
    use_random_erode: 0,
    zthick: decimal(meanThicknessMm(job)),
    zup_height: decimal(liftMm),
    zup_speed: decimal(up),
    zdown_speed: decimal(down),
    bott_off_time: decimal(firstCycle.waitAfterRetractS),
    ...waitsJson("bott_", firstCycle),
    ...waitsJson("", normalCycle),
  };
}

const waitsJson = (prefix: string, { waitBeforeLiftS, waitAfterLiftS }: JobCycle): Record<string, Json> => ({
  [`${prefix}wait_before_lift`]: decimal(waitBeforeLiftS),
  [`${prefix}wait_after_lift`]: decimal(waitAfterLiftS),
});

/** mm/s². */
const Z_ACCELERATION = 20;
const FOUR_ZEROS: Json = [0, 0, 0, 0];

/** By which machines compute the print time. */
const PRINT_TIME_CONSTANTS: Json = {
  version: "2",
  MACHINE_AXIS_STEPS_PER_UNIT: [100, 100, 3200, 94].map(decimal),
  MACHINE_BLOCK_BUFFER_SIZE: 32,
  MACHINE_DEFAULT_ACCELERATION: decimal(1000),
  MACHINE_DEFAULT_MINSEGMENTTIME: 20_000,
  MACHINE_DEFAULT_XYJERK: decimal(20),
  MACHINE_DEFAULT_ZJERK: decimal(0.2),
  MACHINE_GENERATE_FRAME_TIME: decimal(450),
  MACHINE_MAX_ACCELERATION: [1000, 1000, Z_ACCELERATION, 1000],
  MACHINE_MAX_FEEDRATE: [200, 200, 20, 45].map(decimal),
  MACHINE_MAX_STEP_FREQUENCY: 256_000,
  MACHINE_MINIMUM_PLANNER_SPEED: decimal(0.05),
  MACHINE_NOR_LAYER_DOWN_HEIGHT_DIV: decimal(0.25),
  MACHINE_NOR_LAYER_DOWN_SPEED_DIV: decimal(0.5),
  MACHINE_NOR_LAYER_UP_HEIGHT_DIV: decimal(0.25),
  MACHINE_NOR_LAYER_UP_SPEED_DIV: decimal(0.5),
  MACHINE_STEP_MUL: 1,
  MACHINE_TIME_COMPENSATE: decimal(0),
  MACHINE_TIM_PRES: decimal(30),
  MACHINE_TIM_RCC_CLK: decimal(60),
  FUNCTION: 1,
  MACHINE_MODE_ACCELERATION: FOUR_ZEROS,
  LAYER_COMPENSATE: FOUR_ZEROS,
  HEIGHT_COMPENSATE: FOUR_ZEROS,
  TIMES_COMPENSATE: FOUR_ZEROS,
};

const EXPOSURE_CONSTANTS: Json = {
  precision_range_branch: [0, 5, 25].map(decimal),
  precision_per_volume: decimal(5),
  precision_coeff_value: [0.024, 0.01, -0.2].map(decimal),
  energy_coeff: decimal(0),
  machine_exposure_ton: decimal(0.4),
};
