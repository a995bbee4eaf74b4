import { createHash, randomBytes } from "node:crypto";

/** The challenge of a server to clients, which must prove that they know a password (RFC 7616). */
export interface DigestChallenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque?: string | undefined;
  /** Whether requests are counted (`qop=auth`); all but very old servers count them. */
  readonly counts: boolean;
  /** Absent for MD5, the only one that these printers have. */
  readonly algorithm?: "SHA-256";
}

/** Name and value of a parameter; the value may be quoted. No two groups match the same characters, so that matching takes linear time. */
const PARAMETER = /([a-z]+) *= *(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/gi;

/** Most characters that are read. A challenge has a few hundred. */
const MAX_HEADER = 2048;

/** The beginning of a challenge: its scheme and a space, then a parameter. */
const SCHEME = /(?:^|, *)([a-z][\w-]*) +(?=[a-z]+ *=)/gi;

/**
 * The texts of the parameters of all digest challenges in a header `WWW-Authenticate`, which may contain several challenges of several
 * schemes.
 */
function digestTexts(header: string | undefined): string[] {
  const text = (header ?? "").slice(0, MAX_HEADER);
  // Quoted text may look like a challenge, so it is masked.
  const plain = text.replace(/"(?:[^"\\]|\\.)*"/g, (quoted) => `"${"_".repeat(quoted.length - 2)}"`);
  const begins = [...plain.matchAll(SCHEME)];
  return begins.flatMap((begin, i) =>
    begin[1]?.toLowerCase() === "digest" ? [text.slice(begin.index + begin[0].length, begins[i + 1]?.index)] : [],
  );
}

/** Whether a header demands a digest, of any algorithm. */
export const demandsDigest = (header: string | undefined): boolean => digestTexts(header).length > 0;

/** The strongest supported digest challenge in a header `WWW-Authenticate`; undefined where there is none. */
export function parseChallenge(header: string | undefined): DigestChallenge | undefined {
  const challenges = digestTexts(header).flatMap((text) => parseDigest(text) ?? []);
  return challenges.find(({ algorithm }) => algorithm === "SHA-256") ?? challenges[0];
}

function parseDigest(text: string): DigestChallenge | undefined {
  const pairs = [...text.matchAll(PARAMETER)].map(
    ([, name = "", quoted, plain]) => [name.toLowerCase(), quoted?.replace(/\\(.)/g, "$1") ?? plain] as const,
  );
  // Where a parameter occurs twice, the first one counts.
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
  /** The path with its query, as sent. */
  readonly uri: string;
  /** Number of requests with this nonce, including this one. */
  readonly count: number;
  readonly clientNonce?: string;
}

/** The value of the header `Authorization` of a request. */
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
