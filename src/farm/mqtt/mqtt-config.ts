import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import * as v from "valibot";
import { type ErrorFactory, inputError } from "../../core/api-error.ts";
import { withFileErrors } from "../../core/file-error.ts";
import { atPointer } from "../../core/match-schema.ts";
import { requirePrivateFile } from "../../core/require-private-file.ts";
import { typeFilter } from "../events/cloud-event.ts";

const text = v.pipe(v.string(), v.nonEmpty());

/** The field `mqtt` of the file of `printwright events`. */
export const mqttSchema = v.strictObject({
  url: text,
  shop: v.optional(
    v.pipe(v.string(), v.regex(/^[\w-]{1,40}$/, "must have only letters, digits, - and _, at most 40")),
    "shop",
  ),
  credentials_file: v.optional(text),
  ca_file: v.optional(text),
  types: v.optional(v.array(text), []),
  home_assistant: v.optional(v.boolean(), true),
});

/** A broker, and what is published there. */
export interface MqttConfig {
  readonly host: string;
  readonly port: number;
  readonly protocol: "mqtt" | "mqtts";
  /** Part of the topics, and of the ids in Home Assistant. */
  readonly shop: string;
  readonly username?: string;
  readonly password?: string;
  readonly ca?: string;
  readonly wants: (type: string) => boolean;
  readonly isInHomeAssistant: boolean;
}

const DEFAULT_PORTS = { mqtt: 1883, mqtts: 8883 } as const;

/** Paths are relative to the folder of `file`. Throws INPUT_ERROR, or OPERATION_FAILED for a file that cannot be read. */
export function mqttConfig(
  { url: given, shop, credentials_file, ca_file, types, home_assistant }: v.InferOutput<typeof mqttSchema>,
  file: string,
  refuse: ErrorFactory,
): MqttConfig {
  const url = URL.parse(given);
  const protocol = url?.protocol.slice(0, -1);
  if (!url || url.hostname === "" || (protocol !== "mqtt" && protocol !== "mqtts"))
    throw refuse(
      atPointer(["mqtt", "url"], "must be mqtt://HOST or mqtts://HOST, with :PORT where it is not the usual one"),
    );
  if (url.username !== "" || url.password !== "")
    throw refuse(
      atPointer(
        ["mqtt", "url"],
        'must have no user and no password: put both into a file, and name it in "credentials_file"',
      ),
    );
  const fromFolder = (path: string): string => resolve(dirname(file), path);
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? DEFAULT_PORTS[protocol] : Number(url.port),
    protocol,
    shop,
    ...(credentials_file !== undefined && readCredentials(fromFolder(credentials_file))),
    ...(ca_file !== undefined && { ca: readText(fromFolder(ca_file)) }),
    wants: typeFilter(types, "INPUT_ERROR"),
    isInHomeAssistant: home_assistant,
  };
}

/** Two lines: the user and the password. */
function readCredentials(path: string): { readonly username: string; readonly password: string } {
  requirePrivateFile(path);
  const [username = "", password = "", ...others] = readText(path)
    .replace(/\r?\n$/, "")
    .split(/\r?\n/);
  if (username === "" || password === "" || others.length > 0)
    throw inputError(`${path} must have two lines: the user and the password of the broker.`);
  return { username, password };
}

const readText = (path: string): string => withFileErrors("read", path, () => readFileSync(path, "utf8"));
