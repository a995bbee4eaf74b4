import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import * as v from "valibot";
import { ApiError, type ErrorFactory, inputError } from "../core/api-error.ts";
import { withFileErrors } from "../core/file-error.ts";
import { parseId } from "../core/id.ts";
import { must } from "../core/must.ts";
import { parseJson } from "../core/json.ts";
import { atPointer, matchSchema } from "../core/match-schema.ts";
import { readWholeFile } from "../core/read-file.ts";
import { requirePrivateFile } from "../core/require-private-file.ts";
import type { LocalAccount } from "./account/local-accounts.ts";
import { parsePasswordHash } from "./account/password-hash.ts";
import { type KnownPrinter, firstDuplicate, parsePrinterUrl, requireKnownType } from "./known-printers.ts";
import { requireFittingType } from "./printer-protocols.ts";

/** A queue of printers, which are given by their names. */
export interface QueueConfig {
  /** UUID. */
  readonly id: string;
  /** UUID. */
  readonly groupId: string;
  readonly name: string;
  readonly printers: readonly string[];
  /** Whether its printers are those of maker's servers, whose jobs are models. */
  readonly takesModels?: boolean;
  /** Whether it holds all of its jobs. */
  readonly paused: boolean;
  /** "automatic": held prints start without a person, since something clears the platforms. Otherwise a person releases each. */
  readonly starts?: (typeof STARTS)[number] | undefined;
}

const STARTS = ["automatic", "released"] as const;

/** The content of the file of `--printers`. */
export interface PrintersFile {
  readonly printers: readonly KnownPrinter[];
  readonly queues: readonly QueueConfig[];
  readonly accounts: readonly LocalAccount[];
}

const text = v.pipe(v.string(), v.nonEmpty());
const uuid = v.pipe(
  v.string(),
  v.check((id) => parseId(id) !== undefined, "must be a UUID"),
  v.transform((id) => parseId(id)!),
);
/** A text that messages must not repeat, since it may be a secret. */
const secret = v.pipe(v.string("must be a text"), v.nonEmpty("must not be empty"));
const HASH_HINT = "must be a hash that `printwright --hash-password` printed";

const printersFile = v.strictObject({
  printers: v.optional(
    v.array(
      v.strictObject({
        url: v.string("must be a text"),
        name: v.optional(text),
        machine_type: v.optional(text),
        username: v.optional(text),
        api_key: v.optional(secret),
        plain_key: v.optional(v.boolean(), false),
        profile: v.optional(v.union([text, v.pipe(v.number(), v.integer())])),
        shared_folder: v.optional(v.pipe(text, v.check(isAbsolute, "must be an absolute path"))),
        shared_folder_there: v.optional(text),
        printers: v.optional(v.array(text)),
      }),
    ),
    [],
  ),
  queues: v.optional(
    v.array(
      v.strictObject({
        id: uuid,
        group_id: v.optional(uuid),
        name: text,
        printers: v.pipe(v.array(v.string()), v.nonEmpty()),
        paused: v.optional(v.boolean(), false),
        starts: v.optional(v.picklist(STARTS)),
      }),
    ),
    [],
  ),
  accounts: v.optional(
    v.array(
      v.strictObject({
        username: text,
        password_hash: v.pipe(
          v.string(HASH_HINT),
          v.check((hash) => parsePasswordHash(hash) !== undefined, HASH_HINT),
        ),
        id: v.optional(v.pipe(v.number(), v.integer())),
        email: v.optional(v.string()),
        first_name: v.optional(v.string()),
        last_name: v.optional(v.string()),
      }),
    ),
    [],
  ),
});

type Content = v.InferOutput<typeof printersFile>;

const MAX_BYTES = 16 * 2 ** 20;
const MAX_DEPTH = 8;

/**
 * Reads the file of `--printers`. `otherNames` are the names of printers that the command line adds, which queues may name as well; `given`
 * are the printers that it gives by their URLs. Throws INPUT_ERROR or OPERATION_FAILED, with the field as a JSON pointer. Refuses a file
 * with secrets that other users may read.
 */
export function readPrintersFile(
  path: string,
  otherNames: readonly string[],
  given: readonly KnownPrinter[] = [],
): PrintersFile {
  const refuse: ErrorFactory = (why) => inputError(`--printers: ${JSON.stringify(path)}: ${why}`);
  const stats = withFileErrors("read", path, () => statSync(path));
  if (stats.isDirectory()) throw refuse("it is a folder: give the path of the file");
  requirePrivateFile(path, refuse);
  const bytes = readWholeFile(path, MAX_BYTES);
  const content = matchSchema(printersFile, parse(bytes, refuse), refuse);
  const at =
    (...place: (string | number)[]): ErrorFactory =>
    (why) =>
      refuse(atPointer(place, why));
  requireUniqueNames(content, otherNames, at);
  const printers = content.printers.map((printer, i) => toKnownPrinter(printer, (key) => at("printers", i, key)));
  const twice = firstDuplicate([...given, ...printers]);
  if (twice !== undefined) {
    throw at(
      "printers",
      twice - given.length,
      "url",
    )("another entry, or --printer, has the same URL: give each printer once");
  }
  return {
    printers,
    queues: content.queues.map(({ id, group_id, ...queue }, i) => {
      const takesModels = doesTakeModels(queue.printers, content, (k) => at("queues", i, "printers", k));
      return { ...queue, id, groupId: group_id ?? id, ...(takesModels && { takesModels }) };
    }),
    accounts: content.accounts.map(({ password_hash, ...user }) => ({ user, hash: parsePasswordHash(password_hash)! })),
  };
}

/** The parser's own messages would repeat the text, which may have secrets. */
function parse(bytes: Uint8Array, refuse: ErrorFactory): unknown {
  try {
    return parseJson(bytes, MAX_DEPTH);
  } catch (thrown) {
    if (thrown instanceof RangeError) throw refuse(thrown.message);
    throw refuse("it is not JSON in UTF-8: look for a missing comma, quote or bracket");
  }
}

type ErrorsAt = (...place: (string | number)[]) => ErrorFactory;

function requireUniqueNames(
  { printers, queues, accounts }: Content,
  otherNames: readonly string[],
  at: ErrorsAt,
): void {
  requireUnique(printers, "name", otherNames, (i) => at("printers", i, "name"));
  const given = [...otherNames, ...printers.flatMap(({ name }) => name ?? [])];
  const listed = listedPrinters(printers);
  requireUnique(listed, "name", given, (i) => at("printers", must(listed[i], "A listed printer").entry, "printers"));
  requireUnique(accounts, "username", [], (i) => at("accounts", i, "username"));
  requireUnique(queues, "id", [], (i) => at("queues", i, "id"));
  const all = [...given, ...listed.map(({ name }) => name)];
  const names = new Set<string | undefined>(all);
  requireUnique(queues, "name", all, (i) => at("queues", i, "name"));
  for (const [i, queue] of queues.entries()) {
    const unknown = queue.printers.findIndex((name, k) => !names.has(name) || queue.printers.indexOf(name) < k);
    if (unknown < 0) continue;
    const name = JSON.stringify(queue.printers[unknown]);
    const isTwice = names.has(queue.printers[unknown]);
    const why = isTwice ? `${name} is listed twice` : `no printer has the name ${name}`;
    throw at("queues", i, "printers", unknown)(`${why}: give names of /printers or of virtual printers, each once`);
  }
}

/** The names of printers that maker's servers list, with the indices of their entries. */
const listedPrinters = (printers: Content["printers"]) =>
  printers.flatMap((entry, i) => (entry.printers ?? []).map((name) => ({ name, entry: i })));

/** Whether the jobs of a queue are models. Throws where those of its printers differ, since it holds each job as one file. */
function doesTakeModels(
  names: readonly string[],
  { printers }: Content,
  errorAt: (index: number) => ErrorFactory,
): boolean {
  const listed = new Set(listedPrinters(printers).map(({ name }) => name));
  const [first = ""] = names;
  const other = names.findIndex((name) => listed.has(name) !== listed.has(first));
  if (other < 0) return listed.has(first);
  throw errorAt(other)(
    `${JSON.stringify(names[other])} and ${JSON.stringify(first)} take different kinds of jobs, since one is a printer of a maker's ` +
      "server: make a queue for each kind",
  );
}

function requireUnique<Key extends string>(
  entries: readonly { readonly [K in Key]?: string | undefined }[],
  key: Key,
  taken: readonly string[],
  errorAt: (index: number) => ErrorFactory,
): void {
  const seen = new Set(taken);
  for (const [i, { [key]: value }] of entries.entries()) {
    if (value !== undefined && seen.has(value)) throw errorAt(i)(`${JSON.stringify(value)} is taken already`);
    if (value !== undefined) seen.add(value);
  }
}

function toKnownPrinter(entry: Content["printers"][number], at: (key: string) => ErrorFactory): KnownPrinter {
  const { url, name, machine_type, username, api_key, plain_key, profile } = entry;
  if (plain_key && api_key === undefined) throw at("api_key")("is required together with plain_key");
  if (username !== undefined && api_key === undefined) throw at("api_key")("is required together with username");
  const given = withPlace(at("url"), () => parsePrinterUrl(url));
  const { protocol } = given;
  requireFieldsOf(protocol, entry, at);
  const known: KnownPrinter = {
    ...given,
    name,
    machineType:
      machine_type === undefined ? given.machineType : requireFittingType(protocol, machine_type, at("machine_type")),
    ...(profile !== undefined && { profile: String(profile) }),
    ...sharedWithServer(entry),
    credentials: api_key === undefined ? undefined : { username, key: api_key, ...(plain_key && { plainKey: true }) },
  };
  requireUsableKey(known, at("api_key"));
  requireKnownType(known, at("machine_type"));
  if (profile !== undefined && protocol !== "nanodlp")
    throw at("profile")(`printers of ${protocol}:// have no profiles`);
  return known;
}

/** The protocols that take a key. */
const KEYED: ReadonlySet<KnownPrinter["protocol"]> = new Set(["prusalink", "nanodlp"]);

/** Throws for a key that the printer does not take, or that would be sent in clear without permission. */
function requireUsableKey({ protocol, credentials, isSecure }: KnownPrinter, toError: ErrorFactory): void {
  if (!credentials) return;
  if (!KEYED.has(protocol)) throw toError(`printers of ${protocol}:// take no key`);
  // A printer of PrusaLink is asked first whether it takes a digest of the key.
  if (protocol !== "nanodlp" || isSecure || credentials.plainKey) return;
  throw toError(
    'everybody in the network could read it: give the URL as nanodlp+https://HOST, or allow it with "plain_key": true beside api_key',
  );
}

const SERVER_FIELDS = ["shared_folder", "shared_folder_there", "printers"] as const;
const MACHINE_FIELDS = ["name", "machine_type"] as const;

/** Throws where an entry for a server of a maker has fields for a printer, or the reverse. */
function requireFieldsOf(
  protocol: KnownPrinter["protocol"],
  entry: Content["printers"][number],
  at: (key: string) => ErrorFactory,
): void {
  const isServer = protocol === "preform";
  const wrong = (isServer ? MACHINE_FIELDS : SERVER_FIELDS).find((key) => entry[key] !== undefined);
  if (wrong !== undefined)
    throw at(wrong)(
      isServer
        ? "a server of preform:// reports its printers with their names and types: name those of queues in printers"
        : "only servers of preform:// have it",
    );
  if (entry.shared_folder_there !== undefined && entry.shared_folder === undefined)
    throw at("shared_folder")("is required together with shared_folder_there");
}

const sharedWithServer = ({ shared_folder, shared_folder_there, printers }: Content["printers"][number]) => ({
  ...(shared_folder !== undefined && { sharedFolder: shared_folder }),
  ...(shared_folder_there !== undefined && { sharedFolderThere: shared_folder_there }),
  ...(printers && { printers }),
});

function withPlace<T>(toError: ErrorFactory, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw thrown instanceof ApiError ? toError(thrown.message) : thrown;
  }
}
