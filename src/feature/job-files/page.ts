import { counted, duration, millilitres, shortNumber } from "../../core/quantities.ts";

interface Pair {
  readonly x: number;
  readonly y: number;
}

interface Motion {
  readonly stages: readonly { readonly distance_mm: number; readonly speed_mm_min: number }[];
}

interface Cycle {
  readonly wait_before_lift_s: number;
  readonly lift: Motion;
  readonly wait_after_lift_s: number;
  readonly retract: Motion;
  readonly wait_after_retract_s: number;
  readonly light_pwm: number;
}

interface Exposure {
  readonly bottom_exposure_s: number;
  readonly exposure_s: number;
  readonly bottom_layer_count: number;
  readonly transition_layer_count: number;
  readonly bottom_cycle: Cycle;
  readonly cycle: Cycle;
}

/** The fields of `/v1/job/inspect/` that the rows need. */
export interface JobFacts {
  readonly format: string;
  readonly version: string;
  readonly program?: string;
  readonly printer_name?: string;
  readonly machine_types: readonly { readonly machine_type: string; readonly label: string }[];
  readonly created?: string;
  readonly material?: string;
  readonly pixels: Pair;
  readonly pixel_mm?: Pair;
  readonly mirrored?: boolean;
  readonly layer_count: number;
  readonly layer_thicknesses_mm: readonly number[];
  readonly height_mm: number;
  readonly exposure?: Exposure;
  readonly thumbnails: readonly Pair[];
  readonly stated: { readonly print_time_s?: number; readonly material_ml?: number; readonly material_g?: number };
  readonly computed: { readonly print_time_s?: number; readonly material_ml?: number };
}

type Row = [name: string, value: string];

/** The properties of a job for people: in the shell and on the page. */
export const jobFactRows = (facts: JobFacts): Row[] => [
  ...factRows(facts),
  ...exposureRows(facts),
  ...totalRows(facts),
];

function factRows(facts: JobFacts): Row[] {
  const { pixels, pixel_mm: pitch, machine_types: types, layer_thicknesses_mm: thicknesses } = facts;
  const um = (mm: number): string => shortNumber(1000 * mm, 1);
  const machines = types.map((type) => type.machine_type).join(", ");
  const thickness = thicknesses.filter((_, k) => k === 0 || k === thicknesses.length - 1);
  return [
    ["format", `${facts.format}, version ${facts.version}`],
    ...present("made by", facts.program),
    ...present("made at", facts.created),
    ...present("printer", facts.printer_name),
    ["machine types", machines || "none of the catalog has this name (--machines FILE adds yours)"],
    ...present("material", facts.material),
    ["pixels", `${pixels.x} × ${pixels.y}${pitch ? `, ${um(pitch.x)} × ${um(pitch.y)} µm` : ""}`],
    ...present("mirrored", facts.mirrored === undefined ? undefined : facts.mirrored ? "yes" : "no"),
    ["layers", `${facts.layer_count} of ${thickness.map((mm) => shortNumber(mm, 4)).join(" to ")} mm`],
    ["height", `${shortNumber(facts.height_mm, 3)} mm`],
    ["previews", facts.thumbnails.map((size) => `${size.x} × ${size.y}`).join(", ") || "none"],
  ];
}

const present = (name: string, value: string | undefined): Row[] => (value === undefined ? [] : [[name, value]]);

function exposureRows({ exposure }: JobFacts): Row[] {
  if (exposure === undefined) return [["exposure", "not stated"]];
  const { bottom_layer_count: count, transition_layer_count: fading } = exposure;
  const first = `${seconds(exposure.bottom_exposure_s)}, ${counted(count, "layer")}`;
  return [
    ["exposure", seconds(exposure.exposure_s)],
    ["first layers", `${first}${fading > 0 ? `, then ${fading} in between` : ""}`],
    ...cycleRows(exposure.cycle, ""),
    ...(JSON.stringify(exposure.cycle) === JSON.stringify(exposure.bottom_cycle)
      ? []
      : cycleRows(exposure.bottom_cycle, "first ")),
  ];
}

const seconds = (value: number): string => `${shortNumber(value, 2)} s`;

function cycleRows(cycle: Cycle, of: string): Row[] {
  const motion = ({ stages }: Motion): string =>
    stages
      .map((stage) => `${shortNumber(stage.distance_mm)} mm at ${shortNumber(stage.speed_mm_min)} mm/min`)
      .join(", then ") || "not stated";
  const waits = [cycle.wait_before_lift_s, cycle.wait_after_lift_s, cycle.wait_after_retract_s];
  return [
    [`${of}lift`, motion(cycle.lift)],
    [`${of}retraction`, motion(cycle.retract)],
    [`${of}rests`, `${waits.map(seconds).join(", ")} (before and after the lift, after the retraction)`],
    [`${of}light`, `${Math.round((100 * cycle.light_pwm) / 255)} %`],
  ];
}

function totalRows({ stated, computed }: JobFacts): Row[] {
  const both = (own: string | undefined, found: string | undefined): string =>
    [own && `${own} as stated`, found && `${found} by its layers`].filter(Boolean).join(", ") || "not stated";
  const time = (value: number | undefined): string | undefined => (value === undefined ? value : duration(value));
  const volume = (value: number | undefined): string | undefined => (value === undefined ? value : millilitres(value));
  return [
    ["print time", both(time(stated.print_time_s), time(computed.print_time_s))],
    ["resin", both(volume(stated.material_ml), volume(computed.material_ml))],
    ...present(
      "mass",
      stated.material_g === undefined ? undefined : `${shortNumber(stated.material_g, 1)} g as stated`,
    ),
  ];
}
