import process from "node:process";
import { Writable } from "node:stream";
import { ProtocolError, ProtocolErrorCode, Server, type ServerContext } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { toApiError } from "../core/api-error.ts";
import { VERSION } from "../core/version.ts";
import { toFailure, toResult } from "./answer.ts";
import { type Tool, listedTool } from "./tool.ts";
import { errorInToolWords } from "./tool-words.ts";
import { type OnProgress, ToolCall, type Workspace } from "./workspace.ts";

interface ServeOptions {
  readonly workspace: Workspace;
  readonly tools: readonly Tool[];
  /** What clients tell their model about the server. */
  readonly instructions: string;
  /** Ends the server. */
  readonly signal: AbortSignal;
}

/**
 * Serves tools on standard input and output, by revisions 2024-11-05 to 2026-07-28 of the protocol, until the client closes the input or the
 * signal is aborted. Standard output has messages of the protocol alone.
 */
export async function serveTools(options: ServeOptions): Promise<void> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const transport = new StdioServerTransport(process.stdin, protocolOutput());
  const handle = serveStdio(() => newServer(options), {
    transport,
    onerror: ({ message }) => console.error(`printwright mcp: ${message}`),
  });
  process.stdin.once("end", end).once("close", end).once("error", end);
  process.stdout.once("error", end);
  options.signal.addEventListener("abort", () => end(), { once: true });
  if (options.signal.aborted) end();
  await ended;
  await handle.close();
}

/** The only way to standard output from now on: whatever else is printed goes to standard error. */
function protocolOutput(): Writable {
  const { stdout } = process;
  const write = stdout.write.bind(stdout);
  const output = new Writable({
    write: (chunk, _encoding, done) => void write(chunk, done),
  });
  stdout.write = process.stderr.write.bind(process.stderr);
  console.log = console.error;
  console.info = console.error;
  console.debug = console.error;
  return output;
}

function newServer({ workspace, tools, instructions }: ServeOptions): Server {
  const server = new Server(
    { name: "printwright", title: "Printwright", version: VERSION },
    { capabilities: { tools: {} }, instructions },
  );
  const list = tools.map(listedTool);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  server.setRequestHandler("tools/list", () => ({ tools: list }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const tool = byName.get(params.name);
    if (!tool) {
      const names = [...byName.keys()].join(", ");
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no such tool; the tools are ${names}.`);
    }
    const call = new ToolCall(workspace, context.mcpReq.signal, progressTo(context));
    try {
      return toResult(await tool.run(params.arguments ?? {}, call));
    } catch (thrown) {
      return toFailure(errorInToolWords(toApiError(thrown), workspace));
    }
  });
  return server;
}

/** Least change of the progress that clients hear about. */
const STEP = 0.01;

/** Sends progress to a client that asked for it: each time more than before, as the protocol wants it. */
function progressTo({ mcpReq }: ServerContext): OnProgress {
  // oxlint-disable-next-line no-underscore-dangle -- a name of the protocol
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let last = 0;
  return (share, message) => {
    if (share < last + STEP) return;
    last = share;
    const params = { progressToken, progress: share, total: 1, message };
    // A client that is gone hears nothing.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}
