import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import process from "node:process";
import { inputError } from "../../core/api-error.ts";
import { withFileErrors } from "../../core/file-error.ts";
import { requirePrivateFile } from "../../core/require-private-file.ts";
import { readService } from "./postgres-service.ts";

/** Where a PostgreSQL database is. */
export interface PostgresAddress {
  readonly connection: {
    readonly host: string;
    readonly port: number;
    readonly user?: string;
    readonly password?: string;
    readonly database?: string;
    readonly ssl: ConnectionOptions | false;
  };
  /** The address without its password, for messages. */
  readonly shown: string;
}

const DEFAULT_PORT = 5432;
const PARAMETERS = ["sslmode", "sslrootcert", "sslcert", "sslkey", "host", "service"];

export const isPostgresUrl = (text: string): boolean => /^postgres(ql)?:/i.test(text);

/** `text` with the passwords of the URLs in it replaced by `***`. */
export const withoutPasswords = (text: string): string =>
  text
    .replace(/(\b[a-z][\w+.-]*:\/\/[^\s/:@]*):[^\s/]*@/gi, "$1:***@")
    .replace(/([?&](?:ssl)?password=)[^\s&]*/gi, "$1***");

/**
 * Reads `postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=…`; parameters as those of libpq. Beyond this machine connections are encrypted, and the certificate and
 * the name of the server are verified (`verify-full`), unless `sslmode` says otherwise; `host=/FOLDER` is a socket of this machine. A service (`service=NAME`, or `PGSERVICE`) says what
 * the URL does not. Throws INPUT_ERROR for what it does not understand.
 */
export function readPostgresUrl(
  text: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): PostgresAddress {
  const shown = withoutPasswords(text);
  const url = URL.parse(text);
  // A percent sign that begins no byte in hexadecimal digits cannot be decoded.
  if (!url || /%(?![0-9a-f]{2})/i.test(text))
    throw inputError(`${shown} is no URL of a queue: write postgres://USER@HOST/DATABASE.`);
  const query = url.searchParams;
  for (const name of query.keys()) {
    if (!PARAMETERS.includes(name))
      throw inputError(`${shown} has the parameter ${name}: only ${PARAMETERS.join(", ")} are known.`);
  }
  const serviceName = query.get("service") ?? environment["PGSERVICE"];
  const service = serviceName === undefined ? {} : readService(serviceName, environment);
  const part = (value: string): string | undefined => (value === "" ? undefined : decodeURIComponent(value));
  const urlHost = query.get("host") ?? part(url.hostname.replace(/^\[(.*)\]$/, "$1"));
  const host = urlHost ?? service.host ?? "localhost";
  const port = Number(part(url.port) ?? service.port ?? DEFAULT_PORT);
  if (!Number.isInteger(port))
    throw inputError(`The service ${serviceName} has the port ${service.port}: give a number.`);
  const user = part(url.username) ?? service.user;
  const password = part(url.password) ?? service.password;
  const database = part(url.pathname.slice(1)) ?? service.dbname;
  return {
    connection: {
      host,
      port,
      ...(user === undefined ? {} : { user }),
      ...(password === undefined ? {} : { password }),
      ...(database === undefined ? {} : { database }),
      ssl: sslOf(host, (name) => query.get(name) ?? service[name], shown),
    },
    shown,
  };
}

const isThisMachine = (host: string): boolean => /^(localhost|127(\.\d+){3}|::1|\/.*)$/i.test(host);

function sslOf(
  host: string,
  setting: (name: "sslmode" | "sslrootcert" | "sslcert" | "sslkey") => string | undefined,
  shown: string,
): ConnectionOptions | false {
  const mode = setting("sslmode") ?? (isThisMachine(host) ? "disable" : "verify-full");
  const file = (name: Parameters<typeof setting>[0]): string | undefined => {
    const path = setting(name);
    return path === undefined ? undefined : withFileErrors("read", path, () => readFileSync(path, "utf8"));
  };
  const keyFile = setting("sslkey");
  if (keyFile !== undefined) requirePrivateFile(keyFile);
  const [ca, cert, key] = [file("sslrootcert"), file("sslcert"), file("sslkey")];
  const files = {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
  switch (mode) {
    case "disable":
      return false;
    case "require":
      return { ...files, rejectUnauthorized: false };
    case "verify-ca":
      return { ...files, rejectUnauthorized: true, checkServerIdentity: () => undefined };
    case "verify-full":
      return { ...files, rejectUnauthorized: true };
    default:
      throw inputError(`${shown} has sslmode=${mode}: it can be verify-full, verify-ca, require or disable.`);
  }
}
