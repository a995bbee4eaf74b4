import { basename } from "node:path";

/** The name of the program that the libraries of the 0.9 interface search for and start, with only `--port N`. */
const NAME = /^PreFormServer(\.exe)?$/i;

interface Launch {
  /** Name by which the program was called; if it was started through a link, the name of the link. */
  readonly argv0: string;
  readonly execPath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Whether the program was started for the 0.9 interface: by an environment variable, or by its own name. */
export const isCompatLaunch = ({ argv0, execPath, env }: Launch): boolean =>
  env.PRINTWRIGHT_COMPAT === "0.9" || [argv0, execPath].some((path) => NAME.test(nameOf(path)));

/** The file name of a path, which may be a Windows path read on another system. */
const nameOf = (path: string): string => basename(path.replaceAll("\\", "/"));

/** Libraries of the 0.9 interface do not read standard error: a full pipe, at 64 KiB, would block the process forever. */
const MAX_ERROR_CHARACTERS = 32_768;

/** Prints texts until this number of characters is reached, and nothing after that. */
export function untilTooMuch(print: (text: string) => void, most = MAX_ERROR_CHARACTERS): (text: unknown) => void {
  let left = most;
  return (text) => {
    const line = String(text);
    left -= line.length + 1;
    if (left >= 0) print(line);
  };
}
