import process from "node:process";
import { type ApiError, toApiError, toEnvelope } from "../core/api-error.ts";
import type { Output } from "./output.ts";
import { type Interrupt, type RequestRunner, perform } from "./perform.ts";
import { newProgressDisplay } from "./progress-display.ts";
import { type Step, readStep } from "./steps-file.ts";

type StepLabel = Pick<Step, "number" | "name" | "request">;

/** Reports the steps as they run. */
export interface Reporter {
  progress(step: StepLabel, share: number): void;
  succeeded(step: StepLabel, seconds: number, result: unknown): void;
  /** Without `seconds`: the step did not begin. */
  failed(step: StepLabel, error: ApiError, seconds?: number): void;
}

/** The outcome of steps. */
export interface Performed {
  /** Results by the names of the steps. */
  readonly results: ReadonlyMap<string, any>;
  /** The error of the step that failed, or could not begin after an interrupt. */
  readonly error?: ApiError | undefined;
  /** The errors of steps that did not stop the others. */
  readonly failures: readonly ApiError[];
}

interface PerformOptions {
  /** Results of other steps, to which these may refer. */
  readonly before?: ReadonlyMap<string, unknown> | undefined;
  /** The request of steps whose failure does not stop the others. */
  readonly goesOnAfter?: string | undefined;
}

/** Runs the steps one after the other, up to the first that fails and stops the others. */
export async function performSteps(
  steps: readonly Step[],
  { runner }: Pick<RequestRunner, "runner">,
  interrupt: Interrupt,
  reporter: Reporter,
  { before, goesOnAfter }: PerformOptions = {},
): Promise<Performed> {
  const results = new Map(before);
  const failures: ApiError[] = [];
  for (const step of steps) {
    const startMs = performance.now();
    const seconds = (): number => Math.round(performance.now() - startMs) / 1000;
    try {
      const request = readStep(step, results, runner.server.converters.extensions);
      const onProgress = (share: number): void => reporter.progress(step, share);
      const result = await perform(runner, step.endpoint, request, interrupt, onProgress);
      if (step.name !== undefined) results.set(step.name, result);
      reporter.succeeded(step, seconds(), result);
    } catch (thrown) {
      const error = toApiError(thrown);
      reporter.failed(step, error, seconds());
      const isInterrupted = interrupt.status() !== undefined;
      if (isInterrupted || step.request !== goesOnAfter) return { results, error, failures };
      failures.push(error);
    }
  }
  return { results, failures };
}

interface TerminalOptions {
  /** Whether only warnings and errors are reported; default false. */
  readonly isQuiet?: boolean | undefined;
  /** The subject of the steps. */
  readonly title?: string | undefined;
  /** Replaces paths in messages that mean nothing to people. */
  readonly inWords?: ((message: string) => string) | undefined;
}

/**
 * Reports to people, on standard error: the running step, the time that each step took, its warnings, and errors, each message with the
 * addition of `explain`.
 */
export function newTerminalReporter(
  count: number,
  explain: (message: string) => string | undefined,
  { isQuiet = false, title, inWords = (message) => message }: TerminalOptions = {},
): Reporter {
  const display = newProgressDisplay(process.stderr);
  const tell = (message: string, ahead: string): void => {
    display.line(`${ahead}${inWords(message)}`);
    const more = explain(message);
    if (more !== undefined) display.line(`  ${more}`);
  };
  const ahead = title === undefined ? "" : `${title} `;
  const labelOf = ({ number, name, request }: StepLabel): string =>
    `${ahead}${number}/${count} ${request}${name === undefined || request.endsWith(name) ? "" : ` (${name})`}`;
  return {
    progress(step, share) {
      if (!isQuiet) display.show(labelOf(step), share);
    },
    succeeded(step, seconds, result) {
      const { warnings, infos } = notesOf(result);
      if (isQuiet) {
        for (const warning of warnings) tell(warning, `${labelOf(step)}: `);
        return;
      }
      display.line(`${labelOf(step)}: ${seconds.toFixed(2)} s`);
      for (const note of [...warnings, ...infos]) tell(note, "  ");
    },
    failed: (step, { code, message }) => tell(message, `${labelOf(step)}: ${code}: `),
  };
}

/** The messages of a result for people: of an import, of supports, or of a change of meshes. */
function notesOf(result: unknown): Record<"warnings" | "infos", readonly string[]> {
  const { warnings = [], infos = [] } = (result ?? {}) as Partial<Record<"warnings" | "infos", readonly string[]>>;
  return { warnings: warnings.map((warning) => `warning: ${warning}`), infos };
}

/** Milliseconds between two lines about the progress of a step. */
const PROGRESS_EVERY_MS = 1000;

/** Reports to programs, as lines of JSON on standard output; `id` names the list of the steps where several run at the same time. */
export function newJsonReporter(output: Output, id?: string): Reporter {
  const write = ({ number: step, name, request }: StepLabel, rest: object): void =>
    output.line(JSON.stringify({ id, step, name, request, ...rest }));
  let lastMs = performance.now();
  return {
    progress(step, progress) {
      if (performance.now() - lastMs < PROGRESS_EVERY_MS) return;
      lastMs = performance.now();
      write(step, { progress });
    },
    succeeded: (step, seconds, result) => write(step, { seconds, result: result ?? null }),
    failed: (step, error, seconds) =>
      write(step, { seconds, ...toEnvelope(error), ...(error.needsMemory && { needs_memory: true }) }),
  };
}
