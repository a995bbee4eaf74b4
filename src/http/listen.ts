import { type IncomingMessage, type Server as NodeServer, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ApiError, toApiError } from "../core/api-error.ts";
import { type RawRequest, errorResponse } from "./app.ts";
import { checkOrigin } from "./origin.ts";

/** Largest request body (interface supplement, section 1, "Bodies"). */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

interface Listener {
  readonly port: number;
  readonly addresses: readonly string[];
  close(): void;
}

interface ListenOptions {
  /** 0 picks a free port. */
  readonly port: number;
  /** Addresses to listen on. The first one must exist on this machine, the others are optional. */
  readonly addresses: readonly string[];
  readonly allowedHosts: readonly string[];
}

type Handler = (request: Request, raw: RawRequest) => Response | Promise<Response>;

/**
 * Starts to serve `handler`. It uses node:http, which under every runtime passes on the body of a GET and keeps a
 * connection open for the ten minutes of a synchronous request.
 */
export async function listen(handler: Handler, options: ListenOptions): Promise<Listener> {
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

/** Undefined where the machine lacks an address that is not required, such as that of IPv6. */
function bind(server: NodeServer, port: number, address: string, required: boolean): Promise<AddressInfo | undefined> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      // Runtimes differ in the error codes of a missing IPv6, but not in that of a used port.
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
    await write(errorResponse(toApiError(thrown)), outgoing).catch(() => outgoing.destroy());
  }
}

async function handle(handler: Handler, { allowedHosts }: ListenOptions, incoming: IncomingMessage): Promise<Response> {
  const { host, origin } = incoming.headers;
  const refusal = checkOrigin({ host, origin }, allowedHosts);
  if (refusal) {
    incoming.resume();
    return errorResponse(refusal, { Connection: "close" });
  }
  const rawBody = await readBody(incoming);
  if (!rawBody)
    return errorResponse(new ApiError("BODY_TOO_LARGE", `A request body holds at most ${MAX_BODY_BYTES} bytes.`));
  const request = toRequest(incoming);
  if (!request)
    return errorResponse(
      new ApiError("NOT_FOUND", `${incoming.method} ${incoming.url} is not an endpoint of this server.`),
    );
  return handler(request, { rawBody });
}

/** The whole body. Undefined when it is too large: then the rest is read and dropped, so that the client gets the answer. */
async function readBody(incoming: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return size <= MAX_BODY_BYTES ? Buffer.concat(chunks) : undefined;
}

/** Methods that a `Request` cannot have. They are replaced by OPTIONS, which no endpoint supports either. */
const UNSUPPORTED_METHODS: ReadonlySet<string> = new Set(["TRACE", "TRACK", "CONNECT"]);

/** Undefined for a request target that is not a path. */
function toRequest({ method = "GET", url = "" }: IncomingMessage): Request | undefined {
  if (!url.startsWith("/")) return undefined;
  return new Request(`http://localhost${url}`, { method: UNSUPPORTED_METHODS.has(method) ? "OPTIONS" : method });
}

async function write(response: Response, outgoing: ServerResponse): Promise<void> {
  const body = new Uint8Array(await response.arrayBuffer());
  outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), "Content-Length": body.length });
  outgoing.end(body);
}
