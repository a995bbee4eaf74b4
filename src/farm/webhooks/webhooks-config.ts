import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import * as v from "valibot";
import { type ErrorFactory, inputError } from "../../core/api-error.ts";
import { withFileErrors } from "../../core/file-error.ts";
import { atPointer } from "../../core/match-schema.ts";
import { requirePrivateFile } from "../../core/require-private-file.ts";
import { typeFilter } from "../events/cloud-event.ts";
import { requireAllowedHost } from "./allowed-address.ts";
import { parseWebhookSecret } from "./sign-webhook.ts";
import type { WebhookEndpoint } from "./webhook-backlog.ts";

const text = v.pipe(v.string(), v.nonEmpty());

/** The field `webhooks` of the file of `printwright events`. */
export const webhooksSchema = v.array(
  v.strictObject({
    name: v.pipe(v.string(), v.regex(/^[\w-]{1,40}$/, "must have only letters, digits, - and _, at most 40")),
    url: text,
    secret_files: v.pipe(v.array(text), v.nonEmpty()),
    types: v.optional(v.array(text), []),
    allow_http: v.optional(v.boolean(), false),
    allow_private_addresses: v.optional(v.boolean(), false),
    ca_file: v.optional(text),
  }),
);

type Entry = v.InferOutput<typeof webhooksSchema>[number];

/** The endpoints of a file; paths in it are relative to its folder. Throws INPUT_ERROR, or OPERATION_FAILED for a file that cannot be read. */
export function webhookEndpoints(entries: readonly Entry[], file: string, refuse: ErrorFactory): WebhookEndpoint[] {
  const names = new Set<string>();
  return entries.map((entry, i) => {
    const at =
      (field: string): ErrorFactory =>
      (why) =>
        refuse(atPointer(["webhooks", i, field], why));
    if (names.has(entry.name)) throw at("name")("another webhook has the same name: give each its own");
    names.add(entry.name);
    const fromFolder = (path: string): string => resolve(dirname(file), path);
    return {
      name: entry.name,
      url: urlOf(entry, at("url")),
      secrets: entry.secret_files.map(fromFolder).flatMap(readSecrets),
      wants: typeFilter(entry.types, "INPUT_ERROR"),
      allowPrivate: entry.allow_private_addresses,
      certificates: entry.ca_file === undefined ? [] : [readText(fromFolder(entry.ca_file))],
    };
  });
}

function urlOf({ url: given, allow_http, allow_private_addresses }: Entry, refuse: ErrorFactory): URL {
  const url = URL.parse(given);
  if (url?.protocol !== "https:" && url?.protocol !== "http:") throw refuse("must be a URL that begins with https://");
  if (url.protocol === "http:" && !allow_http)
    throw refuse('anyone between can read what is sent to http://: use https://, or set "allow_http": true');
  if (url.username !== "" || url.password !== "")
    throw refuse("must have no user and no password: receivers know the sender by the signature");
  requireAllowedHost(url.hostname, allow_private_addresses);
  return url;
}

function readSecrets(path: string): Uint8Array[] {
  requirePrivateFile(path);
  const lines = readText(path)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  if (lines.length === 0) throw inputError(`${path} is empty: printwright events --new-secret FILE makes a secret.`);
  return lines.map((line) => parseWebhookSecret(line, path));
}

const readText = (path: string): string => withFileErrors("read", path, () => readFileSync(path, "utf8"));
