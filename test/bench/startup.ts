import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandLine } from "../fixture/printwright.ts";
import { median, ms, ratio, type Row } from "./measure.ts";

const RUNS = 15;

/** Milliseconds from the start of a program to the line READY FOR INPUT. */
function timeToReady(command: string, args: readonly string[]): Promise<number> {
  const began = performance.now();
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve) => {
    child.stdout.on("data", (text) => {
      if (!String(text).includes("READY FOR INPUT")) return;
      resolve(performance.now() - began);
      child.kill();
    });
  });
}

/** The start of the executable beside that of an empty server under the same Bun. */
export async function benchStartup(): Promise<Row[]> {
  const floor = join(tmpdir(), "printwright-bench-floor.js");
  writeFileSync(floor, 'Bun.serve({ port: 0, fetch: () => new Response("ok") }); console.log("READY FOR INPUT");');
  const [command, ...args] = commandLine();
  const [ours, empty]: [number[], number[]] = [[], []];
  for (let run = 0; run < RUNS; run++) {
    ours.push(await timeToReady(command, [...args, "--port", "0"]));
    empty.push(await timeToReady(process.execPath, [floor]));
  }
  const [a, b] = [median(ours), median(empty)];
  return [{ what: "start to READY FOR INPUT", ours: ms(a), beside: `${ratio(a, b)} of an empty Bun server (${ms(b)})`, aim: "≤ 150 ms" }];
}
