import * as v from "valibot";
import {
  BOTTOM,
  distanceMm,
  liftOf,
  otherLiftFields,
  restFields,
  speedMmPerMin,
  stageFields,
  upTo,
} from "./lift-fields.ts";
import { opticsSchema } from "./optics.ts";
import { JOB_KINDS, type JobKind, type PrinterType } from "./setting.ts";

// Printers as data: the facts of one, from which its machine type, its raster, the times of its layers and its jobs follow. Figures
// without a source are working values.

/** 65,535 is the limit of the fields in most job formats. */
const pixelCount = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535));
/** A text on one line; job formats have fields of 32 bytes and more. */
export const oneLine = v.pipe(
  v.string(),
  v.nonEmpty(),
  v.maxLength(100),
  v.regex(/^[^\p{C}]*$/u, "must be a text without line breaks and control characters"),
);
const lengthMm = upTo(2000);
/** The thinnest and thickest layer of custom print settings, too. */
export const layerMm = v.pipe(v.number(), v.minValue(0.005), v.maxValue(1));

/** A panel of 16K has 94 million pixels, and layers are rasterised in memory. */
const MAX_PIXELS = 2 ** 28;
/** Pixels of a panel are 14 µm to 80 µm wide: others show that a figure is wrong. */
const PIXEL_MM = { min: 0.005, max: 0.5 } as const;

interface Display {
  readonly pixels: readonly number[];
  readonly size_mm: readonly number[];
}

/** Width and depth of a pixel in mm. */
export const pixelSizeMm = ({ pixels, size_mm }: Display): number[] =>
  size_mm.map((mm, axis) => mm / (pixels[axis] ?? 1));

const displaySchema = v.pipe(
  v.strictObject({
    pixels: v.pipe(
      v.strictTuple([pixelCount, pixelCount]),
      v.check(
        ([columns, rows]) => columns * rows <= MAX_PIXELS,
        `are more than ${MAX_PIXELS} together, the most that a layer can have`,
      ),
      v.description("Columns and rows of a layer seen from above: x to the right, y to the back."),
    ),
    size_mm: v.pipe(
      v.strictTuple([lengthMm, lengthMm]),
      v.description("Width (x) and depth (y) of the picture in mm."),
    ),
    mirror_x: v.pipe(v.boolean(), v.description("Whether the machine takes its pictures mirrored left to right.")),
    mirror_y: v.pipe(
      v.optional(v.boolean()),
      v.description("Whether the machine takes its pictures mirrored top to bottom. Default false."),
    ),
    portrait: v.pipe(
      v.optional(v.boolean()),
      v.description("Whether the machine takes its pictures rotated by 90°. Default false."),
    ),
  }),
  v.check(
    (display) => pixelSizeMm(display).every((mm) => mm >= PIXEL_MM.min && mm <= PIXEL_MM.max),
    ({ input }) => {
      const size = pixelSizeMm(input as Display).map((mm) => `${Number(mm.toPrecision(3))} mm`);
      return `gives pixels of ${size.join(" by ")}, where ${PIXEL_MM.min} mm to ${PIXEL_MM.max} mm are possible: give pixels and size_mm along the same axes`;
    },
  ),
  v.description("The panel that makes the picture of a layer."),
);

/** How the machine peels a layer off: by a tilt of the vat, with motions of its firmware, or by a lift of the platform. */
const releaseSchema = v.variant("by", [
  v.strictObject({
    by: v.pipe(v.literal("TILT"), v.description("By a tilt of the vat, which the firmware controls.")),
  }),
  v.strictObject({
    by: v.pipe(v.literal("LIFT"), v.description("By a lift of the platform.")),
    lift_mm: v.pipe(distanceMm, v.description("Height of the lift, or of its stage next to the film, in mm.")),
    lift_mm_min: v.pipe(speedMmPerMin, v.description("Speed of the lift in mm/min.")),
    retract_mm_min: v.pipe(speedMmPerMin, v.description("Speed of the way back in mm/min.")),
    ...stageFields(),
    ...restFields(),
    bottom: v.pipe(
      v.optional(v.strictObject(otherLiftFields(BOTTOM))),
      v.description("What differs for the bottom layers."),
    ),
  }),
]);

/** The kinds of jobs that open printers take: all but this program's own. */
const OPEN_KINDS = JOB_KINDS.filter((kind): kind is Exclude<JobKind, "form"> => kind !== "form");

/** Extensions of models, projects and pictures, by which the files of a command and of scene/export are told apart. */
export const TAKEN_EXTENSIONS: readonly string[] = [
  ".stl",
  ".obj",
  ".3mf",
  ".glb",
  ".form",
  ".fps",
  ".png",
  ".webp",
  ".printjob",
];

const jobExtension = v.pipe(
  v.string(),
  v.maxLength(16),
  v.regex(/^\.[a-z0-9]+$/, 'must be a dot and small letters or digits, such as ".ctb"'),
  v.check(
    (extension) => !TAKEN_EXTENSIONS.includes(extension),
    `cannot be that of models, projects and pictures: ${TAKEN_EXTENSIONS.join(", ")}`,
  ),
);

/** What each kind of file is called everywhere. Files of Anycubic have others for each model, and `.zip` is of several kinds. */
const FORMAT_EXTENSIONS: readonly (readonly [kinds: RegExp, extensions: RegExp, name: string])[] = [
  [/^sl1s?$/, /^\.sl1s?$/, "sl1 or sl1s"],
  [/^(goo|goo-5|prz)$/, /^\.(goo|prz)$/, "goo, goo-5 or prz"],
  [/^ctb-/, /^\.ctb$/, "ctb-2, ctb-3 or ctb-4"],
  [/^cbddlp/, /^\.(cbddlp|photon)$/, "cbddlp"],
  [/^cxdlp-/, /^\.cxdlp$/, "cxdlp-2, cxdlp-3 or cxdlp-4"],
  [/^nanodlp/, /^\.nanodlp$/, "nanodlp"],
  [/^cws/, /^\.cws$/, "cws, cws-rgb or cws-xml"],
  [/^svgx$/, /^\.svgx$/, "svgx"],
  [/^osla$/, /^\.osla$/, "osla"],
];

interface Job {
  readonly format: JobKind;
  readonly extension: string;
  readonly converted_from?: string | undefined;
}

/** The formats to which the extension of the file that is written belongs, if that is not the format of the job. */
const otherFormatOf = ({ format, extension, converted_from }: Job): string | undefined =>
  FORMAT_EXTENSIONS.find(
    ([kinds, extensions]) => extensions.test(converted_from ?? extension) && !kinds.test(format),
  )?.[2];

/** Ids of printers and resins. */
export const idSchema = v.pipe(
  v.string(),
  v.maxLength(32),
  v.regex(/^[A-Z0-9]+(-[A-Z0-9]+)*$/, 'must be capital letters and digits joined by hyphens, such as "ACME-ONE"'),
);

export const openPrinterSchema = v.strictObject({
  machine_type: v.pipe(idSchema, v.description("Id that scenes and commands give, such as ACME-ONE.")),
  maker: v.pipe(oneLine, v.description("Name of the maker.")),
  product_name: v.pipe(oneLine, v.description("Name of the printer, with its maker; no other printer has it.")),
  display: displaySchema,
  height_mm: v.pipe(lengthMm, v.description("Height of the build volume in mm.")),
  layer_thicknesses_mm: v.pipe(
    v.array(layerMm),
    v.nonEmpty(),
    v.maxLength(50),
    v.check((all) => new Set(all).size === all.length, "has a thickness twice: give each once"),
    v.description("Layer thicknesses in mm of its generic resin."),
  ),
  release: v.pipe(releaseSchema, v.description("How it peels a layer off the film.")),
  job: v.pipe(
    v.strictObject({
      format: v.pipe(v.picklist(OPEN_KINDS), v.description("Format of its job files.")),
      extension: v.pipe(jobExtension, v.description("Extension of its job files, with the dot.")),
      machine_name: v.pipe(
        oneLine,
        v.description("The maker's name of the machine in its job files; many machines refuse other names."),
      ),
      converted_from: v.pipe(
        v.optional(jobExtension),
        v.description(
          "Only for job files that are not written: the extension of a file of `format`, of which a program of --job-converter makes them.",
        ),
      ),
      max_version: v.pipe(
        v.optional(pixelCount),
        v.description("The latest version of the format that the machine takes, if that is later than the files' own."),
      ),
    }),
    v.check(
      (job) => otherFormatOf(job as Job) === undefined,
      ({ input }) => {
        const { format, extension, converted_from: written = extension } = input as Job;
        return `would have ${written} files of format ${format}, which none are: give the format ${otherFormatOf(input as Job)}; for files that a program of yours makes, converted_from is the extension of ${format} files`;
      },
    ),
    v.description("Its job files."),
  ),
  network: v.pipe(
    v.optional(v.picklist(["SDCP"])),
    v.description("The protocol by which it is found in the local network and takes jobs."),
  ),
  optics: v.pipe(
    v.optional(opticsSchema),
    v.description("What was measured of its light, by which its jobs get their greys. Default: greys are coverages."),
  ),
  sources: v.pipe(
    v.optional(v.record(v.string(), v.pipe(v.string(), v.nonEmpty(), v.maxLength(500)))),
    v.description("Where the figures come from, by the names of the fields above; for people."),
  ),
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
    ...(printer.job.converted_from !== undefined && { jobConvertedFrom: printer.job.converted_from }),
    ...(printer.job.max_version !== undefined && { jobMaxVersion: printer.job.max_version }),
    ...(printer.optics && { optics: printer.optics }),
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
