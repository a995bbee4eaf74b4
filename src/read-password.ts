import type { ReadStream } from "node:tty";
import process from "node:process";
import { inputError } from "./core/api-error.ts";

const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const BACKSPACES = new Set(["\b", "\u007f"]);

/**
 * A password for `--hash-password`: typed twice on a terminal, which does not show it, or all of standard input without the end of its line.
 * Throws INPUT_ERROR for an empty one, for two that differ, and if Ctrl-C or Ctrl-D was typed.
 */
export async function readPassword(
  input: ReadStream = process.stdin,
  prompt = (text: string) => void process.stderr.write(text),
): Promise<string> {
  const password = input.isTTY ? await readTwice(input, prompt) : await readAll(input);
  if (password === "") throw inputError("the password is empty");
  return password;
}

async function readAll(input: ReadStream): Promise<string> {
  let text = "";
  for await (const chunk of input.setEncoding("utf8")) text += chunk;
  return text.replace(/\r?\n$/, "");
}

async function readTwice(input: ReadStream, prompt: (text: string) => void): Promise<string> {
  input.setRawMode(true);
  input.setEncoding("utf8");
  const keys = input[Symbol.asyncIterator]() as AsyncIterator<string>;
  try {
    prompt("Password: ");
    const [first, rest] = await readLine(keys, "");
    prompt("\nThe same again: ");
    const [second] = await readLine(keys, rest);
    prompt("\n");
    if (first !== second) throw inputError("the two passwords differ");
    return first;
  } finally {
    input.setRawMode(false);
    input.pause();
  }
}

/** The typed line, and the text after it. `typed` is text that was typed before. */
async function readLine(keys: AsyncIterator<string>, typed: string): Promise<[line: string, rest: string]> {
  let line: string[] = [];
  for (let pending = typed; ;) {
    for (const [i, key] of Array.from(pending).entries()) {
      if (key === "\r" || key === "\n")
        return [
          line.join(""),
          Array.from(pending)
            .slice(i + 1)
            .join(""),
        ];
      if (key === CTRL_C || key === CTRL_D) throw inputError("no password was given");
      line = BACKSPACES.has(key) ? line.slice(0, -1) : [...line, key];
    }
    const next = await keys.next();
    if (next.done) throw inputError("no password was given");
    pending = next.value;
  }
}
