import { mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import process from "node:process";
import { excerpt, inputError } from "../core/api-error.ts";
import { parseJson } from "../core/json.ts";
import { counted } from "../core/quantities.ts";
import { withFileErrors } from "../core/file-error.ts";
import { writeFileAtomically } from "../core/write-file.ts";
import type { PlanFacts } from "../farm/shop/plan-events.ts";
import { PLATE_SPACING_MM } from "../feature/plan/plan-fields.ts";
import { alignColumns } from "./align-columns.ts";
import type { CommandModule } from "./command-module.ts";
import { numberOf, parseWords } from "./parse-words.ts";
import { PLAN_OPTIONS, PLAN_USAGE, type Plan, runPlans } from "./run-plan.ts";
import type { GivenStep } from "./steps-file.ts";

const USAGE = `Usage: printwright plan ORDERS.json [-o FOLDER] [options]

Puts the parts of orders on as few plates of resin printers, and into as few chambers of powder printers, as it finds, in the order in which
they are due, and these on the printers; says what is late and why. ORDERS.json is the body of plan/create (--openapi prints it); its files are relative to the present folder:

  {"orders": [{"order": "1001-1", "group": "patient 1001", "file": "1001/upper.stl", "due": "2026-12-01T12:00:00Z",
               "material_code": "FLGPBK05", "layer_thickness_mm": 0.1}],
   "printers": [{"printer": "left", "machine_type": "FRML-4-0", "starts_from": "07:00", "starts_until": "19:00"}],
   "begins_at": "2026-11-30T08:00:00Z"}

  -o, --output FOLDER  write plan.json and, for each plate or chamber, the steps that make its scene and save it as a .form file: printwright run
                       FOLDER/plate-001.json carries them out, printwright submit has a worker do it. The plan and the steps of an
                       earlier plan in FOLDER are removed before, and plan.json is written last
  --tries N            tries for each plate or chamber (default 6): more take longer and give fuller plates
  --time-limit S       after this many seconds each further one gets one try; the plan then says that it was cut off
  --queue ADDRESS      write the plan into the events of this queue of workers, too: docs/events.md has them

${PLAN_USAGE}

Exit status: 0 planned, also if orders are late, 1 failed, 2 the words or the orders are wrong (nothing was begun), 130 interrupted.`;

const OPTIONS = {
  ...PLAN_OPTIONS,
  output: { type: "string", short: "o" },
  tries: { type: "string" },
  "time-limit": { type: "string" },
  queue: { type: "string" },
} as const;

/** `printwright plan`: orders to plates. */
export const planCommand: CommandModule = {
  usage: USAGE,
  options: OPTIONS,
  async run(argv, open, output) {
    const { values, positionals } = parseWords(argv, OPTIONS);
    const [file, ...others] = positionals;
    if (file === undefined || others.length > 0) throw inputError("give one file of orders; --help has more");
    const tries = numberOf("tries", values.tries, "");
    const time_limit_s = numberOf("time-limit", values["time-limit"], "s");
    const body = {
      ...readOrders(file),
      ...(tries !== undefined && { tries }),
      ...(time_limit_s !== undefined && { time_limit_s }),
    };
    let planned: PlanFacts | undefined;
    const plan = planOf(body, values.output, (reply) => (planned = reply));
    const status = await runPlans([plan], values, open, output);
    if (planned && values.queue !== undefined) await writeEvents(planned, values.queue);
    return status;
  },
};

/** The same plan is written once, however often it is made. */
async function writeEvents(plan: PlanFacts, queue: string): Promise<void> {
  const [{ openEventLog }, { planEvents }] = await Promise.all([
    import("../farm/events/open-event-log.ts"),
    import("../farm/shop/plan-events.ts"),
  ]);
  const { id, events } = planEvents(plan);
  const log = await openEventLog({ queue });
  await log.append(events, { name: "plan", state: { id } }).finally(() => log.close());
}

/** The depth of orders in their file. */
const MAX_DEPTH = 8;

/** The body of `plan/create`, with absolute paths. */
function readOrders(file: string): Record<string, unknown> {
  let given: unknown;
  try {
    given = parseJson(readFileSync(file), MAX_DEPTH);
  } catch (thrown) {
    throw inputError(`"${excerpt(file)}" cannot be read as orders: ${excerpt((thrown as Error).message)}`);
  }
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw inputError(
      `"${excerpt(file)}" must be {"orders": […], "printers": […]}: printwright plan --help has an example`,
    );
  const body = given as Record<string, unknown>;
  if (!Array.isArray(body.orders)) return body;
  const orders = body.orders.map((order: unknown) => {
    const path = (order as { readonly file?: unknown } | null)?.file;
    return typeof path === "string" && path !== "" ? { ...(order as object), file: resolve(path) } : order;
  });
  return { ...body, orders };
}

function planOf(body: Record<string, unknown>, folder: string | undefined, onPlanned: (plan: PlanFacts) => void): Plan {
  return {
    steps: [{ name: "plan", request: "plan/create", body }],
    conclude(results) {
      const plan = results.get("plan");
      onPlanned(plan as PlanFacts);
      if (folder !== undefined) writePlan(folder, plan, Number(body.model_spacing_mm ?? PLATE_SPACING_MM));
      return { text: inWords(plan, folder), json: plan, status: 0 };
    },
  };
}

const HEADER = ["plate", "printer", "material", "layer", "starts", "ends", "parts", "due", ""];

const LATE_WORDS: Readonly<Record<string, string>> = {
  TOO_SHORT: "late: too short a time for any printer",
  MATERIAL: "late: by changes of material",
  HOURS: "late: by the hours of the printers",
  CAPACITY: "late: the printers have other plates",
};

/** Whether a plate of a plan is a powder chamber. */
const isChamber = ({ height_mm }: any): boolean => height_mm !== undefined;

const chamberWords = (plate: any): string[] =>
  isChamber(plate) ? [`chamber, ${Math.round(plate.height_mm)} mm, ${Math.round(100 * plate.density)} % full`] : [];

/** The plan as a table, then what is late, missing or split. */
function inWords(plan: any, folder: string | undefined): string {
  const minute = (time: string | undefined): string => (time === undefined ? "" : time.slice(0, 16).replace("T", " "));
  const rows = plan.plates.map((plate: any): string[] => [
    String(plate.plate),
    plate.printer,
    plate.material_code,
    plate.layer_thickness_mm,
    minute(plate.starts_at),
    minute(plate.ends_at),
    String(plate.parts.length),
    minute(plate.due),
    [chamberWords(plate), LATE_WORDS[plate.late_reason] ?? []].flat().join("; "),
  ]);
  const late = plan.late.map(
    ({ order, due, ends_at, reason }: any) =>
      `${order} is due ${minute(due)} and ends ${minute(ends_at)}: ${LATE_WORDS[reason]?.replace("late: ", "")}`,
  );
  const unplaced = plan.unplaced.map(({ order, message }: any) => `${order} is on no plate: ${message}`);
  const split = plan.split_groups.map(({ group, plates }: any) => `${group} is on plates ${plates.join(", ")}`);
  const count = plan.plates.length;
  const chambers = plan.plates.filter(isChamber).length;
  const made = [
    ...(chambers < count || count === 0 ? [counted(count - chambers, "plate")] : []),
    ...(chambers > 0 ? [counted(chambers, "chamber")] : []),
  ];
  const parts = plan.plates.reduce((sum: number, { parts: own }: any) => sum + own.length, 0);
  return [
    ...(count > 0 ? [alignColumns([HEADER, ...rows])] : []),
    `${made.join(" and ")} with ${counted(parts, "part")}; no plan has fewer than ${plan.least_plates}. Times are UTC.`,
    ...(plan.is_cut_off ? ["The time limit ended the search: the last plates had one try each."] : []),
    ...late,
    ...unplaced,
    ...split,
    ...(folder === undefined ? [] : [`${join(folder, "plan.json")} and the steps of each plate are written.`]),
  ].join("\n");
}

/** The steps of a plate. */
const STEPS_NAME = /^plate-\d{3,}\.json$/;

/** Writes the plan, and the steps of each plate. `plan.json` is removed first and written last: a folder with it has a whole plan, and no plate of an earlier one. */
function writePlan(folder: string, plan: any, spacingMm: number): void {
  withFileErrors("write", folder, () => {
    mkdirSync(folder, { recursive: true });
    rmSync(join(folder, "plan.json"), { force: true });
    for (const name of readdirSync(folder)) if (STEPS_NAME.test(name)) rmSync(join(folder, name));
  });
  const write = (name: string, text: string): void =>
    writeFileAtomically(join(folder, name), [new TextEncoder().encode(`${text}\n`)]);
  const digits = Math.max(3, String(plan.plates.length).length);
  for (const plate of plan.plates) {
    const name = `plate-${String(plate.plate).padStart(digits, "0")}`;
    const steps = plateSteps(plate, spacingMm, fromHere(join(folder, `${name}.form`)));
    write(`${name}.json`, `[\n${steps.map((step) => JSON.stringify(step)).join(",\n")}\n]`);
  }
  write("plan.json", JSON.stringify(plan));
}

/** A path relative to the present folder, with slashes, if it is in it: jobs of a queue name only such files. */
function fromHere(path: string): string {
  const inside = relative(process.cwd(), resolve(path)).split(sep).join("/");
  return inside.startsWith("..") || resolve(inside) !== resolve(path) ? resolve(path) : inside;
}

/** The steps that make the scene of a plate, check the distances of its parts, and save it. */
function plateSteps(plate: any, spacingMm: number, file: string): GivenStep[] {
  const { machine_type, material_code, print_setting, layer_thickness_mm } = plate;
  const scene_id = { $: "plate.scene_id" };
  const parts = plate.parts.flatMap((part: any, i: number): GivenStep[] => {
    const model_ids = [{ $: `part${i + 1}.new_models.0.model_id` }];
    return [
      {
        name: `part${i + 1}`,
        request: "scene/model/import",
        body: { scene_id, file: fromHere(part.file), name: part.order, repair_behavior: "IGNORE" },
      },
      {
        request: "scene/model/orient",
        body: { scene_id, model_ids, orientation: part.orientation ?? { x: 0, y: 0, z: part.turn_deg } },
      },
      {
        request: "scene/model/translate",
        body: { scene_id, model_ids, mode: "ABSOLUTE", position: { x: part.x_mm, y: part.y_mm, z: part.z_mm ?? 0 } },
      },
    ];
  });
  return [
    {
      name: "plate",
      request: "scene/create",
      body: { machine_type, material_code, print_setting, layer_thickness_mm },
    },
    ...parts,
    {
      name: "distances",
      request: "scene/model/validate/interferences",
      body: { scene_id, collision_offset_mm: Math.max(0, (plate.model_spacing_mm ?? spacingMm) - SLACK_MM) },
    },
    { request: "scene/save", body: { scene_ids: [scene_id], file } },
  ];
}

/** Distances of plans are exact to this. */
const SLACK_MM = 1e-3;
