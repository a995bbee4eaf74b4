import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { excerpt } from "../../core/api-error.ts";
import { trustedCertificates } from "../../core/trusted-certificates.ts";
import { checkedLookup, requireAllowedHost } from "./allowed-address.ts";

/** How long a receiver may take (Standard Webhooks 1.0.0, "Timeouts": 15 to 30 s). */
const TIMEOUT_MS = 15_000;
/** Longest wait that a receiver can ask for. */
const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;
/** What is read of an answer, bytes. */
const MAX_ANSWER_BYTES = 200;

export interface WebhookAnswer {
  readonly status: number;
  /** For how long the receiver wants no request. */
  readonly retryAfterMs: number;
  /** The beginning of its text, for messages. */
  readonly text: string;
}

interface WebhookPost {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly allowPrivate: boolean;
  /** Certificates in PEM that are trusted, in addition to those of the system. */
  readonly certificates?: readonly string[];
}

/** Sends a webhook on a connection of its own, and follows no redirect. Rejects where no complete head of an answer comes within {@link TIMEOUT_MS}. */
export async function postWebhook(post: WebhookPost): Promise<WebhookAnswer> {
  const { url, headers, body, allowPrivate, certificates = [] } = post;
  requireAllowedHost(url.hostname, allowPrivate);
  const options = {
    method: "POST",
    agent: false as const,
    lookup: checkedLookup(allowPrivate),
    headers: { ...headers, "Content-Length": String(Buffer.byteLength(body)) },
  };
  const request =
    url.protocol === "http:"
      ? requestHttp(url, options)
      : requestHttps(url, { ...options, ca: [...trustedCertificates(), ...certificates] });
  const timeout = setTimeout(() => request.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)), TIMEOUT_MS);
  try {
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      request.on("response", resolve).on("error", reject).end(body);
    });
    const text = await beginningOf(reply);
    return { status: reply.statusCode ?? 0, retryAfterMs: retryAfterOf(reply.headers["retry-after"]), text };
  } finally {
    clearTimeout(timeout);
    request.destroy();
  }
}

async function beginningOf(reply: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of reply) {
      pieces.push(piece as Buffer);
      bytes += (piece as Buffer).length;
      if (bytes >= MAX_ANSWER_BYTES) break;
    }
  } catch {
    // The status has come, and counts.
  }
  return excerpt(Buffer.concat(pieces).subarray(0, MAX_ANSWER_BYTES).toString());
}

/** Seconds, or a date (RFC 9110, section 10.2.3); 0 for anything else. */
function retryAfterOf(text: string | undefined): number {
  if (text === undefined) return 0;
  const ms = /^\d+$/.test(text) ? 1000 * Number(text) : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS) : 0;
}
