import { counted, duration, millilitres, shortNumber } from "../core/quantities.ts";
import { alignColumns } from "./align-columns.ts";
import type { Conclusion } from "./run-plan.ts";

type Reply = Readonly<Record<string, any>>;

/** Findings of one kind that are listed for people; --json has more. */
const MAX_LISTED = 20;

/** The properties of a job as a table. */
export function reportInfo(reply: Reply): Conclusion {
  const rows = [...factRows(reply), ...exposureRows(reply), ...totalRows(reply)];
  const warnings = reply.warnings.map((warning: string) => `warning: ${warning}`);
  return { text: [alignColumns(rows), ...warnings].join("\n"), json: reply, status: 0 };
}

function factRows(reply: Reply): string[][] {
  const { pixels, pixel_mm: pitch, machine_types: types, layer_thicknesses_mm: thicknesses } = reply;
  const um = (mm: number): string => shortNumber(1000 * mm, 1);
  const machines = types.map((type: Reply) => type.machine_type).join(", ");
  const thickness = thicknesses.length <= 1 ? thicknesses : [thicknesses[0], thicknesses.at(-1)];
  return [
    ["format", `${reply.format}, version ${reply.version}`],
    ...present("made by", reply.program),
    ...present("made at", reply.created),
    ...present("printer", reply.printer_name),
    ["machine types", machines || "none of the catalog has this name (--machines FILE adds yours)"],
    ...present("material", reply.material),
    ["pixels", `${pixels.x} × ${pixels.y}${pitch ? `, ${um(pitch.x)} × ${um(pitch.y)} µm` : ""}`],
    ...present("mirrored", reply.mirrored === undefined ? undefined : reply.mirrored ? "yes" : "no"),
    ["layers", `${reply.layer_count} of ${thickness.map((mm: number) => shortNumber(mm, 4)).join(" to ")} mm`],
    ["height", `${shortNumber(reply.height_mm, 3)} mm`],
    ["previews", reply.thumbnails.map((size: Reply) => `${size.x} × ${size.y}`).join(", ") || "none"],
  ];
}

const present = (name: string, value: string | undefined): string[][] => (value === undefined ? [] : [[name, value]]);

function exposureRows({ exposure }: Reply): string[][] {
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

function cycleRows(cycle: Reply, of: string): string[][] {
  const motion = ({ stages }: Reply): string =>
    stages
      .map((stage: Reply) => `${shortNumber(stage.distance_mm)} mm at ${shortNumber(stage.speed_mm_min)} mm/min`)
      .join(", then ") || "not stated";
  const waits = [cycle.wait_before_lift_s, cycle.wait_after_lift_s, cycle.wait_after_retract_s];
  return [
    [`${of}lift`, motion(cycle.lift)],
    [`${of}retraction`, motion(cycle.retract)],
    [`${of}rests`, `${waits.map(seconds).join(", ")} (before and after the lift, after the retraction)`],
    [`${of}light`, `${Math.round((100 * cycle.light_pwm) / 255)} %`],
  ];
}

function totalRows({ stated, computed }: Reply): string[][] {
  const both = (own: string | undefined, found: string | undefined): string =>
    [own && `${own} as stated`, found && `${found} by its layers`].filter(Boolean).join(", ") || "not stated";
  const time = (value: number | undefined): string | undefined => (value === undefined ? value : duration(value));
  const volume = (value: number | undefined): string | undefined => (value === undefined ? value : millilitres(value));
  const mass = stated.material_g === undefined ? [] : [["mass", `${shortNumber(stated.material_g, 1)} g as stated`]];
  return [
    ["print time", both(time(stated.print_time_s), time(computed.print_time_s))],
    ["resin", both(volume(stated.material_ml), volume(computed.material_ml))],
    ...mass,
  ];
}

/** The findings of a job; exit status 1 if there are any. */
export function reportFindings(reply: Reply): Conclusion {
  const kinds: readonly (readonly [string, number, readonly string[]])[] = [
    ["islands", reply.island_count ?? 0, (reply.islands ?? []).map((one: Reply) => placed(one, area(one.area_mm2)))],
    [
      "cups",
      reply.cup_count ?? 0,
      (reply.cups ?? []).map((one: Reply) => placed(one, `${shortNumber(one.volume_mm3)} mm³`)),
    ],
    [
      "unsupported overhangs",
      reply.overhangs?.length ?? 0,
      (reply.overhangs ?? []).map((one: Reply) => placed(one, area(one.area_mm2))),
    ],
    [
      "layers with light at the edge of the panel",
      reply.borders?.length ?? 0,
      (reply.borders ?? []).map((one: Reply) => `layer ${one.layer}: ${counted(one.pixel_count, "pixel")}`),
    ],
    [
      "dark layers below others",
      reply.empty_layers?.length ?? 0,
      (reply.empty_layers ?? []).map((k: number) => `layer ${k}`),
    ],
  ];
  const found = kinds.filter(([, count]) => count > 0);
  const lines = found.flatMap(([name, count, places]) => [
    `${name}: ${count}`,
    ...places.slice(0, MAX_LISTED).map((place) => `  ${place}`),
    ...(count > MAX_LISTED ? [`  and ${count - MAX_LISTED} more`] : []),
  ]);
  const warnings = reply.warnings.map((warning: string) => `warning: ${warning}`);
  const verdict =
    found.length === 0
      ? "Nothing was found that would spoil the print."
      : "printwright job check --help says what each means.";
  return { text: [...lines, ...warnings, verdict].join("\n"), json: reply, status: found.length === 0 ? 0 : 1 };
}

const area = (mm2: number | undefined): string => (mm2 === undefined ? "" : `${shortNumber(mm2)} mm²`);

function placed({ layer, position, pixel }: Reply, size: string): string {
  const at = position
    ? `x ${shortNumber(position.x)}, y ${shortNumber(position.y)}, z ${shortNumber(position.z)} mm`
    : `pixel ${pixel.x}, ${pixel.y}`;
  return `layer ${layer}: ${at}${size === "" ? "" : `, ${size}`}`;
}

/** What differs between two jobs; exit status 1 if anything does. */
export function reportDifferences(reply: Reply): Conclusion {
  const facts = reply.facts.map((fact: Reply) => [
    fact.name,
    String(fact.value ?? "-"),
    String(fact.other_value ?? "-"),
  ]);
  const lines = [
    ...(facts.length > 0 ? [alignColumns([["fact", "first", "second"], ...facts])] : []),
    pixelLine(reply),
  ];
  return { text: lines.join("\n"), json: reply, status: reply.is_equal ? 0 : 1 };
}

function pixelLine(reply: Reply): string {
  const { compared_layer_count: compared, differing_layer_count: differing, differing_layers: layers } = reply;
  if (compared === 0) return "The pictures have different sizes: no layers were compared.";
  if (differing === 0) return `The pixels of ${counted(compared, "layer")} are equal.`;
  const pixels = counted(reply.differing_pixel_count, "pixel");
  return (
    `${pixels} in ${differing} of ${counted(compared, "layer")} differ, first in layer ${layers[0].layer} ` +
    `(${counted(layers[0].pixel_count, "pixel")}), by at most ${reply.largest_difference} of 255.`
  );
}
