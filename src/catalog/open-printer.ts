import * as v from "valibot";
import { JOB_KINDS, type PlatformLift, type PrinterType } from "./setting.ts";

// Printers as data: the facts of one, from which its machine type, its raster, the times of its layers and its jobs follow. Figures
// without a source are working values.

const positive = v.pipe(v.number(), v.gtValue(0));
/** 65,535 is the limit of the fields in most job formats. */
const pixelCount = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535));
const text = v.pipe(v.string(), v.nonEmpty(), v.maxLength(100));
const waitS = v.optional(v.pipe(v.number(), v.minValue(0)));

/** Motions between two layers, and the rests between them. */
const motions = {
  /** The way next to the film. */
  lift_mm: positive,
  lift_mm_min: positive,
  /** A second stage of the lift, after it. */
  lift2_mm: v.optional(positive),
  lift2_mm_min: v.optional(positive),
  retract_mm_min: positive,
  /** The last part of the way back, next to the film. */
  retract2_mm: v.optional(positive),
  retract2_mm_min: v.optional(positive),
  /** Rest after the exposure, before the lift. */
  wait_after_cure_s: waitS,
  wait_after_lift_s: waitS,
  /** Rest after the retraction, before the next exposure. */
  wait_before_cure_s: waitS,
};

/** How the machine peels a layer off: by a tilt of the vat, with motions of its firmware, or by a lift of the platform. */
const releaseSchema = v.variant("by", [
  v.strictObject({ by: v.literal("TILT") }),
  v.strictObject({
    by: v.literal("LIFT"),
    ...motions,
    /** What differs for the first layers. */
    bottom: v.optional(v.partial(v.strictObject(motions))),
  }),
]);

export const openPrinterSchema = v.strictObject({
  machine_type: v.pipe(v.string(), v.regex(/^[A-Z0-9]+(-[A-Z0-9]+)*$/), v.maxLength(32)),
  maker: text,
  product_name: text,
  display: v.strictObject({
    /** Columns and rows of a picture seen from above: x to the right, y to the back. */
    pixels: v.tuple([pixelCount, pixelCount]),
    size_mm: v.tuple([positive, positive]),
    /** The machine takes its pictures mirrored left to right. */
    mirror_x: v.boolean(),
    /** It takes them mirrored top to bottom. */
    mirror_y: v.optional(v.boolean()),
    /** It takes them rotated by 90°. */
    portrait: v.optional(v.boolean()),
  }),
  height_mm: positive,
  /** Of the settings of its generic resin. */
  layer_thicknesses_mm: v.pipe(v.array(positive), v.nonEmpty()),
  release: releaseSchema,
  job: v.strictObject({
    format: v.picklist(JOB_KINDS),
    extension: v.pipe(v.string(), v.regex(/^\.[a-z0-9]+$/)),
    /** The maker's name of the machine in its jobs. */
    machine_name: text,
    /** The latest version of the format that the machine takes, if it is not that of `format`. */
    max_version: v.optional(pixelCount),
  }),
  /** The protocol by which it is found in the local network and takes jobs. */
  network: v.optional(v.picklist(["SDCP"])),
  /** Sources by the names of the fields above, and what is doubtful about them. */
  sources: v.record(v.string(), v.pipe(v.string(), v.nonEmpty(), v.maxLength(500))),
});

export type OpenPrinter = v.InferOutput<typeof openPrinterSchema>;

export function openPrinterType({ machine_type, display, ...printer }: OpenPrinter): PrinterType {
  const [[columns, rows], [width, depth]] = [display.pixels, display.size_mm];
  return {
    label: printer.product_name,
    maker: printer.maker,
    family: "resin",
    machineType: machine_type,
    supportedMachineTypes: [machine_type],
    productNames: [printer.product_name],
    volume: { dimensionsMm: [width, depth, printer.height_mm], filletRadiusMm: 0 },
    raster: {
      pixels: [columns, rows],
      pixelMm: [width / columns, depth / rows],
      mirrorX: display.mirror_x,
      mirrorY: display.mirror_y ?? false,
      portrait: display.portrait ?? false,
    },
    ...(printer.release.by === "LIFT" && motionsOf(printer.release)),
    job: printer.job.format,
    jobExtension: printer.job.extension,
    nameInJobs: printer.job.machine_name,
    ...(printer.job.max_version !== undefined && { jobMaxVersion: printer.job.max_version }),
    ...(printer.network && { network: printer.network }),
  };
}

function motionsOf({
  bottom,
  ...release
}: Extract<OpenPrinter["release"], { by: "LIFT" }>): Pick<PrinterType, "lift" | "firstLift"> {
  const { lift_mm: liftMm, lift_mm_min: liftMmPerMin, retract_mm_min: retractMmPerMin } = release;
  return {
    lift: { ...liftOf(release), liftMm, liftMmPerMin, retractMmPerMin },
    ...(bottom && { firstLift: liftOf(bottom) }),
  };
}

/** The fields of a lift and their names in data. */
const LIFT_FIELDS = {
  liftMm: "lift_mm",
  liftMmPerMin: "lift_mm_min",
  lift2Mm: "lift2_mm",
  lift2MmPerMin: "lift2_mm_min",
  retractMmPerMin: "retract_mm_min",
  retract2Mm: "retract2_mm",
  retract2MmPerMin: "retract2_mm_min",
  waitAfterCureS: "wait_after_cure_s",
  waitAfterLiftS: "wait_after_lift_s",
  waitBeforeCureS: "wait_before_cure_s",
} as const satisfies Record<keyof PlatformLift, keyof typeof motions>;

type Motions = { readonly [Field in keyof typeof motions]?: number | undefined };

/** The given ones of the fields of a lift. */
const liftOf = (given: Motions): Partial<PlatformLift> =>
  Object.fromEntries(
    Object.entries(LIFT_FIELDS).flatMap(([field, name]) => (given[name] === undefined ? [] : [[field, given[name]]])),
  );
