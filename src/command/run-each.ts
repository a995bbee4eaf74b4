import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import * as v from "valibot";
import { inputError, toApiError, toEnvelope } from "../core/api-error.ts";
import { matchSchema } from "../core/match-schema.ts";
import type { OpenPrintwright } from "./command-module.ts";
import type { Output } from "./output.ts";
import { type Interrupt, type RequestRunner, catchInterrupts } from "./perform.ts";
import { newJsonReporter, performSteps } from "./perform-steps.ts";
import { checkSteps, readStepsFile } from "./steps-file.ts";
import { type WorkArguments, convertedExtensions } from "./work-arguments.ts";

/**
 * Set by a parent process that wants its lists to end with it: once standard input closes, all are cancelled. Without it, lists that were
 * read are carried out.
 */
export const PARENT_VARIABLE = "PRINTWRIGHT_PARENT";

const FAILED = 1;
const WRONG_STEPS = 2;
const CANCELLED = 143;

/** After this time, a process whose parent has ended ends even if a list does not, ms. */
const ORPHAN_MS = 15_000;

/** A list of steps to carry out. */
const LIST = v.strictObject({
  id: v.string(),
  /** The steps file. */
  file: v.string(),
  /** The folder of its relative paths; default the present one. */
  folder: v.optional(v.string(), "."),
  /** As `created` of `Server`. */
  created: v.optional(v.pipe(v.string(), v.isoTimestamp())),
});
type List = v.InferOutput<typeof LIST>;

const LINE = v.union([LIST, v.strictObject({ cancel: v.string() })]);

/** `printwright run --each`: carries out lists of steps that are read from standard input, in one process. */
export async function runEach(args: WorkArguments, open: OpenPrintwright, output: Output): Promise<number> {
  const system = catchInterrupts();
  const printwright = open(args);
  const waiting: List[] = [];
  const running = new Map<string, AbortController>();
  const atOnce = args.threads ?? availableParallelism();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let isClosed = false;
  let worst = 0;

  const startMore = (): void => {
    while (running.size < atOnce) {
      const list = waiting.shift();
      if (!list) break;
      void start(list);
    }
    if (isClosed && running.size === 0) end();
  };
  async function start(list: List): Promise<void> {
    const cancelling = new AbortController();
    running.set(list.id, cancelling);
    const interrupt: Interrupt = {
      signal: AbortSignal.any([system.signal, cancelling.signal]),
      status: () => system.status() ?? (cancelling.signal.aborted ? CANCELLED : undefined),
    };
    const status = await performList(list, args, printwright, interrupt, output);
    worst = Math.max(worst, status);
    output.line(JSON.stringify({ id: list.id, status, memory_bytes: process.memoryUsage.rss(), ...usageUntilNow() }));
    running.delete(list.id);
    startMore();
  }
  const cancelAll = (): void => {
    waiting.length = 0;
    for (const cancelling of running.values()) cancelling.abort();
  };

  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    if (line.trim() === "") return;
    try {
      const given = matchSchema(LINE, JSON.parse(line), inputError);
      if ("cancel" in given) {
        const at = waiting.findIndex(({ id }) => id === given.cancel);
        if (at >= 0) {
          waiting.splice(at, 1);
          output.line(JSON.stringify({ id: given.cancel, status: CANCELLED }));
        }
        running.get(given.cancel)?.abort();
        return;
      }
      waiting.push(given);
      startMore();
    } catch (thrown) {
      const error = thrown instanceof SyntaxError ? inputError(`A line is not JSON: ${thrown.message}.`) : thrown;
      output.line(JSON.stringify({ ...toEnvelope(toApiError(error)), status: WRONG_STEPS }));
      worst = Math.max(worst, WRONG_STEPS);
    }
  });
  const close = (): void => {
    isClosed = true;
    startMore();
  };
  lines.on("close", () => {
    if (process.env[PARENT_VARIABLE] !== undefined) {
      cancelAll();
      setTimeout(() => process.exit(FAILED), ORPHAN_MS).unref();
    }
    close();
  });
  system.signal.addEventListener("abort", () => {
    cancelAll();
    close();
  });
  try {
    await ended;
    return system.status() ?? worst;
  } finally {
    lines.close();
    await printwright.close();
  }
}

/** What this process has taken of the machine since its start. */
function usageUntilNow() {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  return { cpu_seconds: Math.round((userCPUTime + systemCPUTime) / 1000) / 1000, peak_memory_bytes: 1024 * maxRSS };
}

/** Carries out a list in a project of its own; returns the status of `run`. */
async function performList(
  { id, file, folder, created }: List,
  args: WorkArguments,
  printwright: RequestRunner,
  interrupt: Interrupt,
  output: Output,
): Promise<number> {
  const reporter = newJsonReporter(output, id);
  try {
    const base = resolve(folder);
    const { steps, errors } = checkSteps(readStepsFile(resolve(base, file)), base, convertedExtensions(args));
    for (const { step, error } of errors) reporter.failed(step, error);
    if (errors.length > 0) return WRONG_STEPS;
    const runner = printwright.newProject(created === undefined ? undefined : new Date(created));
    const { error } = await performSteps(steps, { runner }, interrupt, reporter);
    return error ? (interrupt.status() ?? FAILED) : 0;
  } catch (thrown) {
    output.line(JSON.stringify({ id, ...toEnvelope(toApiError(thrown)) }));
    return WRONG_STEPS;
  }
}
