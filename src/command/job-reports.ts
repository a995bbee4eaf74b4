import { counted, shortNumber } from "../core/quantities.ts";
import { type JobFacts, jobFactRows } from "../feature/job-files/page.ts";
import { alignColumns } from "./align-columns.ts";
import type { Conclusion } from "./run-plan.ts";

type Reply = Readonly<Record<string, any>>;

/** Findings of one kind that are listed for people; --json has more. */
const MAX_LISTED = 20;

/** The properties of a job as a table. */
export function reportInfo(reply: Reply): Conclusion {
  const warnings = reply.warnings.map((warning: string) => `warning: ${warning}`);
  return { text: [alignColumns(jobFactRows(reply as JobFacts)), ...warnings].join("\n"), json: reply, status: 0 };
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
