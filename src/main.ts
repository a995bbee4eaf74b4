import process from "node:process";
import { type Arguments, USAGE, readArguments } from "./arguments.ts";
import { VERSION } from "./core/version.ts";
import { startServer } from "./server.ts";

const FAILED = 1;
const WRONG_ARGUMENTS = 2;

async function serve(args: Arguments): Promise<void> {
  const running = await startServer(args).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === "EADDRINUSE" ? `port ${args.port}: address is already in use` : error.message;
    return fail(FAILED, `printwright cannot start: ${reason}`);
  });
  // Both signals keep this handler, so that a second one does not end the process before it has stopped.
  let stopping: Promise<void> | undefined;
  const stop = (): void => void (stopping ??= running.stop().then(() => process.exit(0)));
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  console.log(`http://localhost:${running.port}`);
  console.log("READY FOR INPUT");
}

function fail(status: number, text: string): never {
  console.error(text);
  process.exit(status);
}

const command = readArguments(process.argv.slice(2));
if (command.kind === "help") console.log(USAGE);
else if (command.kind === "version") console.log(VERSION);
else if (command.kind === "openapi") console.log(JSON.stringify((await import("./api/openapi.ts")).openApi(), null, 2));
else if (command.kind === "wrong") fail(WRONG_ARGUMENTS, `${command.reason}\n\n${USAGE}`);
else await serve(command.args);
