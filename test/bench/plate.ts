import { type Row, mib, ms, peakBytes, timed, withFolder, withServer } from "./measure.ts";
import { dentalArchFile } from "./models.ts";

const PARTS = 30;
const FACETS = 100_000;
const PRINTER = "FRML-4-0";
const SETTING = { machine_type: PRINTER, material_code: "FLGPGR05", layer_thickness_mm: 0.1 };

/** A plate of dental models from their files to the job. Users report 200 s for it in other programs. */
export const benchPlate = (): Promise<Row[]> =>
  withFolder((jobs) =>
    withServer(
      async ({ pid, post }) => {
        const files = Array.from({ length: PARTS }, (_, variant) => dentalArchFile(FACETS, variant));
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
        const parts = steps.map(([name], i) => `${name} ${ms(times[i])}`).join(", ");
        return [
          {
            what: `plate of ${PARTS} dental models of ${FACETS} facets, from files to job`,
            ours: `${ms(total)}: ${parts}`,
            beside: `${mib(peakBytes(pid))} at most`,
            aim: "60 s in all, 5 s of layout",
          },
        ];
      },
      ["--virtual-printer", `${PRINTER}=bench`, "--job-dir", jobs],
    ),
  );
