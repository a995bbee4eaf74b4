import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import { inputError } from "../../core/api-error.ts";
import { withFileErrors } from "../../core/file-error.ts";

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
const PARAMETERS = ["sslmode", "sslrootcert", "sslcert", "sslkey", "host"];

export const isPostgresUrl = (text: string): boolean => /^postgres(ql)?:/i.test(text);

/** `text` with the passwords of the URLs in it replaced by `***`. */
export const withoutPasswords = (text: string): string =>
  text
    .replace(/(\b[a-z][\w+.-]*:\/\/[^\s/:@]*):[^\s/]*@/gi, "$1:***@")
    .replace(/([?&](?:ssl)?password=)[^\s&]*/gi, "$1***");

/**
 * Reads `postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=…`; parameters as those of libpq. Beyond this machine connections are encrypted, and the certificate and
 * the name of the server are verified (`verify-full`), unless `sslmode` says otherwise; `host=/FOLDER` is a socket of this machine. Throws INPUT_ERROR for what it does not
 * understand.
 */
export function readPostgresUrl(text: string): PostgresAddress {
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
  const host = query.get("host") ?? (url.hostname.replace(/^\[(.*)\]$/, "$1") || "localhost");
  const part = (value: string): string | undefined => (value === "" ? undefined : decodeURIComponent(value));
  const [user, password, database] = [part(url.username), part(url.password), part(url.pathname.slice(1))];
  return {
    connection: {
      host,
      port: url.port === "" ? DEFAULT_PORT : Number(url.port),
      ...(user === undefined ? {} : { user }),
      ...(password === undefined ? {} : { password }),
      ...(database === undefined ? {} : { database }),
      ssl: sslOf(host, query, shown),
    },
    shown,
  };
}

const isThisMachine = (host: string): boolean => /^(localhost|127(\.\d+){3}|::1|\/.*)$/i.test(host);

function sslOf(host: string, query: URLSearchParams, shown: string): ConnectionOptions | false {
  const mode = query.get("sslmode") ?? (isThisMachine(host) ? "disable" : "verify-full");
  const file = (name: string): string | undefined => {
    const path = query.get(name);
    return path === null ? undefined : withFileErrors("read", path, () => readFileSync(path, "utf8"));
  };
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
