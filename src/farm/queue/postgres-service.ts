import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { excerpt, inputError } from "../../core/api-error.ts";
import { withFileErrors } from "../../core/file-error.ts";
import { requirePrivateFile } from "../../core/require-private-file.ts";

/** The settings that a service may have here, of those of libpq. */
const SETTINGS = ["host", "port", "dbname", "user", "password", "sslmode", "sslrootcert", "sslcert", "sslkey"] as const;
export type ServiceSettings = Partial<Record<(typeof SETTINGS)[number], string>>;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The settings of a service from the file that `PGSERVICEFILE` names, else from `~/.pg_service.conf`: sections `[NAME]` with lines `setting=value`, as libpq reads them
 * ("The Connection Service File" of the manual of PostgreSQL). Throws INPUT_ERROR for a service that is not there, a setting that is not known here, and a password that others can
 * read.
 */
export function readService(name: string, environment: Environment): ServiceSettings {
  const path = environment["PGSERVICEFILE"] ?? join(homedir(), ".pg_service.conf");
  const text = withFileErrors("read", path, () => readFileSync(path, "utf8"));
  const settings: ServiceSettings = {};
  let [isHere, isFound] = [false, false];
  for (const line of text.split(/\r?\n/).map((one) => one.trim())) {
    if (line === "" || line.startsWith("#")) continue;
    const section = /^\[(.*)\]$/.exec(line)?.[1];
    if (section !== undefined) {
      isHere = section === name;
      isFound ||= isHere;
      continue;
    }
    if (!isHere) continue;
    const [, key = "", value = ""] = /^([^=\s]+)\s*=\s*(.*)$/.exec(line) ?? [];
    const setting = SETTINGS.find((one) => one === key);
    if (setting === undefined)
      throw inputError(
        `${path}: the service ${name} has "${excerpt(key || line)}": only ${SETTINGS.join(", ")} are known.`,
      );
    settings[setting] = value;
  }
  if (!isFound)
    throw inputError(`${path} has no service ${excerpt(name)}: add [${excerpt(name)}] to it, or name another one.`);
  if (settings.password !== undefined) requirePrivateFile(path);
  return settings;
}
