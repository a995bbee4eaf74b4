import { Buffer } from "node:buffer";
import { type ChildProcess, spawn } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { CancelledError } from "../core/progress.ts";
import type { CommandLine } from "./command-line.ts";

export interface ProgramOptions {
  /** The folder in which it runs, the only one to which it should write. */
  readonly folder: string;
  readonly timeoutMs: number;
  /** Most bytes of its files in the folder. */
  readonly maxBytes: number;
  /** Ends it with `CancelledError`. */
  readonly signal: AbortSignal;
  /** Called repeatedly with the time since its start. */
  readonly report: (elapsedMs: number) => void;
}

export interface ProgramEnd {
  /** Why it failed, as words that follow its name. Undefined where it ended with status 0. */
  readonly failure?: string | undefined;
  /** The end of its standard error, on one line. */
  readonly said: string;
}

/** Interval of the checks of a running program. */
const CHECK_MS = 100;
/** How long the end of standard error is waited for: a process that left its group may keep it open. */
const STDERR_END_MS = 300;

const isWindows = process.platform === "win32";

/**
 * Runs a program without a shell, in its own process group, and resolves once it has ended. All processes of the group are killed before
 * the call ends, also those that the program leaves behind. On Windows this holds only while the program itself is running.
 */
export async function runProgram(command: CommandLine, options: ProgramOptions): Promise<ProgramEnd> {
  const child = start(command, options.folder);
  if (!child) return { failure: "cannot be started: its path or an argument is not valid", said: "" };
  const end = endOf(child);
  const stderr = keepTail(child.stderr!);
  let failure: string | undefined;
  try {
    failure = await watch(end, options);
  } finally {
    killGroup(child);
    await end;
    await Promise.race([stderr.ended, sleep(STDERR_END_MS)]);
    child.stderr!.destroy();
  }
  return { failure, said: stderr.text() };
}

/** Starts a program. Undefined where the system refuses the arguments altogether. */
function start([program, ...args]: CommandLine, folder: string): ChildProcess | undefined {
  try {
    return spawn(program, args, {
      cwd: folder,
      detached: !isWindows,
      windowsHide: true,
      stdio: ["ignore", "ignore", "pipe"],
    });
  } catch {
    return undefined;
  }
}

/** Why a program could not be started, by the code of the system's error. */
const START_ERRORS: Readonly<Record<string, string>> = {
  ENOENT:
    "there is no such program, or its first line names none; give its full path, since it runs in a folder of its own",
  EACCES: "it may not be executed",
  ENOEXEC: "it is no program for this system",
  E2BIG: "its arguments are too long",
};

/** Resolves to the failure once the program has ended. */
const endOf = (child: ChildProcess): Promise<{ readonly failure?: string }> =>
  new Promise((resolve) => {
    child.once("error", (error: NodeJS.ErrnoException) =>
      resolve({ failure: `cannot be started: ${START_ERRORS[error.code ?? ""] ?? error.message}` }),
    );
    child.once("exit", (status, signal) => {
      if (status === 0) return resolve({});
      resolve({ failure: status === null ? `was ended by ${signal}` : `ended with status ${status}` });
    });
  });

/** Resolves to the failure of a program that has ended or must be killed. */
async function watch(
  end: ReturnType<typeof endOf>,
  { folder, timeoutMs, maxBytes, signal, report }: ProgramOptions,
): Promise<string | undefined> {
  const startedMs = performance.now();
  for (;;) {
    const ended = await Promise.race([end, pause(signal)]);
    if (signal.aborted) throw new CancelledError();
    if (ended?.failure !== undefined) return ended.failure;
    if ((await folderBytes(folder)) > maxBytes) return `wrote more than ${maxBytes} bytes, the most accepted`;
    if (ended) return undefined;
    const elapsedMs = performance.now() - startedMs;
    if (elapsedMs >= timeoutMs) return `had not ended after ${timeoutMs / 1000} s`;
    report(elapsedMs);
  }
}

/** Waits for the interval of checks; ends early, and never rejects, once the signal is aborted. */
const pause = (signal: AbortSignal): Promise<undefined> =>
  sleep(CHECK_MS, undefined, { signal }).catch(() => undefined);

async function folderBytes(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
    // The program may have removed it meanwhile.
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
}

function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined) return;
  if (isWindows) {
    // Windows soon reuses the id of an ended process; elsewhere a group keeps its id while any of its processes lives.
    if (exitCode !== null || signalCode !== null) return;
    spawn("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore", windowsHide: true }).on("error", () => {});
    return;
  }
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // All its processes have ended.
  }
}

/** Bytes and characters of the end of standard error that are kept. */
const TAIL_BYTES = 4096;
const TAIL_CHARACTERS = 500;

/** Time between two reads of some ten kilobytes. */
const CHUNK_MS = 5;

/** Reads a stream to its end and keeps its last bytes. */
function keepTail(stream: Readable): { readonly ended: Promise<void>; readonly text: () => string } {
  let tail: Uint8Array = new Uint8Array(0);
  const read = async (): Promise<void> => {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      tail = Buffer.concat([tail, chunk]).subarray(-TAIL_BYTES);
      // With this pause, a program that writes without end is slowed down, not the other requests.
      await sleep(CHUNK_MS);
    }
  };
  return { ended: read().catch(() => {}), text: () => lastLine(new TextDecoder().decode(tail)) };
}

/** The end of a text on one line, without terminal controls and characters that change the direction of text. */
function lastLine(text: string): string {
  const line = stripVTControlCharacters(text)
    .replace(/[\s\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
  return line.length <= TAIL_CHARACTERS ? line : `…${line.slice(-TAIL_CHARACTERS)}`;
}
