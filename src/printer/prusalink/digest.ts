import { createHash, randomBytes } from "node:crypto";

/** What a server demands of those who prove that they know a password (RFC 7616). */
export interface DigestChallenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque?: string | undefined;
  /** Whether requests are counted (`qop=auth`), as they are by all but very old servers. */
  readonly counts: boolean;
  /** Absent for MD5, which is all that these printers have. */
  readonly algorithm?: "SHA-256";
}

/** Name and value of a parameter; the value may be quoted. No two parts match the same characters. */
const PARAMETER = /([a-z]+) *= *(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/gi;

/** A challenge has some hundred characters. */
const MAX_HEADER = 2048;

/** The begin of a challenge: its scheme and a space, then a parameter. */
const SCHEME = /(?:^|, *)([a-z][\w-]*) +(?=[a-z]+ *=)/gi;

/** The challenges of digests in a header `WWW-Authenticate`, as the texts of their parameters: a header may hold several, and others. */
function digestTexts(header: string | undefined): string[] {
  const text = (header ?? "").slice(0, MAX_HEADER);
  // What is quoted may look like a challenge.
  const plain = text.replace(/"(?:[^"\\]|\\.)*"/g, (quoted) => `"${"_".repeat(quoted.length - 2)}"`);
  const begins = [...plain.matchAll(SCHEME)];
  return begins.flatMap((begin, i) =>
    begin[1].toLowerCase() === "digest" ? [text.slice(begin.index + begin[0].length, begins[i + 1]?.index)] : [],
  );
}

/** Whether a header demands a digest, of whatever algorithm. */
export const demandsDigest = (header: string | undefined): boolean => digestTexts(header).length > 0;

/** The strongest challenge in a header `WWW-Authenticate` that can be answered; undefined where there is none. */
export function parseChallenge(header: string | undefined): DigestChallenge | undefined {
  const challenges = digestTexts(header).flatMap((text) => parseDigest(text) ?? []);
  return challenges.find(({ algorithm }) => algorithm === "SHA-256") ?? challenges[0];
}

function parseDigest(text: string): DigestChallenge | undefined {
  const pairs = [...text.matchAll(PARAMETER)].map(
    ([, name, quoted, plain]) => [name.toLowerCase(), quoted?.replace(/\\(.)/g, "$1") ?? plain] as const,
  );
  // Of a parameter that is there twice the first one counts.
  const parameters = new Map(pairs.toReversed());
  const [realm, nonce] = [parameters.get("realm"), parameters.get("nonce")];
  const algorithm = (parameters.get("algorithm") ?? "MD5").toUpperCase();
  if (realm === undefined || nonce === undefined || !["MD5", "SHA-256"].includes(algorithm)) return undefined;
  const counts = (parameters.get("qop") ?? "").split(",").some((one) => one.trim() === "auth");
  const opaque = parameters.get("opaque");
  return { realm, nonce, opaque, counts, ...(algorithm === "SHA-256" && { algorithm }) };
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
  { realm, nonce, opaque, counts, algorithm }: DigestChallenge,
  { username, password, method, uri, count, clientNonce = randomBytes(8).toString("hex") }: Signed,
): string {
  const hash = (text: string): string =>
    createHash(algorithm === undefined ? "md5" : "sha256")
      .update(text)
      .digest("hex");
  const secret = hash(`${username}:${realm}:${password}`);
  const action = hash(`${method}:${uri}`);
  const nc = count.toString(16).padStart(8, "0");
  const response = counts
    ? hash(`${secret}:${nonce}:${nc}:${clientNonce}:auth:${action}`)
    : hash(`${secret}:${nonce}:${action}`);
  const parts = [
    `username=${quoted(username)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(uri)}`,
    `response="${response}"`,
    `algorithm=${algorithm ?? "MD5"}`,
    ...(counts ? ["qop=auth", `nc=${nc}`, `cnonce="${clientNonce}"`] : []),
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
  ];
  return `Digest ${parts.join(", ")}`;
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;
