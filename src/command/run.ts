import process from "node:process";
import { buffer } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { type ApiError, inputError, toApiError, toEnvelope } from "../core/api-error.ts";
import { readWholeFile } from "../core/read-file.ts";
import type { CommandModule } from "./commands.ts";
import { type Interrupt, type Printwright, catchInterrupts, perform } from "./perform.ts";
import { newProgressDisplay } from "./progress-display.ts";
import { type Step, readStep, readSteps } from "./steps-file.ts";
import { WORK_OPTIONS, WORK_USAGE, readWorkArguments } from "./work-arguments.ts";

const USAGE = `Usage: printwright run STEPS.json [--json] [options]

Carries out a list of requests, one after the other, without a server: those of the HTTP interface (--openapi prints them all),
with the same bodies, checks and errors. STEPS.json, or - for standard input, is a list of steps:

  [
    {"name": "plate", "request": "scene/create",
     "body": {"machine_type": "PRUSA-SL1S", "material_code": "GENERIC-RESIN", "layer_thickness_mm": 0.05}},
    {"name": "part", "request": "scene/model/import",
     "body": {"scene_id": {"$": "plate.scene_id"}, "file": "bracket.stl"}},
    {"request": "scene/model/auto-support",
     "body": {"scene_id": {"$": "plate.scene_id"}, "model_ids": [{"$": "part.new_models.0.model_id"}]}},
    {"request": "scene/export",
     "body": {"scene_id": {"$": "plate.scene_id"}, "file": "bracket.sl1s"}}
  ]

A request is named as scene/create or by its whole path, /v1/scene/create/. {"$": "NAME.FIELD.0"} stands for a part of the result of
an earlier step: its name, then fields and indexes. Relative paths (file, fps_file) are those from the present folder. Some requests
take a "query" beside the body. The whole file is checked, as far as that goes, before the first step begins. The scene that a server
has from its start is there, too: scene/list gives its id.

  --json              print a line of JSON for each step on standard output: step, name, request, seconds, and result or
                      error; in long steps lines with their progress, 0 to 1, in place of these
${WORK_USAGE}
Exit status: 0 all steps succeeded, 1 a step failed (none ran after it), 2 the words or the steps file are wrong (no step ran),
130 interrupted by Ctrl-C and 143 by SIGTERM (nothing is half written).`;

const FAILED = 1;
const WRONG_STEPS = 2;

/** A steps file is written by people or programs; its bodies are small. */
const MAX_FILE_BYTES = 64 * 2 ** 20;

/** `printwright run`: a list of requests without a server. */
export const runCommand: CommandModule = {
  usage: USAGE,
  async run(argv, open) {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { json: { type: "boolean", default: false }, ...WORK_OPTIONS },
    });
    if (positionals.length !== 1) throw inputError("give one steps file, or - for standard input; --help has more");
    const args = readWorkArguments(values);
    const [file] = positionals;
    const bytes = file === "-" ? await buffer(process.stdin) : readWholeFile(file, MAX_FILE_BYTES);
    const extensions = (args.converters ?? []).map(({ extension }) => extension);
    const { steps, errors, count } = readSteps(bytes, process.cwd(), extensions);
    const reporter = values.json ? newJsonReporter() : newTerminalReporter(count);
    for (const { step, error } of errors) reporter.failed(step, error);
    if (errors.length > 0) return WRONG_STEPS;
    const interrupt = catchInterrupts();
    const printwright = open(args);
    try {
      return interrupt.status() ?? (await runSteps(steps, printwright, interrupt, reporter));
    } finally {
      await printwright.close();
    }
  },
};

/** Runs the steps up to the first that fails, and returns the exit status. */
async function runSteps(
  steps: readonly Step[],
  { runner }: Printwright,
  interrupt: Interrupt,
  reporter: Reporter,
): Promise<number> {
  const results = new Map<string, unknown>();
  for (const step of steps) {
    const startMs = performance.now();
    const seconds = (): number => Math.round(performance.now() - startMs) / 1000;
    try {
      const request = readStep(step, results, runner.server.converters.extensions);
      const result = await perform(runner, step.endpoint, request, interrupt, (share) =>
        reporter.progress(step, share),
      );
      if (step.name !== undefined) results.set(step.name, result);
      reporter.succeeded(step, seconds(), result);
    } catch (thrown) {
      reporter.failed(step, toApiError(thrown), seconds());
      return interrupt.status() ?? FAILED;
    }
  }
  return 0;
}

type StepLabel = Pick<Step, "number" | "name" | "request">;

interface Reporter {
  progress(step: StepLabel, share: number): void;
  succeeded(step: StepLabel, seconds: number, result: unknown): void;
  /** Without seconds: it did not begin. */
  failed(step: StepLabel, error: ApiError, seconds?: number): void;
}

function newTerminalReporter(count: number): Reporter {
  const display = newProgressDisplay(process.stderr);
  const labelOf = ({ number, name, request }: StepLabel): string =>
    `${number}/${count} ${request}${name === undefined ? "" : ` (${name})`}`;
  return {
    progress: (step, share) => display.show(labelOf(step), share),
    succeeded(step, seconds, result) {
      display.line(`${labelOf(step)}: ${seconds.toFixed(2)} s`);
      const { warnings = [] } = (result ?? {}) as { warnings?: readonly string[] };
      for (const warning of warnings) display.line(`  warning: ${warning}`);
    },
    failed: (step, { code, message }) => display.line(`${labelOf(step)}: ${code}: ${message}`),
  };
}

/** Milliseconds between two lines about the progress of a step. */
const PROGRESS_EVERY_MS = 1000;

function newJsonReporter(): Reporter {
  const write = ({ number: step, name, request }: StepLabel, rest: object): void =>
    console.log(JSON.stringify({ step, name, request, ...rest }));
  let lastMs = performance.now();
  return {
    progress(step, progress) {
      if (performance.now() - lastMs < PROGRESS_EVERY_MS) return;
      lastMs = performance.now();
      write(step, { progress });
    },
    succeeded: (step, seconds, result) => write(step, { seconds, result: result ?? null }),
    failed: (step, error, seconds) => write(step, { seconds, ...toEnvelope(error) }),
  };
}
