import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { compiledExecutable } from "../fixture/printwright.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { surfaceOfStl } from "../fixture/surface-edits.ts";
import { type Row, mib, processorMs, ratio, withFolder } from "./measure.ts";

const DEMO = fileURLToPath(new URL("../../assets/demo/", import.meta.url));
const KINDS = ["axle", "gear-small", "gear-corner", "block"];
/** Quotes that compile the kernels, and quotes that are measured. */
const [WARMING, MEASURED] = [8, 40];

const scene_id = { $: "scene.scene_id" };
const STEPS = [
  {
    name: "scene",
    request: "scene/create",
    body: { machine_type: "PRUSA-SL1S", material_code: "GENERIC-RESIN", layer_thickness_mm: 0.05 },
  },
  { request: "scene/model/import", body: { scene_id, file: "part.stl", repair_behavior: "REPAIR" } },
  { request: "scene/model/auto-orient", body: { scene_id } },
  { name: "cups", request: "scene/model/validate/cups", body: { scene_id } },
  { name: "time", request: "scene/calculate-print-time", body: { scene_id } },
];

/** Quotes of parts that were never seen, as the process of a worker makes them, beside a process each. */
export const benchQuotes = (): Promise<Row[]> =>
  withFolder(async (folder) => {
    writeFileSync(join(folder, "steps.json"), JSON.stringify(STEPS));
    const folders = Array.from({ length: WARMING + MEASURED }, (_, i) => newPart(folder, i));
    const alone = KINDS.map((_, i) => processMs(folders[i]!)).reduce((sum, ms) => sum + ms, 0) / KINDS.length;
    const warm = await warmMs(folders);
    return [
      {
        what: "quote of a part that was never seen: import with repair, orientation, cups, print time",
        ours: `${(warm.ms / 1000).toFixed(2)} s of processors in a warm process of ${mib(warm.memoryBytes)}, which is ${Math.ceil((warm.ms / 1000) * PER_S)} cores for 1,000 quotes a minute`,
        beside: `a process each takes ${(alone / 1000).toFixed(2)} s of processors, ${ratio(alone, warm.ms)} as much`,
        aim: "≤ 10 cores",
      },
    ];
  });

const PER_S = 1000 / 60;

/** A folder with a part of another content than all others. */
function newPart(folder: string, index: number): string {
  const path = join(folder, String(index));
  mkdirSync(path);
  const { vertices, triangles } = surfaceOfStl(readFileSync(join(DEMO, `${KINDS[index % KINDS.length]}.stl`)));
  const scale = 1 - 1e-4 * (index + 1);
  writeFileSync(join(path, "part.stl"), binaryStl({ vertices: vertices.map((value) => scale * value), triangles }));
  return path;
}

/** Processor time of a process that makes one quote. */
function processMs(cwd: string): number {
  const command = [compiledExecutable(), "run", "../steps.json", "--quiet", "--threads", "1"];
  const { exitCode, resourceUsage, stderr } = Bun.spawnSync(command, { cwd, stderr: "pipe" });
  if (exitCode !== 0) throw new Error(`A quote fails: ${stderr}`);
  return Number(resourceUsage.cpuTime.total) / 1000;
}

/** Processor time of a quote in a process that makes one after the other. */
async function warmMs(folders: readonly string[]): Promise<{ ms: number; memoryBytes: number }> {
  const child = spawn(compiledExecutable(), ["run", "--each", "--threads", "1"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let memoryBytes = 0;
  const quote = async (folder: string): Promise<void> => {
    child.stdin.write(`${JSON.stringify({ id: folder, file: "../steps.json", folder })}\n`);
    for (;;) {
      const { value } = await lines.next();
      if (value === undefined) throw new Error("The process of the quotes ended");
      const line = JSON.parse(value);
      if (line.error) throw new Error(`A quote fails: ${line.error.message}`);
      if (line.status === undefined) continue;
      memoryBytes = Math.max(memoryBytes, line.memory_bytes);
      return;
    }
  };
  for (const folder of folders.slice(0, WARMING)) await quote(folder);
  const before = processorMs(child.pid!);
  for (const folder of folders.slice(WARMING)) await quote(folder);
  const ms = (processorMs(child.pid!) - before) / MEASURED;
  child.stdin.end();
  await once(child, "exit");
  return { ms, memoryBytes };
}
