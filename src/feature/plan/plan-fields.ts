import * as v from "valibot";
import { field, object, strictObject } from "../../api/field.ts";
import {
  coordinateMm,
  eulerAnglesSchema,
  finiteNumber,
  integer,
  layerThicknessMm,
  machineType,
  materialCode,
  nonEmptyString,
  printSetting,
} from "../../api/schema.ts";
import { READ_EXTENSIONS } from "../../format/model-formats.ts";

/** Parts of a plan at most, copies included: as many as a day of a large farm. */
export const MAX_PLAN_PARTS = 100_000;
/** Least distance between parts on plates of resin where a request has none. */
export const PLATE_SPACING_MM = 2;
/** Orders and printers at most. */
const MAX_LINES = 20_000;
const MAX_PRINTERS = 1000;
/** Tries of a plate at most: more find no fuller plates. */
const MAX_TRIES = 240;

const HOURS = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const hour = v.pipe(v.string(), v.regex(HOURS, 'must be a time of day such as "07:30"'));

const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;
const timeText = v.pipe(
  v.string(),
  v.check(
    (text) => TIME.test(text) && Number.isFinite(Date.parse(text)),
    "must be a time with its offset, such as 2026-11-23T18:00:00Z, or a date, which begins at 00:00 UTC",
  ),
);

const FILE = `Absolute path of the model file: ${READ_EXTENSIONS.map((one) => `.${one}`).join(", ")}. All its parts are one part of the plan, in the pose of the file.`;

/** What a person names an order, a group or a printer. */
const label = v.pipe(nonEmptyString, v.maxLength(200));

const orderFields = strictObject({
  order: field(label, "Name of the order; each line has another."),
  group: field(
    v.optional(label),
    "Name of the group whose parts stay together, such as those of a patient; if absent, each part goes where there is room.",
  ),
  file: field(v.string(), FILE),
  copies: field(v.optional(v.pipe(integer, v.minValue(1), v.maxValue(MAX_PLAN_PARTS)), 1), "Number of equal parts."),
  material_code: materialCode,
  layer_thickness_mm: layerThicknessMm,
  print_setting: printSetting,
  machine_types: field(
    v.optional(v.array(v.string())),
    "Ids of the machine types on which it may be printed; those of all printers that take its material if absent or empty.",
  ),
  due: field(v.optional(timeText), "When the print must have ended; orders without it come last and are never late."),
  priority: field(
    v.optional(v.pipe(integer, v.minValue(-100), v.maxValue(100)), 0),
    "Of orders that are due at the same time, those with a greater priority come first.",
  ),
  max_plates: field(
    v.optional(v.pipe(integer, v.minValue(1), v.maxValue(1000)), 2),
    "Most plates or chambers that should have parts of the group; 1 keeps it on one plate. Of the orders of a group the least counts.",
  ),
  lock_rotation: field(
    v.optional(v.boolean(), false),
    "Whether the parts keep their rotation: about z on plates, any in chambers.",
  ),
});

const printerFields = strictObject({
  printer: field(label, "Name of the printer; each has another."),
  machine_type: machineType,
  material_code: field(v.optional(v.string()), "Code of the material that is loaded; absent if there is none."),
  free_at: field(v.optional(timeText), "When it is free; begins_at if absent or earlier."),
  starts_from: field(
    v.optional(hour),
    "Time of day from which prints can be started, such as 07:00; needs starts_until.",
  ),
  starts_until: field(v.optional(hour), "Time of day until which prints can be started; later than starts_from."),
});

export const planBody = strictObject({
  orders: field(v.pipe(v.array(orderFields), v.minLength(1), v.maxLength(MAX_LINES)), "What is to be printed."),
  printers: field(
    v.pipe(v.array(printerFields), v.minLength(1), v.maxLength(MAX_PRINTERS)),
    "The printers, of resin or of powder.",
  ),
  begins_at: field(v.optional(timeText), "When the first print may start; now if absent."),
  utc_offset_min: field(
    v.optional(v.pipe(integer, v.minValue(-840), v.maxValue(840)), 0),
    "Minutes by which the clock of starts_from and starts_until is ahead of UTC.",
  ),
  change_time_s: field(
    v.optional(v.pipe(finiteNumber, v.minValue(0), v.maxValue(86_400)), 1800),
    "Time that a change of the material of a printer takes, in seconds.",
  ),
  model_spacing_mm: field(
    v.optional(v.pipe(coordinateMm, v.minValue(0))),
    `Least distance between parts in mm; if absent ${PLATE_SPACING_MM} on plates of resin, and the value of the print setting in chambers of powder.`,
  ),
  tries: field(
    v.optional(v.pipe(integer, v.minValue(1), v.maxValue(MAX_TRIES)), 6),
    "Tries for each plate or chamber: more take longer and give fuller plates. Equal requests give equal plans.",
  ),
  time_limit_s: field(
    v.optional(v.pipe(finiteNumber, v.minValue(0))),
    "After this many seconds each further plate or chamber gets one try, and is_cut_off of the reply is true. Without it the plan depends on the request alone.",
  ),
});

export type PlanBody = v.InferOutput<typeof planBody>;

/** A part of a plate. */
const platePart = {
  order: field(v.optional(label), "Name of its order, which the model gets."),
  file: field(v.string(), FILE),
  x_mm: field(coordinateMm, "Where the centre of the box of its mesh is along the width of the platform, in mm."),
  y_mm: field(coordinateMm, "Where the centre of the box of its mesh is along the depth of the platform, in mm."),
  turn_deg: field(
    v.optional(finiteNumber),
    "Plates of resin only: turn about z in degrees, counter-clockwise, from the pose of the file.",
  ),
  z_mm: field(v.optional(coordinateMm), "Chambers only: where that centre is above the bottom of the chamber, in mm."),
  orientation: field(
    v.optional(eulerAnglesSchema),
    "Chambers only: rotation of its mesh in degrees, as orient takes it.",
  ),
};

const plateFields = {
  machine_type: machineType,
  material_code: materialCode,
  print_setting: printSetting,
  layer_thickness_mm: layerThicknessMm,
};

/** A plate as `plan/open` takes it. */
export const openPlateBody = strictObject({
  ...plateFields,
  name: field(v.optional(v.pipe(nonEmptyString, v.maxLength(120))), "Name of the scene."),
  parts: field(
    v.pipe(v.array(strictObject(platePart)), v.minLength(1), v.maxLength(10_000)),
    "The parts of the plate.",
  ),
});

const reason = v.picklist(["TOO_SHORT", "MATERIAL", "HOURS", "CAPACITY"]);

export const planReply = object({
  plates: field(
    v.array(
      object({
        plate: field(integer, "Number of the plate or chamber, 1-based, in the order of the plan."),
        ...plateFields,
        printer: field(v.string(), "Name of the printer."),
        starts_at: field(v.string(), "When its print starts."),
        ends_at: field(v.string(), "When its print ends, by the estimated print time."),
        print_time_s: field(v.number(), "Estimated time of the print in seconds."),
        due: field(v.optional(v.string()), "When the first of its parts is due; absent if none is."),
        is_late: field(v.boolean(), "Whether it ends after that."),
        late_reason: field(
          v.optional(reason),
          "Why it is late. TOO_SHORT: a free printer could not print it in time. MATERIAL: changes of material. HOURS: prints could not be started at any time. CAPACITY: the printers have other plates.",
        ),
        groups: field(v.array(v.string()), "The groups that have parts on it."),
        free_at: field(
          v.optional(v.string()),
          "Chambers only: when it has cooled so far that it can be opened, and the printer is free.",
        ),
        model_spacing_mm: field(v.optional(v.number()), "Chambers only: least distance between its parts in mm."),
        height_mm: field(v.optional(v.number()), "Chambers only: height of its highest part in mm."),
        density: field(
          v.optional(v.number()),
          "Chambers only: volume of its parts as a share of the chamber up to height_mm.",
        ),
        parts: field(v.array(object(platePart)), "Its parts, for plan/open."),
      }),
    ),
    "The plates.",
  ),
  late: field(
    v.array(
      object({
        order: field(v.string(), "Name of the order."),
        due: field(v.string(), "When it is due."),
        ends_at: field(v.string(), "When the last of its parts is printed."),
        reason: field(reason, "As late_reason of the plate with that part."),
      }),
    ),
    "The orders that are late.",
  ),
  unplaced: field(
    v.array(
      object({
        order: field(v.string(), "Name of the order."),
        reason: field(
          v.picklist(["UNREADABLE", "TOO_LARGE", "NO_PRINTER"]),
          "UNREADABLE: its file is missing or damaged. TOO_LARGE: the part does not fit on the platform at any of its turns, or is too high, or does not fit in the chamber. NO_PRINTER: no printer of the plan takes its material and layers.",
        ),
        message: field(v.string(), "What is missing, as text for people."),
      }),
    ),
    "The orders that are on no plate.",
  ),
  split_groups: field(
    v.array(
      object({
        group: field(v.string(), "Name of the group."),
        plates: field(v.array(integer), "The numbers of the plates that have parts of it."),
      }),
    ),
    "The groups that are on more plates than their max_plates.",
  ),
  least_plates: field(
    integer,
    "A number of plates and chambers below which no plan can be, by the areas or volumes of the parts and their distances.",
  ),
  is_cut_off: field(v.boolean(), "Whether time_limit_s ended the tries."),
});
