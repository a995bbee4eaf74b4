import process from "node:process";
import * as v from "valibot";
import { type ErrorFactory, excerpt, inputError } from "../../core/api-error.ts";
import { parseJson } from "../../core/json.ts";
import { matchSchema } from "../../core/match-schema.ts";
import { readWholeFile } from "../../core/read-file.ts";
import { requirePrivateFile } from "../../core/require-private-file.ts";
import { isLoopback } from "../../http/origin.ts";

/** Where a service with the interface of S3 is, and the keys for it. */
export interface S3Access {
  /** Without the bucket, which is the first part of each path. */
  readonly endpoint: URL;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

const FILE_VARIABLE = "PRINTWRIGHT_S3_FILE";

/** The same fields as the variables of AWS programs. */
const FIELDS = {
  access_key_id: ["AWS_ACCESS_KEY_ID"],
  secret_access_key: ["AWS_SECRET_ACCESS_KEY"],
  session_token: ["AWS_SESSION_TOKEN"],
  region: ["AWS_REGION", "AWS_DEFAULT_REGION"],
  endpoint: ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"],
} as const;

const FILE = v.strictObject({
  access_key_id: v.string(),
  secret_access_key: v.string(),
  session_token: v.optional(v.string()),
  region: v.optional(v.string()),
  endpoint: v.optional(v.string()),
});

/** AWS itself has no region of this name; its programs use this one by default. */
const DEFAULT_REGION = "us-east-1";
const MAX_FILE_BYTES = 65_536;

/**
 * Reads the access to S3 from the file of PRINTWRIGHT_S3_FILE, or from the variables of AWS programs. Never from the command line, which
 * other users of the machine can see.
 */
export function readS3Access(env: Readonly<Record<string, string | undefined>> = process.env): S3Access {
  const file = env[FILE_VARIABLE];
  const given = file === undefined ? fromVariables(env) : fromFile(file);
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey, session_token: sessionToken } = given;
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw inputError(
      `A store in S3 needs keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a file with them in ${FILE_VARIABLE}`,
    );
  }
  const region = given.region ?? DEFAULT_REGION;
  const endpoint = readEndpoint(given.endpoint ?? `https://s3.${region}.amazonaws.com`);
  return { endpoint, region, accessKeyId, secretAccessKey, sessionToken };
}

function fromVariables(env: Readonly<Record<string, string | undefined>>): Partial<v.InferOutput<typeof FILE>> {
  const values = Object.entries(FIELDS).flatMap(([field, names]) => {
    const value = names.map((name) => env[name]).find((text) => text !== undefined && text !== "");
    return value === undefined ? [] : [[field, value]];
  });
  return Object.fromEntries(values);
}

function fromFile(file: string): v.InferOutput<typeof FILE> {
  const wrong: ErrorFactory = (why) => inputError(`"${excerpt(file)}" of ${FILE_VARIABLE}: ${why}`);
  requirePrivateFile(file, wrong);
  let value: unknown;
  try {
    value = parseJson(readWholeFile(file, MAX_FILE_BYTES), 2);
  } catch (thrown) {
    // Messages of parsers repeat what they read, which may be a secret.
    throw thrown instanceof SyntaxError ? wrong("it is not JSON") : thrown;
  }
  return matchSchema(FILE, value, wrong);
}

function readEndpoint(text: string): URL {
  const url = URL.parse(text);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (!url || !isSafe || url.username !== "" || url.search !== "" || url.hash !== "")
    throw inputError("the endpoint of S3 must be the https:// address of a service, without a name or a query");
  return url;
}
