import { Buffer } from "node:buffer";
import * as v from "valibot";
import { ApiError, operationFailed } from "../../core/api-error.ts";
import { isRecord } from "../../core/json.ts";
import { HttpFailure } from "../http-failure.ts";
import { type HttpCall, type HttpReply, httpCall, jsonOf } from "../http-client.ts";

// Requests of the maker's Web API. Source of paths, forms and replies: its OpenAPI document (Formlabs/formlabs-api-python, `web-api/`).

/** The root of all paths, below the base URL. */
const ROOT = "developer/v1/";
const LIMITS = { connectMs: 5000, replyMs: 10_000, replyBytes: 8 * 2 ** 20 };
const MAX_PAGES = 100;
/** The wait after a refusal for too many requests, where the service names none. */
const BUSY_MS = 60_000;
const LONGEST_BUSY_MS = 3_600_000;
const WAY_OUT = "check --account-url and this machine's connection to it, and try again later.";
/** The characters of a token that a header can have (RFC 6750, `b64token`, and those that services send beyond it). */
const TOKEN = /^[\x21-\x7e]{1,8192}$/;

/** The id and secret of an API client, a program that acts for an account. */
export interface ClientSecret {
  readonly id: string;
  readonly secret: string;
}

/** An access token and how long it is valid. */
export interface ServiceToken {
  readonly text: string;
  readonly lifeS: number;
}

/** Thrown for an answer that is no success. */
export class ServiceRefusal extends ApiError {
  readonly httpStatus: number;
  readonly retryAfterMs: number | undefined;

  constructor(httpStatus: number, why: string, retryAfterMs?: number) {
    super("OPERATION_FAILED", `The account service ${why}`);
    this.name = "ServiceRefusal";
    this.httpStatus = httpStatus;
    this.retryAfterMs = retryAfterMs;
  }
}

/** All entries of a list, which the service may have sent in pages. */
export interface ServiceList {
  readonly entries: readonly unknown[];
  readonly requests: number;
  /** The clock of the service, ms since 1970; the clock of this machine where the service sent none. */
  readonly serverMs: number;
}

/** All of its functions throw OPERATION_FAILED, without secrets, and `CancelledError` when the signal is aborted. */
export interface ServiceClient {
  requestToken(client: ClientSecret, signal: AbortSignal): Promise<ServiceToken>;
  revokeToken(token: string, client: ClientSecret, signal: AbortSignal): Promise<void>;
  list(path: "printers/" | "groups/", token: string, signal: AbortSignal): Promise<ServiceList>;
}

const tokenReply = v.object({
  access_token: v.pipe(v.string(), v.regex(TOKEN)),
  expires_in: v.fallback(v.pipe(v.number(), v.minValue(1)), 86_400),
});

/** `base` has the scheme `https:`, or `http:` for this machine. */
export function newServiceClient(base: URL): ServiceClient {
  const root = new URL(ROOT, base.href.endsWith("/") ? base : `${base.href}/`);

  async function post(path: string, form: Record<string, string>, signal: AbortSignal): Promise<HttpReply> {
    const url = new URL(path, root);
    const headers = { "Content-Type": "application/x-www-form-urlencoded", Accept: "application/json" };
    const body = [Buffer.from(new URLSearchParams(form).toString())];
    return callService({ url, method: "POST", headers, body, signal });
  }

  return {
    async requestToken({ id, secret }, signal) {
      const form = { grant_type: "client_credentials", client_id: id, client_secret: secret };
      const reply = await post("o/token/", form, signal);
      if (reply.status === 400 || reply.status === 401) {
        throw new ServiceRefusal(
          401,
          "refuses the credentials: the username must be the id of an API client and the password its secret, which the maker's dashboard gives out.",
        );
      }
      requireSuccess(reply);
      const parsed = v.safeParse(tokenReply, await ofService(() => jsonOf(reply, root)));
      if (!parsed.success)
        throw new ServiceRefusal(reply.status, "answers without an access token: check --account-url.");
      return { text: parsed.output.access_token, lifeS: parsed.output.expires_in };
    },
    async revokeToken(token, { id, secret }, signal) {
      requireSuccess(await post("o/revoke_token/", { token, client_id: id, client_secret: secret }, signal));
    },
    async list(path, token, signal) {
      if (!TOKEN.test(token)) throw new ServiceRefusal(401, "gives out no such access tokens: check it.");
      const headers = { Authorization: `Bearer ${token}`, Accept: "application/json" };
      const entries: unknown[] = [];
      let url: URL | undefined = new URL(path, root);
      let requests = 0;
      let serverMs = Date.now();
      while (url) {
        if (++requests > MAX_PAGES) throw operationFailed(`The account service lists more than ${MAX_PAGES} pages.`);
        const from: URL = url;
        const reply: HttpReply = await callService({ url, headers, signal });
        requireSuccess(reply);
        const page = pageOf(await ofService(() => jsonOf(reply, from)));
        entries.push(...page.entries);
        serverMs = Date.parse(reply.headers.date ?? "") || serverMs;
        url = nextOf(page.next, from);
      }
      return { entries, requests, serverMs };
    },
  };
}

/** As {@link httpCall}, but errors name the account service and what to do about it. */
const callService = (call: HttpCall): Promise<HttpReply> => ofService(() => httpCall({ ...call, limits: LIMITS }));

async function ofService<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw thrown instanceof HttpFailure ? operationFailed(`The account service: ${thrown.what}: ${WAY_OUT}`) : thrown;
  }
}

function requireSuccess({ status, headers }: HttpReply): void {
  if (status === 401 || status === 403) throw new ServiceRefusal(401, "does not take the access token: log in again.");
  if (status === 429) {
    const waitMs = retryAfterMs(headers["retry-after"]);
    throw new ServiceRefusal(429, `has had too many requests: try again in ${Math.ceil(waitMs / 1000)} s.`, waitMs);
  }
  if (status < 200 || status > 299)
    throw new ServiceRefusal(status, `answers with the status ${status}: try again later.`);
}

/** Parses the header `Retry-After` (RFC 9110), seconds or a date, and limits it to an hour. */
function retryAfterMs(header: string | undefined): number {
  if (header === undefined) return BUSY_MS;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? BUSY_MS : Math.min(LONGEST_BUSY_MS, Math.max(1000, ms));
}

/** The documentation of the service has two forms: a plain list, and `{count, next, results}`. */
function pageOf(value: unknown): { readonly entries: readonly unknown[]; readonly next: unknown } {
  if (Array.isArray(value)) return { entries: value, next: undefined };
  if (isRecord(value) && Array.isArray(value.results)) return { entries: value.results, next: value.next };
  throw operationFailed("The account service answers something else than a list: check --account-url.");
}

/** The URL of the next page. Throws for another server, since the token must not be sent there. */
function nextOf(next: unknown, from: URL): URL | undefined {
  if (typeof next !== "string" || next === "") return undefined;
  const url = URL.parse(next, from);
  if (url?.origin === from.origin) return url;
  throw operationFailed("The account service leads to another server for more, which is not followed.");
}
