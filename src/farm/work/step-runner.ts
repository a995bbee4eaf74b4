import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";
import type { JobError, JobProgress } from "../queue/job-queue.ts";
import { PARENT_VARIABLE } from "../../command/run-each.ts";
import type { Ending } from "./verdict.ts";

/** A list of steps for a process. */
export interface StepList {
  readonly id: string;
  /** Path of the steps file. */
  readonly file: string;
  readonly folder: string;
  /** ISO 8601. */
  readonly created: string;
  readonly stepCount: number;
}

/** How a list ended in its process. */
export interface RunEnding {
  readonly ending: Extract<Ending, { kind: "ended" | "crashed" }>;
  /** The results of the steps that have names. */
  readonly results: Readonly<Record<string, unknown>>;
  /** What its process has taken until its end; undefined where it crashed. */
  readonly usage?: ProcessUsage | undefined;
}

/** What a process has taken of its machine since its start. */
export interface ProcessUsage {
  /** Processor time, user and system. */
  readonly cpu_seconds: number;
  /** Greatest resident memory. */
  readonly peak_memory_bytes: number;
}

/** A process that carries out lists of steps: `printwright run --each`. */
export interface StepRunner {
  /** Lists that it was given. */
  readonly given: number;
  readonly running: number;
  /** Its resident memory after the last list. */
  readonly memoryBytes: number;
  readonly hasEnded: boolean;
  /** Carries out a list. Aborting the signal cancels it; the process is killed if that takes too long. */
  perform(list: StepList, signal: AbortSignal, onProgress: (progress: JobProgress) => void): Promise<RunEnding>;
  /** Lets the process end, and cancels what it does. */
  close(): void;
}

/** Wait for a cancelled list to end, before its process is killed. */
const CANCEL_MS = 15_000;

/** Variables that a child needs not know: it reads no queue and no store, and starts programs of the user. */
const SECRET = /^(PRINTWRIGHT_QUEUE|PRINTWRIGHT_QUEUE_FILE|PRINTWRIGHT_S3_FILE|PG[A-Z]+|AWS_\w+)$/;

/** What a process prints of a list. */
interface Line extends Partial<ProcessUsage> {
  readonly id?: string;
  readonly step?: number;
  readonly name?: string;
  readonly progress?: number;
  readonly result?: unknown;
  readonly error?: JobError;
  readonly status?: number;
  readonly memory_bytes?: number;
}

interface Running {
  readonly onLine: (line: Line) => void;
  readonly onCrash: (code: number | null, signal: NodeJS.Signals | null) => void;
}

/** Starts a process. `command` is Printwright's own command line, `options` are those of `run`. */
export function startStepRunner(command: readonly string[], options: readonly string[]): StepRunner {
  const [program = "", ...before] = command;
  const kept = Object.entries(process.env).filter(([name]) => !SECRET.test(name));
  const child = spawn(program, [...before, "run", "--each", ...options], {
    // The child ends when its standard input closes, also where this process is killed.
    env: { ...Object.fromEntries(kept), [PARENT_VARIABLE]: String(process.pid) },
    stdio: ["pipe", "pipe", "inherit"],
    // A group of its own: Ctrl-C in a terminal reaches the worker alone, which drains.
    detached: process.platform !== "win32",
  });
  return newStepRunner(child);
}

function newStepRunner(child: ChildProcess): StepRunner {
  const lists = new Map<string, Running>();
  let [given, memoryBytes] = [0, 0];
  let crash: readonly [number | null, NodeJS.Signals | null] | undefined;
  const end = (code: number | null, signal: NodeJS.Signals | null): void => {
    crash ??= [code, signal];
    for (const { onCrash } of lists.values()) onCrash(code, signal);
  };
  // Writing to a child that has ended fails; its end tells.
  child.stdin!.on("error", () => {});
  child.on("error", () => end(null, null));
  const send = (value: object): void => void child.stdin!.write(`${JSON.stringify(value)}\n`);
  const lines = createInterface({ input: child.stdout! });
  lines.on("line", (text) => {
    const line = readLine(text);
    if (line?.memory_bytes !== undefined) memoryBytes = line.memory_bytes;
    if (line?.id !== undefined) lists.get(line.id)?.onLine(line);
  });
  // After its last line.
  child.on("close", end);

  return {
    get given() {
      return given;
    },
    get running() {
      return lists.size;
    },
    get memoryBytes() {
      return memoryBytes;
    },
    get hasEnded() {
      return crash !== undefined;
    },
    perform({ id, file, folder, created, stepCount }, signal, onProgress) {
      given++;
      const results: Record<string, unknown> = {};
      let error: JobError | undefined;
      let killTimer: NodeJS.Timeout | undefined;
      const cancel = (): void => {
        send({ cancel: id });
        killTimer = setTimeout(() => child.kill("SIGKILL"), CANCEL_MS);
      };
      const ended = new Promise<RunEnding>((resolve) => {
        const onLine = (line: Line): void => {
          if (line.status !== undefined) {
            const { cpu_seconds = 0, peak_memory_bytes = 0 } = line;
            const usage = { cpu_seconds, peak_memory_bytes };
            resolve({ ending: { kind: "ended", status: line.status, error }, results, usage });
            return;
          }
          error = line.error ?? error;
          if (line.name !== undefined && line.result !== undefined) results[line.name] = line.result;
          if (line.step === undefined) return;
          const done = line.progress ?? (line.error ? 0 : 1);
          onProgress({ fraction: (line.step - 1 + done) / stepCount, step: line.step - 1 });
        };
        const onCrash: Running["onCrash"] = (code, itsSignal) =>
          resolve({ ending: { kind: "crashed", code, signal: itsSignal }, results });
        lists.set(id, { onLine, onCrash });
        if (crash) onCrash(...crash);
        else send({ id, file, folder, created });
        if (signal.aborted) cancel();
        else signal.addEventListener("abort", cancel, { once: true });
      });
      return ended.finally(() => {
        clearTimeout(killTimer);
        signal.removeEventListener("abort", cancel);
        lists.delete(id);
      });
    },
    close() {
      child.stdin!.end();
    },
  };
}

function readLine(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}

/** The command line by which this process was started: the executable, or the runtime with its sources. */
export function ownCommand(): readonly string[] {
  const [, script = ""] = process.argv;
  if (!script.endsWith(".ts")) return [process.execPath];
  const isDeno = "deno" in process.versions;
  return [process.execPath, ...(isDeno ? ["run", "-A"] : []), script];
}
