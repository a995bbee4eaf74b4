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
export function newSignedSender({ base, credentials, refusedAt, replyMs }: SignedSenderOptions): Sender {
  let demand: Demand = { kind: "nothing" };

  /** The proof that a refusal demands. Throws where that cannot be given. */
  function demandOf({ headers }: HttpReply): Demand {
    const header = headers["www-authenticate"];
    const challenge = parseChallenge(header);
    if (challenge) return { kind: "digest", challenge, used: 0 };
    if (demandsDigest(header)) throw unknownDigest(base);
    if (refusedAt.has(base.href)) throw keyRefused(base, "key");
    if (base.protocol !== "https:" && credentials?.plainKey !== true) throw keyInClear(base);
    return { kind: "key" };
  }

  function proof(method: string, uri: string): Record<string, string> {
    if (demand.kind === "nothing" || !credentials) return {};
    const { username = USERNAME, key } = credentials;
    if (!SENDABLE.test(username + key)) throw keyRefused(base, demand.kind);
    if (demand.kind === "key") return { "X-Api-Key": key };
    const { challenge, used } = demand;
    const count = used + 1;
    demand = { ...demand, used: count };
    return { Authorization: digestAuthorization(challenge, { username, password: key, method, uri, count }) };
  }

  function call({ path, headers, limits, ...rest }: MachineCall): Promise<HttpReply> {
    const url = new URL(path, base);
    return httpCall({
      ...rest,
      url,
      limits: { replyMs, connectMs: replyMs, ...limits },
      // Without this header, errors come as plain text.
      headers: { Accept: "application/json", ...headers, ...proof(rest.method ?? "GET", url.pathname + url.search) },
    });
  }

  return {
    base,
    async send(one) {
      let reply = await call(one);
      for (let redone = 0; reply.status === 401; redone++) {
        if (!credentials) throw keyWanted(base);
        if (demand.kind === "key") refusedAt.add(base.href);
        // A challenge expires after 30 s or 30 calls, and a parallel call may have changed the count.
        if (redone > 0 && (redone === 2 || !isStale(reply))) throw keyRefused(base, demand.kind);
        demand = demandOf(reply);
        reply = await call(one);
      }
      return reply;
    },
    async prepare(signal) {
      if (demand.kind !== "digest") return;
      const before = demand;
      demand = { kind: "nothing" };
      const reply = await call({ path: "/api/version", signal });
      demand = reply.status === 401 ? demandOf(reply) : before;
    },
  };
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
