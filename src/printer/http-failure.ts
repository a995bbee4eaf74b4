import { ApiError } from "../core/api-error.ts";

/** Most bytes of all headers of a reply: the limit of Node. */
export const MAX_HEADER_BYTES = 16 * 1024;

/**
 * Why there is no reply. `unreached`: no connection was made, so nothing was sent; `broken`: the connection ended early, so that it is
 * unknown what the server did; `unusable`: the reply is not HTTP, is too large, or is a redirect.
 */
export type HttpFailureKind = "unreached" | "broken" | "unusable";

export class HttpFailure extends ApiError {
  readonly kind: HttpFailureKind;
  /** What happened, without advice, for callers whose advice differs from that for printers. */
  readonly what: string;
  /** Whether a deadline ended the call: a server on a bad radio link may answer next time. */
  readonly isLate: boolean;

  constructor(kind: HttpFailureKind, { host }: URL, what: string, wayOut?: string, isLate = false) {
    super("OPERATION_FAILED", `${host} ${what}${wayOut === undefined ? "" : `: ${wayOut}`}`);
    this.name = "HttpFailure";
    this.kind = kind;
    this.what = `${host} ${what}`;
    this.isLate = isLate;
  }
}

const UNREACHABLE = ["is not reached", "check its address, that it is switched on, and the network between"] as const;
const NO_NAME = ["has a name that is not known in this network", "check it, or give the address instead"] as const;

/** Errors of the system before a connection is made, in plain words, each with what to do about it. */
const UNREACHED: Readonly<Record<string, readonly [what: string, wayOut: string]>> = {
  ECONNREFUSED: ["refuses connections", "check its address and port, and that it is switched on"],
  EHOSTUNREACH: UNREACHABLE,
  EHOSTDOWN: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ENETDOWN: UNREACHABLE,
  EADDRNOTAVAIL: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  ENOTFOUND: NO_NAME,
  EAI_AGAIN: NO_NAME,
};

/** Converts an error of the system or of `node:http`, which has a code; returns other errors unchanged. */
export function toHttpFailure(thrown: unknown, url: URL): unknown {
  if (!(thrown instanceof Error) || thrown instanceof ApiError || !("code" in thrown)) return thrown;
  const code = String(thrown.code);
  const unreached = UNREACHED[code];
  if (unreached !== undefined) return new HttpFailure("unreached", url, ...unreached);
  if (code === "HPE_HEADER_OVERFLOW")
    return new HttpFailure("unusable", url, `answers with more than ${MAX_HEADER_BYTES} bytes of headers`);
  if (code.startsWith("HPE_"))
    return new HttpFailure("unusable", url, "answers something else than HTTP", "check its address and port");
  if (/CERT|TLS|SSL|ISSUER|SIGNATURE/.test(code))
    return new HttpFailure(
      "unreached",
      url,
      `has no certificate that is trusted here (${code})`,
      "check its address, or install the certificate of its issuer",
    );
  return brokenOff(url);
}

export const brokenOff = (url: URL): HttpFailure =>
  new HttpFailure(
    "broken",
    url,
    "closed the connection in the middle",
    "check the network between, and that it stays switched on",
  );
