import process from "node:process";
import { ApiError, excerpt, inputError, toApiError, toEnvelope } from "../core/api-error.ts";
import { VERSION } from "../core/version.ts";
import type { OwnFiles } from "../catalog/open-printers.ts";
import { closestMatches } from "../catalog/resolve.ts";
import type { CommandModule, OpenPrintwright } from "./command-module.ts";
import type { CompletedCommand } from "./completion.ts";
import { addMachines } from "./machines-option.ts";
import { type Output, newOutput } from "./output.ts";
import { parseWords } from "./parse-words.ts";

interface Command {
  readonly summary: string;
  readonly load: () => Promise<CommandModule>;
}

/** The commands that work without a server. Each is loaded when it is called. */
const COMMANDS: Readonly<Record<string, Command>> = {
  slice: {
    summary: "prepare parts for a printer and write its job",
    load: async () => (await import("./slice.ts")).sliceCommand,
  },
  render: {
    summary: "draw parts as they are placed in the printer",
    load: async () => (await import("./render.ts")).renderCommand,
  },
  check: {
    summary: "find what would spoil the print of parts",
    load: async () => (await import("./check.ts")).checkCommand,
  },
  info: {
    summary: "say what model files hold: sizes, volumes, triangles, defects",
    load: async () => (await import("./info.ts")).infoCommand,
  },
  job: {
    summary: "read, check, draw, convert and compare files that printers print from",
    load: async () => (await import("./job.ts")).jobCommand,
  },
  calibrate: {
    summary: "calibrate a resin by one print: write its plate, compute what was read",
    load: async () => (await import("./calibrate.ts")).calibrateCommand,
  },
  plan: {
    summary: "put the parts of orders on plates, and the plates on printers",
    load: async () => (await import("./plan.ts")).planCommand,
  },
  run: {
    summary: "carry out a list of requests from a JSON file",
    load: async () => (await import("./run.ts")).runCommand,
  },
  worker: {
    summary: "carry out jobs of a queue, for one machine or several",
    load: async () => (await import("./worker.ts")).workerCommand,
  },
  submit: {
    summary: "put jobs into the queue of workers",
    load: async () => (await import("./submit.ts")).submitCommand,
  },
  events: {
    summary: "send the events of a queue to webhooks and MQTT",
    load: async () => (await import("./events.ts")).eventsCommand,
  },
  mcp: {
    summary: "serve tools for agents, by the Model Context Protocol",
    load: async () => (await import("./mcp.ts")).mcpCommand,
  },
  jobs: {
    summary: "show and change the jobs in the queue of workers",
    load: async () => (await import("./jobs.ts")).jobsCommand,
  },
  printers: {
    summary: "list the printers",
    load: async () => (await import("./lists.ts")).printersCommand,
  },
  materials: {
    summary: "list the materials of a printer",
    load: async () => (await import("./lists.ts")).materialsCommand,
  },
  health: {
    summary: "ask a running server whether it answers",
    load: async () => (await import("./health.ts")).healthCommand,
  },
  completion: {
    summary: "print what completes the words of a shell: bash, zsh or fish",
    load: async () => (await import("./completion.ts")).completionOf(await completedCommands()),
  },
  version: {
    summary: "print the version",
    load: async () => versionCommand,
  },
};

const versionCommand: CommandModule = {
  usage: `Usage: printwright version

Prints the version.`,
  options: {},
  async run(argv, _open, output) {
    parseWords(argv, {});
    output.line(VERSION);
    return 0;
  },
};

/** All commands with their options. */
async function completedCommands(): Promise<CompletedCommand[]> {
  const withOptions = Object.entries(COMMANDS).map(async ([name, { summary, load }]) => ({
    name,
    summary,
    options: name === "completion" ? {} : (await load()).options,
  }));
  return Promise.all(withOptions);
}

/** A command as its manual describes it. */
export interface DescribedCommand {
  readonly name: string;
  readonly summary: string;
  /** The text of its `--help`. */
  readonly usage: string;
}

/** All commands with their help, in the order of the overview. */
export const describedCommands = (): Promise<DescribedCommand[]> =>
  Promise.all(
    Object.entries(COMMANDS).map(async ([name, { summary, load }]) => ({ name, summary, usage: (await load()).usage })),
  );

/** The list of commands in the help of the program. */
export const COMMAND_OVERVIEW = Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  printwright ${name.padEnd(12)}${summary}\n`)
  .join("");

const FAILED = 1;
const WRONG_ARGUMENTS = 2;

/** Runs the command that the first word names, or prints its help; returns the exit status. */
export async function runNamedCommand(argv: readonly string[], open: OpenPrintwright): Promise<number> {
  const output = newOutput(process.stdout);
  const status = await runOn(output, argv, open);
  try {
    await output.flushed();
    return status;
  } catch (thrown) {
    console.error(`printwright: ${toApiError(thrown).message}`);
    return status === 0 ? FAILED : status;
  }
}

async function runOn(output: Output, argv: readonly string[], open: OpenPrintwright): Promise<number> {
  const wantsHelp = argv[0] === "help";
  const [name = "", ...rest] = wantsHelp ? argv.slice(1) : argv;
  try {
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!command) throw unknownCommand(name);
    const module = await command.load();
    const { usage, run } = module;
    if (wantsHelp || rest.includes("--help") || rest.includes("-h")) output.line(usage);
    else if (rest.includes("--version")) output.line(VERSION);
    else {
      // Before the command uses the catalog.
      addMachines(ownFilesOf(rest, module));
      return await run(rest, open, output);
    }
    return 0;
  } catch (thrown) {
    const error = asWrongWords(thrown, name);
    console.error(`printwright: ${error.message}`);
    if (rest.includes("--json")) output.line(JSON.stringify(toEnvelope(error)));
    return WRONG_ARGUMENTS;
  }
}

/** The files with printers and resins; none for commands that need no machine. */
function ownFilesOf(words: readonly string[], { options, namesResin }: CommandModule): OwnFiles {
  const { machines = [], resin } = parseWords(words, options).values as Partial<OwnFiles>;
  return { machines, resin: namesResin === true ? undefined : resin };
}

/** The error for wrong words. Rethrows any other error, which is a failure of the program. */
function asWrongWords(thrown: unknown, command: string): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const { code, message } = thrown as NodeJS.ErrnoException;
  const [, option] = /^Unknown option '(.*?)'/.exec(message) ?? [];
  if (option !== undefined)
    return inputError(`"${excerpt(option)}" is not an option: printwright ${command} --help has them all`);
  if (code?.startsWith("ERR_PARSE_ARGS")) return inputError(message);
  throw thrown;
}

function unknownCommand(name: string): Error {
  const names = closestMatches(name, Object.keys(COMMANDS)).join(", ");
  return inputError(`"${name}" is not a command: the commands are ${names}; printwright --help has more.`);
}
