import { type NamedWeakness, weaknessesInWords } from "../feature/check/hold-words.ts";
import type { CommandModule } from "./command-module.ts";
import { alignColumns } from "./align-columns.ts";
import { numberOf, parseWords } from "./parse-words.ts";
import { withPipes } from "./pipes.ts";
import { PREPARE_OPTIONS, PREPARE_USAGE, planPreparation } from "./prepare-steps.ts";
import { type Conclusion, PLAN_OPTIONS, PLAN_USAGE, runPlans } from "./run-plan.ts";
import type { GivenStep } from "./steps-file.ts";

/** Percent of the area of overhangs that may lack support: this much remains at the edges of well supported parts. */
const MAX_UNSUPPORTED_PERCENT = 1;

const USAGE = `Usage: printwright check PART… [options]

Finds what would spoil the print of parts, without a server. Parts are model files, or one .form project; files that are not closed are
taken as they are, unless --repair is given. What counts as a finding, for each part:

  mesh         it is no closed manifold: it has holes or facets that do not fit together (--repair)
  bounds       it stands out of the build volume (--layout, --scale)
  collisions   it intersects other parts
  cups         pockets that enclose resin while they are printed (--rotate, --orient, holes)
  minima       regions that begin in mid-air (--support, --orient)
  unsupported  more than --max-unsupported percent of the area of its overhangs is without support (--support)
  hold         supports and platform do not hold it against the pull of the film; the lines below the table name the height, the
               share of the pull that is held, and the cause (--support, --orient)
  thin         with --min-wall alone: walls thinner than that

  printwright check bracket.stl --printer PRUSA-SL1S --orient --support

  --min-wall MM        thinnest wall that is good, such as 0.4
  --max-unsupported PERCENT
                       (default ${MAX_UNSUPPORTED_PERCENT})

${PREPARE_USAGE}  Without --printer, the parts are checked for a Form 4.

${PLAN_USAGE}

Exit status: 0 nothing found, 1 a finding or a failure (with --json, a failure is {"error": …}), 2 the words are wrong (nothing was
begun), 130 interrupted.`;

const OPTIONS = {
  ...PREPARE_OPTIONS,
  ...PLAN_OPTIONS,
  "min-wall": { type: "string" },
  "max-unsupported": { type: "string" },
} as const;

/** `printwright check`: reports what would spoil a print. */
export const checkCommand: CommandModule = {
  usage: USAGE,
  options: OPTIONS,
  async run(argv, open, output) {
    const { values, positionals } = parseWords(argv, OPTIONS);
    const minWallMm = numberOf("min-wall", values["min-wall"]);
    const maxPercent = numberOf("max-unsupported", values["max-unsupported"]) ?? MAX_UNSUPPORTED_PERCENT;
    return withPipes({ parts: positionals, format: values.format }, output, ({ parts, inWords }) => {
      const { steps, scene } = planPreparation(parts, values, { isPrinterOptional: true, unrepaired: "IGNORE" });
      const list = { name: "list", request: "scene/model/list", body: { scene_id: scene } };
      const conclude = (results: Results) => concludeChecks(results, maxPercent);
      return runPlans(
        [{ steps: [...steps, ...checksOf(scene, minWallMm), list], conclude, inWords }],
        values,
        open,
        output,
      );
    });
  },
};

type Results = ReadonlyMap<string, any>;

function checksOf(scene: object, minWallMm: number | undefined): GivenStep[] {
  const check = (name: string, options: object = {}): GivenStep => ({
    name,
    request: `scene/model/validate/${name}`,
    body: { scene_id: scene, ...options },
  });
  return [
    check("manifoldness"),
    check("in-bounds"),
    check("interferences"),
    check("cups"),
    check("minima"),
    check("supportedness"),
    check("hold"),
    ...(minWallMm === undefined ? [] : [check("thin-features", { threshold_mm: minWallMm })]),
  ];
}

/** The figures of one part, and the names of those that are findings. */
interface CheckedPart {
  readonly id: string;
  readonly name: string;
  readonly findings: readonly string[];
  /** As the checks of the interface return them. */
  readonly figures: Readonly<Record<string, any>>;
}

function concludeChecks(results: Results, maxPercent: number): Conclusion {
  const { interferences } = results.get("interferences") as { interferences: readonly (readonly string[])[] };
  const models = (results.get("list").models as { id: string; name: string; is_group: boolean }[]).filter(
    (model) => !model.is_group,
  );
  const parts = models.map(({ id, name }): CheckedPart => {
    const of = (check: string) => results.get(check)?.per_model_results[id];
    const collisions = interferences.filter((pair) => pair.includes(id)).length;
    const figures = {
      ...of("manifoldness"),
      ...of("in-bounds"),
      collision_count: collisions,
      ...of("cups"),
      ...of("minima"),
      ...of("supportedness"),
      ...of("hold"),
      ...of("thin-features"),
    };
    return { id, name, findings: findingsOf(figures, maxPercent), figures };
  });
  const spoilt = parts.filter(({ findings }) => findings.length > 0);
  const verdict =
    spoilt.length === 0
      ? "Nothing was found that would spoil the print."
      : `Found at ${spoilt.length} of ${parts.length}: printwright check --help says what helps.`;
  const lines = [alignColumns([HEADS, ...parts.map(rowOf)]), ...parts.flatMap(holdLines), verdict];
  return {
    text: lines.join("\n"),
    json: {
      ok: spoilt.length === 0,
      interferences,
      models: parts.map(({ id, name, findings, figures }) => ({ id, name, findings, ...figures })),
    },
    status: spoilt.length === 0 ? 0 : 1,
  };
}

/** The names of the figures that would spoil a print. */
function findingsOf(figures: CheckedPart["figures"], maxPercent: number): string[] {
  const isFound = {
    mesh: !figures.is_manifold,
    bounds: !figures.in_bounds,
    collisions: figures.collision_count > 0,
    cups: figures.cup_count > 0,
    minima: figures.minima_count > 0,
    unsupported: figures.percent_unsupported > maxPercent,
    hold: figures.weaknesses.length > 0,
    thin: figures.has_thin_walls || figures.status === "TOO_SMALL",
  };
  return Object.entries(isFound).flatMap(([name, found]) => (found ? [name] : []));
}

const HEADS = ["part", "mesh", "bounds", "collisions", "cups", "minima", "unsupported", "held", "thin", "findings"];

const rowOf = ({ name, figures, findings }: CheckedPart): string[] => [
  name,
  figures.is_manifold ? "closed" : `${figures.open_edge_count + figures.non_manifold_edge_count} bad edges`,
  figures.in_bounds ? "inside" : "outside",
  String(figures.collision_count),
  String(figures.cup_count),
  String(figures.minima_count),
  `${figures.percent_unsupported.toFixed(1)} %`,
  `${Math.floor(figures.percent_held)} %`,
  thinnessOf(figures),
  findings.join(", ") || "-",
];

/** Lines about what does not hold the part enough. */
function holdLines({ name, figures }: CheckedPart): string[] {
  const weaknesses: NamedWeakness[] = figures.weaknesses.map((one: CheckedPart["figures"]) => ({
    kind: one.kind,
    heightMm: one.position.z,
    percentHeld: one.percent_held,
    neckMm: one.neck_height_mm,
  }));
  return weaknessesInWords(weaknesses).map((words) => `${name}: ${words}`);
}

function thinnessOf({ status, thin_region_count, thin_volume_mm3 }: CheckedPart["figures"]): string {
  if (status === undefined) return "-";
  if (status === "ANALYZED") return `${thin_region_count} (${thin_volume_mm3.toFixed(1)} mm³)`;
  return status.toLowerCase().replace("_", " ");
}
