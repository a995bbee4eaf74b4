import { spawn } from "node:child_process";
import process from "node:process";

/** The programs that open an address in the browser of the user, with the arguments before the address. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>> = {
  darwin: ["open"],
  // `start` is a command of the shell, not a program. It uses its first word in quotes as a title.
  win32: ["cmd", "/c", "start", ""],
};

/** Opens an address in the browser of the user. A failure is only reported: the server runs without a browser. */
export function openBrowser(address: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const warn = (reason: string): void => console.error(`The browser was not opened (${reason}): go to ${address}`);
  const child = spawn(program, [...args, address], { stdio: "ignore", detached: true });
  child.once("error", (error) => warn(error.message));
  child.once("exit", (status) => {
    if (status !== 0 && status !== null) warn(`${program} ended with status ${status}`);
  });
  // The server does not wait for the browser when it stops.
  child.once("spawn", () => child.unref());
}
