import process from "node:process";
import { type Arguments, SHORT_USAGE, USAGE, readArguments } from "./arguments.ts";
import { runNamedCommand } from "./command/commands.ts";
import { isCompatLaunch, untilTooMuch } from "./compat/launch.ts";
import { VERSION } from "./core/version.ts";
import { DOCUMENTS } from "./http/documents.ts";
import { hashPassword } from "./printer/account/password-hash.ts";
import { absenceWarning } from "./printer/network-interfaces.ts";
import { openBrowser } from "./open-browser.ts";
import { newPrintwright } from "./printwright.ts";
import { readPassword } from "./read-password.ts";
import { type RunningServer, startServer } from "./server.ts";

const FAILED = 1;
const WRONG_ARGUMENTS = 2;

const NO_INTERFACE = "this machine has no network interface of that address; choose another --host";

/** Reason why the server cannot listen, by the code of the system's error. */
const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: "address is already in use; choose another --port",
  EACCES: "permission is denied; choose a --port above 1023",
  EADDRNOTAVAIL: NO_INTERFACE,
  // Deno's code for the same error.
  EINVAL: NO_INTERFACE,
  ENOTFOUND: "the name of --host is unknown; give its address",
};

async function serve(args: Arguments): Promise<void> {
  if (args.compat) console.error = untilTooMuch(console.error);
  const running = await startServer(args).catch((error: NodeJS.ErrnoException) => {
    const reason = `printwright cannot start on port ${args.port}: ${LISTEN_ERRORS[error.code ?? ""] ?? error.message}`;
    // 0.9 clients read only this stream, and wait for this line or for the line of a server that is ready.
    if (args.compat) console.log(reason);
    return fail(FAILED, reason);
  });
  // Both signals keep this handler, so that a second one does not end the process before it has stopped.
  let stopping: Promise<void> | undefined;
  const stop = (): void => void (stopping ??= running.stop().then(() => end(running)));
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  const warning = absenceWarning(args.printers?.discoveryAddresses);
  if (warning !== undefined) console.error(warning);
  console.log(`http://localhost:${running.port}`);
  console.log("READY FOR INPUT");
  if (args.open) openBrowser(`http://localhost:${running.port}/ui/`);
}

function end({ keptIn }: RunningServer): never {
  if (keptIn !== undefined) console.log(`The scenes are kept in ${keptIn}`);
  process.exit(0);
}

async function printHash(): Promise<void> {
  const password = await readPassword().catch((error: Error) => fail(FAILED, `printwright: ${error.message}`));
  console.log(await hashPassword(password));
  // A terminal that was read keeps the process alive.
  process.exit(0);
}

function fail(status: number, text: string): never {
  console.error(text);
  process.exit(status);
}

const given = process.argv.slice(2);
const words = /^help( (help|-.*))?$/.test(given.join(" ")) ? ["--help"] : given;
// Remaining threads and printers must not keep the process alive.
if (words[0]?.startsWith("-") === false) process.exit(await runNamedCommand(words, newPrintwright));
const command = readArguments(words, isCompatLaunch(process));
if (command.kind === "help") console.log(USAGE);
else if (command.kind === "version") console.log(VERSION);
else if (command.kind === "document") console.log(await DOCUMENTS[command.name].text());
else if (command.kind === "hash-password") await printHash();
else if (command.kind === "wrong") {
  fail(WRONG_ARGUMENTS, `${command.reason}\n\n${words.length === 0 ? USAGE : SHORT_USAGE}`);
} else await serve(command.args);
