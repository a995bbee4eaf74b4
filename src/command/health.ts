import { excerpt, inputError, toApiError } from "../core/api-error.ts";
import { httpCall } from "../printer/http-client.ts";
import { HttpFailure } from "../printer/http-failure.ts";
import type { CommandModule } from "./command-module.ts";
import { parseWords } from "./parse-words.ts";
import { wholeNumber } from "./work-arguments.ts";

const USAGE = `Usage: printwright health URL [--timeout SECONDS]

Asks a running server whether it answers, for the health checks of containers and of service managers. URL is the address that the
server prints when it starts; with a path, that page is asked for.

  printwright health http://localhost:44388

  --timeout SECONDS    longest time to wait for the connection, and for the answer after it (1 to 600, default 5)

Exit status: 0 it answers, 1 it does not, 2 the words are wrong.`;

const OPTIONS = { timeout: { type: "string", default: "5" } } as const;

/** The answer of a server that costs it least: its version. */
const CHEAP_PATH = "/v1/";
const MAX_TIMEOUT_S = 600;

/** `printwright health`: asks a server whether it answers. */
export const healthCommand: CommandModule = {
  usage: USAGE,
  options: OPTIONS,
  async run(argv, _open, output) {
    const { values, positionals } = parseWords(argv, OPTIONS);
    const [address = "", ...others] = positionals;
    const url = URL.parse(address);
    if (others.length > 0 || (url?.protocol !== "http:" && url?.protocol !== "https:"))
      throw inputError(`name one address, such as http://localhost:44388, not "${excerpt(positionals.join(" "))}"`);
    const timeoutS = wholeNumber(values.timeout, 1, MAX_TIMEOUT_S);
    if (timeoutS === undefined)
      throw inputError(`--timeout must be a number from 1 to ${MAX_TIMEOUT_S}, not "${excerpt(values.timeout)}"`);
    if (url.pathname === "/") url.pathname = CHEAP_PATH;
    const failure = await failureOf(url, timeoutS * 1000);
    if (failure === undefined) output.line(`${url.host} answers`);
    else console.error(`printwright: ${failure}`);
    return failure === undefined ? 0 : 1;
  },
};

/** Why a server is not well, as a sentence; undefined where it answers with a status of success. */
async function failureOf(url: URL, timeoutMs: number): Promise<string | undefined> {
  try {
    const { status } = await httpCall({ url, limits: { connectMs: timeoutMs, replyMs: timeoutMs } });
    return status < 300 ? undefined : `${url.host} answers ${url.pathname} with status ${status}`;
  } catch (thrown) {
    return thrown instanceof HttpFailure ? thrown.what : toApiError(thrown).message;
  }
}
