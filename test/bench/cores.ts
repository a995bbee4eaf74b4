import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type BenchServer,
  RESIN,
  type Row,
  mib,
  ms,
  peakBytes,
  processorMs,
  ratio,
  timed,
  withFolder,
  withServer,
} from "./measure.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { surfaceOfStl } from "../fixture/surface-edits.ts";
import { MODEL_FILES } from "./models.ts";

/** Numbers of threads. A machine with fewer cores shows their processor time and memory, not their time. */
const THREADS = [1, 2, 4, 8, 16];

const CHECKS = ["cups", "minima", "supportedness"];

/** The cost of one chain. */
interface Cost {
  readonly ms: number;
  readonly processorMs: number;
}

/** One part from its file to its job on different numbers of threads: on new threads, and again on threads that have done it before. */
export const benchCores = (): Promise<Row[]> =>
  withFolder(async (folder) => {
    const rows: Row[] = [];
    const other = join(folder, "other.stl");
    writeFileSync(other, slightlySmaller(MODEL_FILES["908460"]));
    let single: { readonly cost: Cost; readonly peak: number } | undefined;
    for (const threads of THREADS) {
      const { cold, warm, peak } = await withServer(
        async (server) => ({
          cold: await chainCost(server, MODEL_FILES["908460"], join(folder, "cold.printjob")),
          warm: await chainCost(server, other, join(folder, "warm.printjob")),
          peak: peakBytes(server.pid),
        }),
        ["--threads", String(threads)],
      );
      single ??= { cost: cold, peak };
      rows.push({
        what: `import, orient, support, checks and job of a part of 36k triangles on ${threads} threads`,
        ours: `${ms(cold.ms)} (${ms(cold.processorMs)} of processors), warm ${ms(warm.ms)} (${ms(warm.processorMs)}); peak ${mib(peak)}`,
        beside: `${ratio(cold.processorMs, single.cost.processorMs)} the processor time and ${ratio(peak, single.peak)} the memory of one thread`,
        aim: "≤ 1.3× the processor time, ≤ 2× the memory",
      });
    }
    return rows;
  });

/** A part of other content, for which no result is known yet. */
function slightlySmaller(file: string): Uint8Array {
  const { vertices, triangles } = surfaceOfStl(readFileSync(file));
  return binaryStl({ vertices: vertices.map((value) => 0.999 * value), triangles });
}

async function chainCost({ pid, call, post }: BenchServer, file: string, job: string): Promise<Cost> {
  const before = processorMs(pid);
  const took = await timed(async () => {
    const { scene_id } = await post("/v1/scene/create/", RESIN);
    await post("/v1/scene/model/import/", { scene_id, file, repair_behavior: "REPAIR" });
    await post("/v1/scene/model/auto-orient/", { scene_id });
    await post("/v1/scene/model/auto-support/", { scene_id });
    for (const check of CHECKS) await post(`/v1/scene/model/validate/${check}/`, { scene_id });
    await post("/v1/scene/export/", { scene_id, file: job });
    await call("DELETE", "/v1/scene/delete/", { scene_id });
  });
  if (!existsSync(job)) throw new Error(`No job was written to ${job}`);
  return { ms: took, processorMs: processorMs(pid) - before };
}
