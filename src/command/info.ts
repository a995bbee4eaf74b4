import { parseArgs } from "node:util";
import { alignColumns } from "./align-columns.ts";
import type { CommandModule } from "./command-module.ts";
import { parseWords } from "./parse-words.ts";
import { PIPE_OPTIONS, withPipes } from "./pipes.ts";
import { PREPARE_OPTIONS, planPreparation } from "./prepare-steps.ts";
import { type Conclusion, PLAN_OPTIONS, PLAN_USAGE, runPlans } from "./run-plan.ts";

const USAGE = `Usage: printwright info PART… [options]

Says what is in model files or a .form project: the size and volume of each part, its triangles, units, bodies and the defects of its mesh.
Files are taken as they are, also where they are not closed; one that cannot be read does not stop the others (status 1 in the end).

  printwright info bracket.stl
  cat bracket.stl | printwright info - --format stl --json

  --units mm|inch      units of files that state none
  --format EXT         the format, such as stl, of the part that - reads from standard input

${PLAN_USAGE}

Exit status: 0 described, 1 failed, 2 the words are wrong (nothing was begun), 130 interrupted.`;

const OPTIONS = { ...PLAN_OPTIONS, ...PIPE_OPTIONS, units: PREPARE_OPTIONS.units } as const;

/** The options that prepare parts, none of them given. */
const UNPREPARED = parseArgs({ args: [], options: PREPARE_OPTIONS }).values;

/** `printwright info`: describes the content of model files. */
export const infoCommand: CommandModule = {
  usage: USAGE,
  options: OPTIONS,
  async run(argv, open, output) {
    const { values, positionals } = parseWords(argv, OPTIONS);
    return withPipes({ parts: positionals, format: values.format }, output, ({ parts, inWords }) => {
      const options = { ...UNPREPARED, ...(values.units && { units: values.units }), "no-layout": true };
      const { steps, scene } = planPreparation(parts, options, { isPrinterOptional: true, unrepaired: "IGNORE" });
      const asked = ["list", "measure", "body-count", "validate/manifoldness"].map((request) => ({
        name: request.replace("validate/", ""),
        request: `scene/model/${request}`,
        body: { scene_id: scene },
      }));
      const plan = { steps: [...steps, ...asked], conclude, inWords, goesOnAfter: "scene/model/import" };
      return runPlans([plan], values, open, output);
    });
  },
};

const HEADS = ["part", "size (mm)", "volume (ml)", "triangles", "units", "bodies", "defects"];

function conclude(results: ReadonlyMap<string, any>): Conclusion {
  const models = results.get("list").models as { id: string; name: string; units: string; is_group: boolean }[];
  const parts = models
    .filter((model) => !model.is_group)
    .map(({ id, name, units }) => {
      const of = (check: string) => results.get(check).per_model_results[id];
      return { name, units, ...of("measure"), ...of("body-count"), ...of("manifoldness") };
    });
  const rows = parts.map((part) => [
    part.name,
    Object.values<number>(part.dimensions_mm).map(shortMm).join(" × "),
    (part.volume_mm3 / 1000).toPrecision(4),
    String(part.triangle_count),
    part.units === "INCHES" ? "inch" : "mm",
    String(part.body_count),
    defectsOf(part).join(", ") || "none",
  ]);
  return { text: alignColumns([HEADS, ...rows]), json: { models: parts }, status: 0 };
}

const DEFECTS: readonly (readonly [field: string, words: string])[] = [
  ["open_edge_count", "open edges"],
  ["non_manifold_edge_count", "non-manifold edges"],
  ["inverted_body_count", "inverted bodies"],
  ["degenerate_face_count", "triangles without area"],
];

/** The defects of a mesh, from the fields of the check. */
function defectsOf(part: Readonly<Record<string, any>>): string[] {
  const counted = DEFECTS.flatMap(([field, words]) => (part[field] > 0 ? [`${words}: ${part[field]}`] : []));
  const turned = part.is_manifold || counted.length > 0 ? [] : ["facets turned over or there twice"];
  return [...counted, ...turned, ...(part.self_intersecting ? ["intersects itself"] : [])];
}

/** A length in mm, rounded to a micrometre, without trailing zeros. */
const shortMm = (mm: number): string => String(Number(mm.toFixed(3)));
