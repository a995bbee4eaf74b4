import { basename } from "node:path";

/** The name under which the libraries of the 0.9 interface look for the program that they start, with `--port N` alone. */
const NAME = /^PreFormServer(\.exe)?$/i;

interface Launch {
  /** As the program was called: the name of a link, where it was started by one. */
  readonly argv0: string;
  readonly execPath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Whether the way in which the program was started asks for the 0.9 interface: a variable of its surroundings, or its own name. */
export const isCompatLaunch = ({ argv0, execPath, env }: Launch): boolean =>
  env.PRINTWRIGHT_COMPAT === "0.9" || [argv0, execPath].some((path) => NAME.test(nameOf(path)));

/** Also of a path of Windows, read elsewhere. */
const nameOf = (path: string): string => basename(path.replaceAll("\\", "/"));

/** Libraries of the 0.9 interface read nothing of standard error: a pipe that is full, at 64 KiB, would hold the process for ever. */
const MAX_ERROR_CHARACTERS = 32_768;

/** Prints texts until they come to so many characters, and no more from then on. */
export function untilTooMuch(print: (text: string) => void, most = MAX_ERROR_CHARACTERS): (text: unknown) => void {
  let left = most;
  return (text) => {
    const line = String(text);
    left -= line.length + 1;
    if (left >= 0) print(line);
  };
}
