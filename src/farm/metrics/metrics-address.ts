import { isIP } from "node:net";
import { excerpt, inputError } from "../../core/api-error.ts";

/** Where metrics are served. */
export interface MetricsAddress {
  readonly host: string;
  readonly port: number;
}

const MAX_PORT = 65_535;

/** Reads PORT, which is one of this machine alone, or ADDRESS:PORT. Throws INPUT_ERROR. */
export function parseMetricsAddress(text: string): MetricsAddress {
  const [, host = "127.0.0.1", digits = ""] = /^(?:(.*):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  const address = host.replace(/^\[(.*)\]$/, "$1");
  if (digits === "" || port > MAX_PORT || isIP(address) === 0)
    throw inputError(`--metrics must be a port, or ADDRESS:PORT such as 0.0.0.0:9464, not "${excerpt(text)}"`);
  return { host: address, port };
}
