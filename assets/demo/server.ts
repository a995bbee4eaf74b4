import { spawn, spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));
const executable = join(root, "dist", process.platform === "win32" ? "printwright.exe" : "printwright");

/** Builds the executable and returns its path and size. */
export function buildExecutable(): string {
  const { status, stderr } = spawnSync(process.execPath, ["build.ts"], { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`The build failed:\n${stderr}`);
  return `${executable} (${Math.round(statSync(executable).size / 2 ** 20)} MiB, copy it anywhere)`;
}

export interface Server {
  readonly address: string;
  call<T>(method: string, path: string, body?: object): Promise<T>;
  post<T>(path: string, body: object): Promise<T>;
  stop(): void;
}

/** Starts the executable on a free port; resolves once it answers. */
export async function startServer(args: readonly string[]): Promise<Server> {
  const process = spawn(executable, ["--port", "0", ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise<string>((resolve, reject) => {
    let printed = "";
    process.once("exit", () => reject(new Error("The server ended before it was ready.")));
    process.stdout.on("data", (text) => {
      printed += text;
      if (printed.includes("READY FOR INPUT")) resolve(printed.split("\n")[0]);
    });
  });
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(address + path, { method, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    return (text === "" ? undefined : JSON.parse(text)) as T;
  };
  return { address, call, post: (path, body) => call("POST", path, body), stop: () => void process.kill() };
}
