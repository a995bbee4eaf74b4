import process from "node:process";
import { parseArgs } from "node:util";
import { toEnvelope } from "../core/api-error.ts";
import type { OpenPrintwright } from "./command-module.ts";
import { optionsOfFields } from "./options-of-fields.ts";
import type { Output } from "./output.ts";
import { catchInterrupts } from "./perform.ts";
import { newTerminalReporter, performSteps } from "./perform-steps.ts";
import { type GivenStep, checkSteps } from "./steps-file.ts";
import { WORK_OPTIONS, convertedExtensions, readWorkArguments } from "./work-arguments.ts";

const { "max-memory": maxMemory, threads, converter, log } = WORK_OPTIONS;

/** The options of every command that plans its steps itself, as `parseArgs` takes them. */
export const PLAN_OPTIONS = {
  json: { type: "boolean", default: false },
  "print-steps": { type: "boolean", default: false },
  "max-memory": maxMemory,
  threads,
  converter,
  log,
} as const;

export const PLAN_USAGE = `  --json               print the outcome as JSON on standard output, an error too
  --print-steps        print the steps that it would carry out, for printwright run, and do nothing
  --threads N          worker threads (default: one per core)
  --max-memory SIZE    memory that the process may use, such as 900M or 4G
  --converter "EXT=COMMAND {in} {out}.step", --log FILE
                       as for the server: printwright --help has more`;

type PlanValues = ReturnType<typeof parseArgs<{ options: typeof PLAN_OPTIONS }>>["values"];

/** What a command tells at its end. */
export interface Conclusion {
  /** For people. */
  readonly text: string;
  /** For programs. */
  readonly json: object;
  /** The exit status. */
  readonly status: number;
}

const FAILED = 1;
const WRONG_ARGUMENTS = 2;

/** The values of all options that are not given. */
const DEFAULTS = parseArgs({ args: [], options: WORK_OPTIONS }).values;

const WORK_KEYS = ["max-memory", "threads", "converter", "log"] as const;

/** Those among other options, one of which has the name of one of the work. */
const workValuesOf = (values: PlanValues): Partial<typeof DEFAULTS> =>
  Object.fromEntries(WORK_KEYS.flatMap((key) => (key in values ? [[key, values[key]]] : [])));

/** Carries out steps and prints what `conclude` makes of their results, by the names of the steps. Returns the exit status. */
export async function runPlan(
  plan: readonly GivenStep[],
  values: PlanValues,
  open: OpenPrintwright,
  output: Output,
  conclude: (results: ReadonlyMap<string, any>) => Conclusion,
): Promise<number> {
  const { json, "print-steps": printSteps } = values;
  if (printSteps) {
    output.line(JSON.stringify(plan, null, 2));
    return 0;
  }
  const args = readWorkArguments({ ...DEFAULTS, ...workValuesOf(values) });
  const { steps, errors } = checkSteps(plan, process.cwd(), convertedExtensions(args));
  const reporter = newTerminalReporter(plan.length, optionsOfFields);
  const tellError = (error: Parameters<typeof toEnvelope>[0]): void => {
    if (json) output.line(JSON.stringify(toEnvelope(error)));
  };
  for (const { step, error } of errors) reporter.failed(step, error);
  if (errors.length > 0) {
    tellError(errors[0].error);
    return WRONG_ARGUMENTS;
  }
  const interrupt = catchInterrupts();
  const printwright = open(args);
  try {
    const { results, error } = await performSteps(steps, printwright, interrupt, reporter);
    if (error) {
      tellError(error);
      return interrupt.status() ?? FAILED;
    }
    const conclusion = conclude(results);
    output.line(json ? JSON.stringify(conclusion.json) : conclusion.text);
    return conclusion.status;
  } finally {
    await printwright.close();
  }
}
