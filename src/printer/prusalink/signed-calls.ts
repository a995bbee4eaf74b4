import { ApiError } from "../../core/api-error.ts";
import { type HttpReply, httpCall } from "../http-client.ts";
import type { KnownPrinter } from "../known-printers.ts";
import type { MachineCall, Sender } from "../polled/machine-calls.ts";
import { type DigestChallenge, demandsDigest, digestAuthorization, parseChallenge } from "./digest.ts";

/** The user name of the SL1's own interface (source: its firmware). */
const USERNAME = "maker";

/** Characters that headers can have; the menu of the machine offers no others. */
const SENDABLE = /^[\x20-\x7e]*$/;

/**
 * The proof that a machine demands: digests of a challenge, which are counted, or the key itself, where its user has switched digests off.
 */
type Demand =
  | { readonly kind: "nothing" }
  | { readonly kind: "key" }
  | { readonly kind: "digest"; readonly challenge: DigestChallenge; readonly used: number };

interface SignedSenderOptions {
  readonly base: URL;
  readonly credentials: KnownPrinter["credentials"];
  /** Addresses of the machines that have refused the key itself: it is not sent there again. */
  readonly refusedAt: Set<string>;
  readonly replyMs: number;
}

/**
 * Makes calls to one machine, with a proof that the key is known where the machine demands one. They throw OPERATION_FAILED where there is
 * no key, where the machine refuses it, and where it demands the key in clear.
 */
export class SignedSender implements Sender {
  readonly base: URL;
  readonly #options: SignedSenderOptions;
  #demand: Demand = { kind: "nothing" };

  constructor(options: SignedSenderOptions) {
    this.base = options.base;
    this.#options = options;
  }

  async send(call: MachineCall): Promise<HttpReply> {
    let reply = await this.#call(call);
    for (let repeats = 0; reply.status === 401; repeats++) {
      if (!this.#options.credentials) throw keyWanted(this.base);
      if (this.#demand.kind === "key") this.#options.refusedAt.add(this.base.href);
      // A challenge expires after 30 s or 30 calls, and a parallel call may have changed the count.
      if (repeats > 0 && (repeats === 2 || !isStale(reply))) throw keyRefused(this.base, this.#demand.kind);
      this.#demand = this.#demandOf(reply);
      reply = await this.#call(call);
    }
    return reply;
  }

  async prepare(signal?: AbortSignal): Promise<void> {
    if (this.#demand.kind !== "digest") return;
    const before = this.#demand;
    this.#demand = { kind: "nothing" };
    const reply = await this.#call({ path: "/api/version", signal });
    this.#demand = reply.status === 401 ? this.#demandOf(reply) : before;
  }

  #call({ path, headers, limits, ...rest }: MachineCall): Promise<HttpReply> {
    const { replyMs } = this.#options;
    const url = new URL(path, this.base);
    const proof = this.#proof(rest.method ?? "GET", url.pathname + url.search);
    return httpCall({
      ...rest,
      url,
      limits: { replyMs, connectMs: replyMs, ...limits },
      // Without the header `Accept`, errors come as plain text.
      headers: { Accept: "application/json", ...headers, ...proof },
    });
  }

  /** The proof that a refusal demands. Throws where that cannot be given. */
  #demandOf({ headers }: HttpReply): Demand {
    const { base } = this;
    const { credentials, refusedAt } = this.#options;
    const header = headers["www-authenticate"];
    const challenge = parseChallenge(header);
    if (challenge) return { kind: "digest", challenge, used: 0 };
    if (demandsDigest(header)) throw unknownDigest(base);
    if (refusedAt.has(base.href)) throw keyRefused(base, "key");
    if (base.protocol !== "https:" && credentials?.plainKey !== true) throw keyInClear(base);
    return { kind: "key" };
  }

  /** The headers that prove that the key is known. */
  #proof(method: string, uri: string): Record<string, string> {
    const { credentials } = this.#options;
    const demand = this.#demand;
    if (demand.kind === "nothing" || !credentials) return {};
    const { username = USERNAME, key } = credentials;
    if (!SENDABLE.test(username + key)) throw keyRefused(this.base, demand.kind);
    if (demand.kind === "key") return { "X-Api-Key": key };
    const count = demand.used + 1;
    this.#demand = { ...demand, used: count };
    return { Authorization: digestAuthorization(demand.challenge, { username, password: key, method, uri, count }) };
  }
}

const isStale = ({ headers }: HttpReply): boolean => /stale="?true/i.test(headers["www-authenticate"] ?? "");

/** Thrown where the key of a machine is missing, refused or would be sent in clear. */
export class KeyProblem extends ApiError {
  /** The problem, for display. */
  readonly state: string;

  constructor(state: string, message: string) {
    super("OPERATION_FAILED", message);
    this.name = "KeyProblem";
    this.state = state;
  }
}

const keyWanted = ({ host }: URL): KeyProblem =>
  new KeyProblem(
    "Wants its API key",
    `${host} wants its API key: put it, as the printer's menu shows it, into the printers file (--printers)`,
  );

const keyInClear = ({ host }: URL): KeyProblem =>
  new KeyProblem(
    "Wants its API key in clear",
    `${host} wants its API key in clear, which everybody in the network can read then: switch digests on in the printer's menu, or allow it with "plain_key": true beside api_key in the printers file`,
  );

const unknownDigest = ({ host }: URL): KeyProblem =>
  new KeyProblem(
    "Wants an unknown digest",
    `${host} wants a digest of its API key that is neither MD5 nor SHA-256: update its firmware`,
  );

const keyRefused = ({ host }: URL, kind: Demand["kind"]): KeyProblem =>
  new KeyProblem(
    "Refuses its API key",
    `${host} refuses the ${kind === "digest" ? "user name or " : ""}API key of the printers file: compare it with the one in the printer's menu, and start the server again once it is right`,
  );
