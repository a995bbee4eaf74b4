import { type IncomingMessage, type Server as NodeServer, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { ApiError, excerpt, toApiError } from "../core/api-error.ts";
import { answerMalformed } from "./answer-malformed.ts";
import { type RawRequest, errorResponse } from "./app.ts";
import { MAX_CONNECTIONS, newConnectionLimit } from "./connection-limit.ts";
import { callerOf, checkOrigin } from "./origin.ts";
import {
  type BodyLimits,
  type BodyReceiver,
  DEFAULT_BODY_LIMITS,
  type ReceivedBody,
  newBodyReceiver,
} from "./receive-body.ts";

/** How long a connection stays open without a request: clients that call once a minute keep theirs. */
const KEEP_ALIVE_MS = 75_000;
/** How long the head of a request may take, from the opening of the connection or the end of the last request. */
const HEAD_MS = 60_000;
/** Longest time for which a client may read nothing of an answer. */
const STALLED_MS = 60_000;

interface Listener {
  readonly port: number;
  readonly addresses: readonly string[];
  close(): void;
}

interface ListenOptions {
  /** 0 selects a free port. */
  readonly port: number;
  /** Addresses to listen on. The first must exist on this machine, the others are optional. */
  readonly addresses: readonly string[];
  readonly allowedHosts: readonly string[];
  readonly bodyLimits?: BodyLimits;
  /** Maximum number of connections on all addresses together; {@link MAX_CONNECTIONS} by default. */
  readonly maxConnections?: number;
  /** Paths whose handlers process bodies of any size as they arrive. */
  readonly streamedPaths?: readonly string[];
}

type Handler = (request: Request, raw: RawRequest) => Response | Promise<Response>;

/**
 * Starts to serve `handler`. It uses node:http, which in every runtime passes on the body of a GET and keeps a connection open for the ten
 * minutes of a synchronous request.
 */
export async function listen(handler: Handler, options: ListenOptions): Promise<Listener> {
  const servers: NodeServer[] = [];
  const receiveBody = newBodyReceiver(options.bodyLimits ?? DEFAULT_BODY_LIMITS);
  const limit = newConnectionLimit(options.maxConnections ?? MAX_CONNECTIONS);
  const respondTo = async (incoming: IncomingMessage, hungUp: AbortSignal) => {
    const refusal = limit.refusalOf(incoming);
    return refusal ? refuse(incoming, refusal) : handle(handler, receiveBody, options, incoming, hungUp);
  };
  let { port } = options;
  try {
    for (const address of options.addresses) {
      // A request without Host is answered by checkOrigin.
      const server = createServer(
        { requireHostHeader: false },
        (incoming, outgoing) => void respond(incoming, outgoing, respondTo),
      );
      answerMalformed(server);
      limit.watch(server);
      // The receiver of bodies limits the time of the body; the code that computes the answer limits the time of the answer.
      server.requestTimeout = 0;
      server.headersTimeout = HEAD_MS;
      server.keepAliveTimeout = KEEP_ALIVE_MS;
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

/** Undefined if the machine lacks an optional address, such as that of IPv6. */
function bind(server: NodeServer, port: number, address: string, required: boolean): Promise<AddressInfo | undefined> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      // Runtimes have different error codes for missing IPv6, but the same code for a used port.
      if (required || error.code === "EADDRINUSE") reject(error);
      else resolve(undefined);
    });
    server.listen({ port, host: address, exclusive: true }, () => resolve(server.address() as AddressInfo));
  });
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  respondTo: (incoming: IncomingMessage, hungUp: AbortSignal) => Promise<Response | undefined>,
): Promise<void> {
  const hangUp = new AbortController();
  outgoing.on("close", () => {
    if (!outgoing.writableFinished) hangUp.abort();
  });
  try {
    const response = await respondTo(incoming, hangUp.signal).catch((thrown: unknown) =>
      responseOf(toApiError(thrown)),
    );
    if (response) await write(response, outgoing);
    // The answer to a malformed request is on its way.
    else if (!outgoing.socket?.writableEnded) outgoing.destroy();
  } catch {
    outgoing.destroy();
  }
}

/** The connection is closed: otherwise the rest of a late body could keep it open for any time. */
const responseOf = (error: ApiError): Response =>
  errorResponse(error, error.code === "REQUEST_TIMEOUT" ? CLOSE_CONNECTION : {});

const CLOSE_CONNECTION = { Connection: "close" };

/** Answers a request without reading its body. */
function refuse(incoming: IncomingMessage, refusal: ApiError): Response {
  incoming.resume();
  return errorResponse(refusal, CLOSE_CONNECTION);
}

/** The response to a request. Undefined if the client disconnected. */
async function handle(
  handler: Handler,
  receiveBody: BodyReceiver,
  { allowedHosts, streamedPaths = [] }: ListenOptions,
  incoming: IncomingMessage,
  hungUp: AbortSignal,
): Promise<Response | undefined> {
  const target = targetOf(incoming.url);
  const caller = callerOf(incoming);
  const refusal =
    checkOrigin(caller, allowedHosts) ??
    (target.host === undefined ? undefined : checkOrigin({ ...caller, host: target.host }, allowedHosts));
  if (refusal) return refuse(incoming, refusal);
  const isStreamed = streamedPaths.includes(target.path.replace(/\?.*/s, ""));
  const rawBody = isStreamed ? NO_BODY : await receiveBody(incoming);
  if (!rawBody) return undefined;
  try {
    const request = toRequest(incoming.method, target.path);
    const raw = { headers: incoming.headers, rawBody, hungUp, ...(isStreamed && { bodyStream: bodyStream(incoming) }) };
    if (request) return await handler(request, raw);
  } finally {
    rawBody.release();
  }
  throw new ApiError(
    "NOT_FOUND",
    `${incoming.method} ${excerpt(incoming.url ?? "")} is not an endpoint of this server.`,
  );
}

const NO_BODY: ReceivedBody = { size: 0, bytes: () => new Uint8Array(), release: () => {} };

/** The body as it arrives. Throws REQUEST_TIMEOUT if it does not arrive completely. */
async function* bodyStream(incoming: IncomingMessage): AsyncGenerator<Uint8Array, void> {
  const idle = setTimeout(() => incoming.destroy(), STALLED_MS);
  // A connection may break after its last piece was read.
  incoming.on("error", () => {});
  try {
    for await (const chunk of incoming) {
      idle.refresh();
      yield chunk;
    }
  } catch {
    throw new ApiError(
      "REQUEST_TIMEOUT",
      "The connection ended before the whole body had arrived: send the request again.",
    );
  } finally {
    clearTimeout(idle);
  }
}

/** Methods that a `Request` cannot have. They are replaced by OPTIONS, which no endpoint supports either. */
const UNSUPPORTED_METHODS: ReadonlySet<string> = new Set(["TRACE", "TRACK", "CONNECT"]);

/** Undefined for a request target that is not a path. */
function toRequest(method = "GET", path: string): Request | undefined {
  if (!path.startsWith("/")) return undefined;
  return new Request(`http://localhost${path}`, { method: UNSUPPORTED_METHODS.has(method) ? "OPTIONS" : method });
}

/** The path and query of a request target, and its host if it has absolute form (RFC 9112, section 3.2.2). */
function targetOf(target = ""): { readonly path: string; readonly host?: string } {
  const [, host, path = ""] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(target) ?? [];
  if (host === undefined) return { path: target };
  return { host, path: path.startsWith("/") ? path : `/${path}` };
}

async function write(response: Response, outgoing: ServerResponse): Promise<void> {
  const headers = Object.fromEntries(response.headers);
  if (!("transfer-encoding" in headers || "content-length" in headers)) {
    const body = new Uint8Array(await response.arrayBuffer());
    outgoing.writeHead(response.status, { ...headers, "Content-Length": body.length });
    outgoing.end(body);
    return;
  }
  outgoing.writeHead(response.status, headers);
  if (response.body) await writePieces(response.body.getReader(), outgoing);
  outgoing.end();
}

async function writePieces(pieces: ReadableStreamDefaultReader<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  // The source may be waiting for its next piece, and must stop because the client is gone.
  const cancel = (): void => void pieces.cancel().catch(() => {});
  outgoing.on("close", cancel);
  try {
    for (;;) {
      const { done, value } = await pieces.read();
      if (done) return;
      if (!outgoing.write(value)) await drained(outgoing);
      // Other requests are handled before the next piece is made.
      await setImmediate();
    }
  } finally {
    outgoing.off("close", cancel);
    cancel();
  }
}

/** Resolves when the client has read the written bytes; rejects if it disconnects, or reads nothing for too long. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error): void => {
      clearTimeout(timer);
      outgoing.off("drain", settle).off("close", hangUp);
      if (error) reject(error);
      else resolve();
    };
    const hangUp = (): void => settle(new Error("The client does not take the answer."));
    const timer = setTimeout(hangUp, STALLED_MS);
    outgoing.on("drain", settle).on("close", hangUp);
  });
}
