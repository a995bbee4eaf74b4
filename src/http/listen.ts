import { createServer, type IncomingMessage, type Server as NodeServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Fault, toFault } from "../core/fault.ts";
import type { Delivered } from "./app.ts";
import { faultResponse } from "./app.ts";
import { guardOrigin } from "./guard.ts";

/** Largest request body (interface supplement, section 1, "Bodies"). */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

export interface Listening {
  readonly port: number;
  readonly addresses: readonly string[];
  close(): void;
}

export interface ListenOptions {
  /** 0 picks a free port. */
  readonly port: number;
  /** Addresses to listen on; the first one must work, further ones may be missing on this machine. */
  readonly addresses: readonly string[];
  readonly allowedHosts: readonly string[];
}

type Handler = (request: Request, delivered: Delivered) => Response | Promise<Response>;

/**
 * Serves `handler`. It stands on node:http, because that alone delivers the body of a GET under every runtime and holds a
 * synchronous call for its ten minutes.
 */
export async function listen(handler: Handler, options: ListenOptions): Promise<Listening> {
  const servers: NodeServer[] = [];
  let { port } = options;
  try {
    for (const address of options.addresses) {
      const server = createServer((incoming, outgoing) => void respond(handler, options, incoming, outgoing));
      server.requestTimeout = 0;
      const bound = await bind(server, port, address, servers.length === 0);
      if (!bound) continue;
      port = bound.port;
      servers.push(server);
    }
  } catch (thrown) {
    for (const server of servers) server.close();
    throw thrown;
  }
  return {
    port,
    addresses: servers.map((server) => (server.address() as AddressInfo).address),
    close: () => {
      for (const server of servers) server.close().closeAllConnections();
    },
  };
}

/** Undefined where the machine does not have the address (no IPv6) and it is not required. */
function bind(server: NodeServer, port: number, address: string, required: boolean): Promise<AddressInfo | undefined> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      // The runtimes tell in different ways that there is no IPv6; a taken port they tell alike.
      if (required || error.code === "EADDRINUSE") reject(error);
      else resolve(undefined);
    });
    server.listen({ port, host: address, exclusive: true }, () => resolve(server.address() as AddressInfo));
  });
}

async function respond(
  handler: Handler,
  options: ListenOptions,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  try {
    await write(await handle(handler, options, incoming), outgoing);
  } catch (thrown) {
    await write(faultResponse(toFault(thrown)), outgoing).catch(() => outgoing.destroy());
  }
}

async function handle(handler: Handler, { allowedHosts }: ListenOptions, incoming: IncomingMessage): Promise<Response> {
  const { host, origin } = incoming.headers;
  const refusal = guardOrigin({ host, origin }, allowedHosts);
  if (refusal) {
    incoming.resume();
    return faultResponse(refusal, { Connection: "close" });
  }
  const rawBody = await readBody(incoming);
  if (!rawBody)
    return faultResponse(new Fault("BODY_TOO_LARGE", `A request body holds at most ${MAX_BODY_BYTES} bytes.`));
  const request = toRequest(incoming);
  if (!request)
    return faultResponse(
      new Fault("NOT_FOUND", `${incoming.method} ${incoming.url} is not an endpoint of this server.`),
    );
  return handler(request, { rawBody });
}

/** The whole body; undefined when it is too large: then the rest is read and dropped, so that the client hears the answer. */
async function readBody(incoming: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return size <= MAX_BODY_BYTES ? Buffer.concat(chunks) : undefined;
}

/** Methods that the Fetch standard has no requests for; to every endpoint they are as foreign as the one in their place. */
const INEXPRESSIBLE: ReadonlySet<string | undefined> = new Set(["TRACE", "TRACK", "CONNECT"]);

/** Undefined for a target that is no path. */
function toRequest({ method, url = "" }: IncomingMessage): Request | undefined {
  if (!url.startsWith("/")) return undefined;
  return new Request(`http://localhost${url}`, { method: INEXPRESSIBLE.has(method) ? "OPTIONS" : method });
}

async function write(response: Response, outgoing: ServerResponse): Promise<void> {
  const body = new Uint8Array(await response.arrayBuffer());
  outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), "Content-Length": body.length });
  outgoing.end(body);
}
