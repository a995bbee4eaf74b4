import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPrintwright } from "../fixture/printwright.ts";
import { dentalArchFile } from "./dental-arch.ts";
import { mib, ms, peakBytes, type Row, timed } from "./measure.ts";

const PARTS = 30;
const FACETS = 100_000;
const PRINTER = "FRML-4-0";
const SETTING = { machine_type: PRINTER, material_code: "FLGPGR05", layer_thickness_mm: 0.1 };

/** A plate of dental models from their files to the job, as users tell of 200 s for. */
export async function benchPlate(): Promise<Row[]> {
  const files = Array.from({ length: PARTS }, (_, variant) => dentalArchFile(FACETS, variant));
  const jobs = mkdtempSync(join(tmpdir(), "printwright-bench-"));
  const printwright = await startPrintwright(["--virtual-printer", `${PRINTER}=bench`, "--job-dir", jobs]);
  const post = async (path: string, body: object): Promise<any> => {
    const reply = await printwright.post(path, body);
    if (reply.status !== 200) throw new Error(`${path}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  try {
    const { scene_id } = await post("/v1/scene/create/", SETTING);
    const steps: [name: string, work: () => Promise<unknown>][] = [
      ["import", () => Promise.all(files.map((file) => post("/v1/scene/model/import/", { scene_id, file })))],
      ["auto-orient", () => post("/v1/scene/model/auto-orient/", { scene_id, mode: "DENTAL", tilt: 75 })],
      ["auto-support", () => post("/v1/scene/model/auto-support/", { scene_id })],
      ["auto-layout", () => post("/v1/scene/model/auto-layout/", { scene_id, allow_overlapping_supports: true })],
      ["job", () => post("/v1/scene/print/", { scene_id, printer: "bench", job_name: "plate" })],
    ];
    const times: number[] = [];
    for (const [, work] of steps) times.push(await timed(work));
    const total = times.reduce((sum, time) => sum + time, 0);
    const told = steps.map(([name], i) => `${name} ${ms(times[i]!)}`).join(", ");
    const what = `plate of ${PARTS} dental models of ${FACETS} facets, from files to job`;
    const aims = "60 s in all, 5 s of layout";
    return [{ what, ours: `${ms(total)}: ${told}`, beside: `${mib(peakBytes(printwright.pid))} at most`, aim: aims }];
  } finally {
    await printwright.stop();
    rmSync(jobs, { recursive: true });
  }
}
