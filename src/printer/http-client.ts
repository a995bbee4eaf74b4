import { Buffer } from "node:buffer";
import { once } from "node:events";
import { open } from "node:fs/promises";
import {
  type Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
} from "node:http";
import { request as requestHttps } from "node:https";
import { excerpt } from "../core/api-error.ts";
import { fileError, withFileErrorsAsync } from "../core/file-error.ts";
import { parseJson } from "../core/json.ts";
import { CancelledError } from "../core/progress.ts";
import { trustedCertificates } from "../core/trusted-certificates.ts";
import { HttpFailure, type HttpFailureKind, MAX_HEADER_BYTES, brokenOff, toHttpFailure } from "./http-failure.ts";

/** Bytes of a file from `from` up to `to`, which are read while they are sent. */
export interface FileRange {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

export interface HttpCall {
  /** Has the scheme `http:`, or `https:`, for which the certificates of the system and of the runtime are trusted. */
  readonly url: URL;
  /** GET by default. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent in this order, with the Content-Length of all together. */
  readonly body?: readonly (Uint8Array | FileRange)[];
  readonly signal?: AbortSignal | undefined;
  readonly limits?: Partial<HttpLimits>;
  /** Whether a redirect, which is not followed in any case, is an answer like others. */
  readonly takesRedirects?: boolean;
  /**
   * For calls of `http:` that share one connection: it is kept where a call succeeds, and the owner of the agent destroys it. Without an
   * agent each call has its own connection.
   */
  readonly agent?: Agent | undefined;
  /** Called after each piece with the number of bytes of the body that were sent. An error that it throws ends the call. */
  onSent?(bytes: number): void;
}

export interface HttpLimits {
  /** Until the connection is open, including the look-up of the name. */
  readonly connectMs: number;
  /** Until the server accepts the next piece of the body. */
  readonly idleMs: number;
  /** From the end of the body, or the beginning of the reply, until the reply is complete. */
  readonly replyMs: number;
  readonly replyBytes: number;
}

/** PrusaSlicer waits 10 s for a connection; the other values are our choice. */
const LIMITS: HttpLimits = { connectMs: 10_000, idleMs: 20_000, replyMs: 20_000, replyBytes: 2 ** 20 };
/** Most interim replies before the final one, such as 100 Continue. */
const MAX_INTERIM_REPLIES = 8;
const MAX_JSON_DEPTH = 32;
/** Most bytes that are read from a file and sent at once. */
const PIECE_BYTES = 512 * 1024;
/** A body that is sent more slowly counts as stuck. Far below the rate of the worst radio link. */
const MIN_BYTES_PER_S = 4096;

export interface HttpReply {
  readonly status: number;
  /** The names are in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

/**
 * Makes one call of HTTP/1.1 and reads the complete reply, whatever its status. A redirect is not followed, since it could lead to a
 * machine that the user has not named: unless the call takes it as an answer, it throws like other unusable replies. Throws {@link HttpFailure}, OPERATION_FAILED where a file of
 * the body cannot be read, `CancelledError` when the signal is aborted, and what `onSent` throws; then the connection is closed.
 */
export async function httpCall(call: HttpCall): Promise<HttpReply> {
  if (call.signal?.aborted) throw new CancelledError();
  const limits = { ...LIMITS, ...call.limits };
  // Aborted, with the reason, by anything that ends the call early.
  const over = new AbortController();
  const fail = (reason: unknown): void => over.abort(reason);
  const cancel = (): void => fail(new CancelledError());
  call.signal?.addEventListener("abort", cancel);
  const request = openRequest(call);
  let isWhole = false;
  const deadline = newDeadline(call.url, fail, over.signal);
  deadline.set(limits.connectMs, "unreached", "is not reached");
  request.on("error", (error) => fail(toHttpFailure(error, call.url)));
  try {
    const failed = new Promise<never>((_, reject) => {
      over.signal.addEventListener("abort", () => reject(over.signal.reason as Error));
    });
    const reply = await Promise.race([failed, exchange(request, call, limits, deadline, over.signal)]);
    isWhole = true;
    return reply;
  } catch (thrown) {
    throw over.signal.aborted ? over.signal.reason : toHttpFailure(thrown, call.url);
  } finally {
    call.signal?.removeEventListener("abort", cancel);
    over.abort();
    if (!call.agent || !isWhole) request.destroy();
  }
}

interface Deadline {
  /** Lets the call fail after `ms`, unless this is called again or the call ends before. */
  set(ms: number, kind: HttpFailureKind, what: string): void;
}

function newDeadline(url: URL, fail: (reason: HttpFailure) => void, over: AbortSignal): Deadline {
  let timer: NodeJS.Timeout | undefined;
  over.addEventListener("abort", () => clearTimeout(timer));
  return {
    set(ms, kind, what) {
      if (over.aborted) return;
      clearTimeout(timer);
      const wayOut = "check that it is switched on and the network between";
      timer = setTimeout(() => fail(new HttpFailure(kind, url, `${what} within ${ms / 1000} s`, wayOut, true)), ms);
    },
  };
}

function openRequest({ url, method = "GET", headers, body = [], agent }: HttpCall): ClientRequest {
  const length = method === "GET" || method === "HEAD" ? {} : { "Content-Length": String(bytesOf(body)) };
  const options = {
    method,
    // Each call has its own connection: printers limit how many stay open, or close them after each reply anyway.
    agent: agent ?? false,
    maxHeaderSize: MAX_HEADER_BYTES,
    headers: { "Accept-Encoding": "identity", ...headers, ...length },
  };
  if (url.protocol === "http:") return requestHttp(url, options);
  return requestHttps(url, { ...options, ca: trustedCertificates() });
}

const bytesOf = (body: readonly (Uint8Array | FileRange)[]): number =>
  body.reduce((sum, part) => sum + (part instanceof Uint8Array ? part.length : part.to - part.from), 0);

async function exchange(
  request: ClientRequest,
  call: HttpCall,
  limits: HttpLimits,
  deadline: Deadline,
  over: AbortSignal,
): Promise<HttpReply> {
  let interim = 0;
  request.on("information", () => {
    if (++interim > MAX_INTERIM_REPLIES) request.destroy(new HttpFailure("unusable", call.url, "answers without end"));
  });
  const response = new Promise<IncomingMessage>((resolve) => request.once("response", resolve));
  await connected(request);
  const replying = (): void => deadline.set(limits.replyMs, "broken", "did not answer wholly");
  const sent = { bytes: 0 };
  const sending = sendBody(request, call, limits, deadline, over, sent).then(replying);
  // The server may answer with an error while the body is being sent: then the rest is not sent.
  sending.catch(() => {});
  await Promise.race([response, sending]);
  const reply = await response;
  replying();
  requireUsable(call, reply, sent.bytes === bytesOf(call.body ?? []));
  return { status: reply.statusCode!, headers: reply.headers, body: await readBody(reply, call.url, limits) };
}

async function connected(request: ClientRequest): Promise<void> {
  const socket = request.socket ?? (await once(request, "socket"))[0];
  if (socket.connecting) await once(socket, "connect");
}

/** Sends the body piece by piece, as fast as the server accepts them. */
async function sendBody(
  request: ClientRequest,
  { url, body = [], onSent }: HttpCall,
  { idleMs }: HttpLimits,
  deadline: Deadline,
  over: AbortSignal,
  sent: { bytes: number },
): Promise<void> {
  const started = performance.now();
  const idle = (): void => deadline.set(idleMs, "broken", "accepted no more of the body");
  idle();
  for (const part of body) {
    for await (const piece of piecesOf(part)) {
      over.throwIfAborted();
      // Counted before the write, since the server may answer the last piece before this code continues.
      sent.bytes += piece.length;
      if (!request.write(piece)) await once(request, "drain", { signal: over });
      idle();
      onSent?.(sent.bytes);
      if (performance.now() - started > idleMs + (sent.bytes / MIN_BYTES_PER_S) * 1000) {
        throw new HttpFailure(
          "broken",
          url,
          `takes less than ${MIN_BYTES_PER_S} bytes a second`,
          "check the network between",
        );
      }
    }
  }
  request.end();
}

/** Reads the body in pieces. Throws OPERATION_FAILED where the file cannot be read or has become shorter. */
async function* piecesOf(part: Uint8Array | FileRange): AsyncGenerator<Uint8Array> {
  if (part instanceof Uint8Array) return yield part;
  const { path, from, to } = part;
  const file = await withFileErrorsAsync("read", path, () => open(path));
  try {
    for (let at = from; at < to;) {
      const buffer = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, to - at));
      const { bytesRead } = await withFileErrorsAsync("read", path, () => file.read(buffer, 0, buffer.length, at));
      if (bytesRead === 0) throw fileError("read", path, "it became shorter while it was sent; send it again");
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Throws for a redirect that is not wanted, and for a success before the server has the whole body. */
function requireUsable(
  { url, takesRedirects = false }: HttpCall,
  { statusCode = 0, headers }: IncomingMessage,
  isSent: boolean,
): void {
  if (statusCode < 300 && !isSent) throw new HttpFailure("broken", url, "answered before it had all that was sent");
  if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined && !takesRedirects) {
    const place = JSON.stringify(excerpt(headers.location));
    throw new HttpFailure(
      "unusable",
      url,
      `redirects to ${place}, which is not followed`,
      "give the address of the printer itself",
    );
  }
}

async function readBody(reply: IncomingMessage, url: URL, { replyBytes }: HttpLimits): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of reply) {
    bytes += piece.length;
    if (bytes > replyBytes) throw new HttpFailure("unusable", url, `answers with more than ${replyBytes} bytes`);
    pieces.push(piece as Uint8Array);
  }
  if (!reply.complete) throw brokenOff(url);
  return Buffer.concat(pieces);
}

/** Parses the JSON of a reply. Throws {@link HttpFailure} where it is malformed or nests too deeply. */
export function jsonOf({ body }: HttpReply, url: URL): unknown {
  try {
    return parseJson(body, MAX_JSON_DEPTH);
  } catch {
    throw new HttpFailure("unusable", url, "sent an unexpected reply (not JSON)", "check its address and port");
  }
}
