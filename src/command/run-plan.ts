import process from "node:process";
import { parseArgs } from "node:util";
import { ApiError, toEnvelope } from "../core/api-error.ts";
import type { OpenPrintwright } from "./command-module.ts";
import { optionsOfFields } from "./options-of-fields.ts";
import { MACHINES_OPTION } from "./machines-option.ts";
import type { Output } from "./output.ts";
import { type Interrupt, type RequestRunner, catchInterrupts } from "./perform.ts";
import { type Reporter, newTerminalReporter, performSteps } from "./perform-steps.ts";
import { type GivenStep, type Step, checkSteps } from "./steps-file.ts";
import { WORK_OPTIONS, convertedExtensions, readWorkArguments } from "./work-arguments.ts";

const { "max-memory": maxMemory, threads, converter, "job-converter": jobConverter, log } = WORK_OPTIONS;

/** The options of every command that plans its steps itself, in the form of `parseArgs`. */
export const PLAN_OPTIONS = {
  json: { type: "boolean", default: false },
  quiet: { type: "boolean", short: "q", default: false },
  "print-steps": { type: "boolean", default: false },
  "max-memory": maxMemory,
  threads,
  converter,
  "job-converter": jobConverter,
  log,
  ...MACHINES_OPTION,
} as const;

export const PLAN_USAGE = `  -q, --quiet          print no progress and no times, only the outcome, warnings and errors
  --json               print the outcome as JSON on standard output, an error too
  --print-steps        print the steps that it would carry out, for printwright run, and do nothing
  --threads N          worker threads (default: one per core)
  --max-memory SIZE    memory that the process may use, such as 900M or 4G
  --converter "EXT=COMMAND {in} {out}.step", --job-converter "EXT=COMMAND {in} {out}", --log FILE, --machines FILE
                       as for the server: printwright --help has more`;

type PlanValues = ReturnType<typeof parseArgs<{ options: typeof PLAN_OPTIONS }>>["values"];

/** The option that prints on standard output, where one is given. */
export const printingOption = (values: PlanValues): string | undefined =>
  (["json", "print-steps"] as const).filter((option) => values[option]).map((option) => `--${option}`)[0];

/** The result that a command prints at its end. */
export interface Conclusion {
  /** The text for people. */
  readonly text: string;
  /** The object for programs. */
  readonly json: object;
  /** The exit status. */
  readonly status: number;
}

const FAILED = 1;
const WRONG_ARGUMENTS = 2;

/** The default values of the work options. */
const DEFAULTS = parseArgs({ args: [], options: WORK_OPTIONS }).values;

const WORK_KEYS = ["max-memory", "threads", "converter", "job-converter", "log"] as const;

/** Picks the work options; another option has the same name as one of them. */
const workValuesOf = (values: PlanValues): Partial<typeof DEFAULTS> =>
  Object.fromEntries(WORK_KEYS.flatMap((key) => (key in values ? [[key, values[key]]] : [])));

/** Steps, and the result that is printed at their end. */
export interface Plan {
  readonly steps: readonly GivenStep[];
  /** Makes the result from the results of the steps, by their names. */
  readonly conclude: (results: ReadonlyMap<string, any>) => Conclusion;
  /** The subject of the plan, where there are several. */
  readonly title?: string | undefined;
  /** A step that is carried out after the others, even if one of them failed. */
  readonly cleanUp?: GivenStep | undefined;
  /** The request of steps that are independent of one another: the plan ends with the results of those that succeed. */
  readonly goesOnAfter?: string | undefined;
  /** Replaces paths in messages that mean nothing to people, such as those of pipes. */
  readonly inWords?: ((message: string) => string) | undefined;
}

/**
 * Carries out plans one after the other and prints the result of each. A plan that fails does not stop the next ones, but wrong words in
 * any plan stop all. Returns the largest exit status.
 */
export async function runPlans(
  plans: readonly Plan[],
  values: PlanValues,
  open: OpenPrintwright,
  output: Output,
): Promise<number> {
  if (values["print-steps"]) {
    const steps = plans.flatMap((plan) => plan.steps);
    output.line(JSON.stringify(steps, null, 2));
    return 0;
  }
  const args = readWorkArguments({ ...DEFAULTS, ...workValuesOf(values) });
  const runs = plans.map((plan) => ({
    plan,
    ...checkSteps(plan.cleanUp ? [...plan.steps, plan.cleanUp] : plan.steps, process.cwd(), convertedExtensions(args)),
    reporter: newTerminalReporter(plan.steps.length, optionsOfFields, {
      isQuiet: values.quiet,
      title: plan.title,
      inWords: plan.inWords,
    }),
  }));
  const wrong = runs.filter(({ errors }) => errors.length > 0);
  for (const { plan, errors, reporter } of wrong) {
    for (const { step, error } of errors) reporter.failed(step, error);
    const [first] = errors;
    if (first && values.json) printError(plan, first.error, output);
  }
  if (wrong.length > 0) return WRONG_ARGUMENTS;
  const interrupt = catchInterrupts();
  const printwright = open(args);
  try {
    let status = 0;
    for (const run of runs) {
      const result = await performPlan(run, printwright, interrupt);
      const { conclusion, error, failures } = result;
      const interrupted = interrupt.status();
      if (error && values.json) printError(run.plan, error, output);
      if (interrupted !== undefined && error) return interrupted;
      if (conclusion)
        output.line(values.json ? JSON.stringify(withErrors(conclusion, failures, run.plan)) : conclusion.text);
      status = Math.max(status, failures.length > 0 ? FAILED : 0, conclusion?.status ?? FAILED);
      await result.cleanUp();
    }
    return status;
  } finally {
    await printwright.close();
  }
}

/** A plan whose steps were checked. */
interface PlanRun {
  readonly plan: Plan;
  /** The steps of the plan, then its clean-up. */
  readonly steps: readonly Step[];
  readonly reporter: Reporter;
}

/** Carries out the steps of a plan. The caller prints the conclusion, or the error, before it calls `cleanUp`. */
async function performPlan({ plan, steps, reporter }: PlanRun, printwright: RequestRunner, interrupt: Interrupt) {
  const count = plan.steps.length;
  const { goesOnAfter } = plan;
  const done = await performSteps(steps.slice(0, count), printwright, interrupt, reporter, { goesOnAfter });
  const { results, failures } = done;
  const isNoneLeft = failures.length > 0 && failures.length === steps.filter(isOf(goesOnAfter)).length;
  const error = done.error ?? (isNoneLeft ? failures[0] : undefined);
  return {
    error,
    failures,
    conclusion: error ? undefined : plan.conclude(results),
    async cleanUp() {
      // Without the result of the first step there is nothing to clean up.
      if (results.size > 0) await performSteps(steps.slice(count), printwright, interrupt, SILENT, { before: results });
    },
  };
}

/** Prints an error for programs. */
function printError({ title, inWords = same }: Plan, { code, message }: ApiError, output: Output): void {
  const envelope = toEnvelope(new ApiError(code, inWords(message)));
  output.line(JSON.stringify({ ...(title !== undefined && { part: title }), ...envelope }));
}

const isOf =
  (request: string | undefined) =>
  (step: { readonly request: string }): boolean =>
    step.request === request;

/** The object for programs, with the errors of the steps that failed where some did. */
function withErrors({ json }: Conclusion, failures: readonly ApiError[], { inWords = same }: Plan): object {
  if (failures.length === 0) return json;
  return { ...json, errors: failures.map(({ code, message }) => ({ code, message: inWords(message) })) };
}

const same = (message: string): string => message;

const SILENT: Reporter = { progress() {}, succeeded() {}, failed() {} };
