import { createHash, randomBytes } from "node:crypto";

/** What a server demands of those who prove that they know a password (RFC 7616 with MD5, which is all that these printers have). */
export interface DigestChallenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque?: string | undefined;
  /** Whether requests are counted (`qop=auth`), as they are by all but very old servers. */
  readonly counts: boolean;
}

/** Name and value of a parameter; the value may be quoted. No two parts match the same characters. */
const PARAMETER = /([a-z]+) *= *(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/gi;

/** A challenge has some hundred characters. */
const MAX_HEADER = 2048;

/** The challenge in a header `WWW-Authenticate`; undefined where it is of another kind. */
export function parseChallenge(header: string | undefined): DigestChallenge | undefined {
  const [, text] = /(?:^|, *)digest +(.*)$/i.exec((header ?? "").slice(0, MAX_HEADER)) ?? [];
  if (text === undefined) return undefined;
  const pairs = [...text.matchAll(PARAMETER)].map(
    ([, name, quoted, plain]) => [name.toLowerCase(), quoted?.replace(/\\(.)/g, "$1") ?? plain] as const,
  );
  // Of a parameter that is there twice the first one counts: the second is of another challenge in the same header.
  const parameters = new Map(pairs.toReversed());
  const [realm, nonce] = [parameters.get("realm"), parameters.get("nonce")];
  const algorithm = parameters.get("algorithm") ?? "MD5";
  if (realm === undefined || nonce === undefined || algorithm.toUpperCase() !== "MD5") return undefined;
  const counts = (parameters.get("qop") ?? "").split(",").some((one) => one.trim() === "auth");
  return { realm, nonce, opaque: parameters.get("opaque"), counts };
}

interface Signed {
  readonly username: string;
  readonly password: string;
  readonly method: string;
  /** The path with its query, as it is sent. */
  readonly uri: string;
  /** How many requests were sent with this nonce, this one included. */
  readonly count: number;
  readonly clientNonce?: string;
}

/** The header `Authorization` of a request. */
export function digestAuthorization(
  { realm, nonce, opaque, counts }: DigestChallenge,
  { username, password, method, uri, count, clientNonce = randomBytes(8).toString("hex") }: Signed,
): string {
  const secret = md5(`${username}:${realm}:${password}`);
  const action = md5(`${method}:${uri}`);
  const nc = count.toString(16).padStart(8, "0");
  const response = counts
    ? md5(`${secret}:${nonce}:${nc}:${clientNonce}:auth:${action}`)
    : md5(`${secret}:${nonce}:${action}`);
  const parts = [
    `username=${quoted(username)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(uri)}`,
    `response="${response}"`,
    "algorithm=MD5",
    ...(counts ? ["qop=auth", `nc=${nc}`, `cnonce="${clientNonce}"`] : []),
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
  ];
  return `Digest ${parts.join(", ")}`;
}

const md5 = (text: string): string => createHash("md5").update(text).digest("hex");

const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;
