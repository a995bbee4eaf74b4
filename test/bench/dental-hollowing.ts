import { startPrintwright } from "../fixture/printwright.ts";
import { dentalArchFile } from "./dental-arch.ts";
import { mib, ms, peakBytes, ratio, type Row, timed } from "./measure.ts";

const SETTING = { machine_type: "FORM-4-0", material_code: "FLGPBK05", layer_thickness_mm: 0.05 };

/** A scan of a jaw has some 100,000 to 400,000 facets. */
const FACETS = [60_000, 400_000];

const WAYS = [
  { name: "solid", body: {} },
  { name: "hollow", body: { hollow: true, enable_honeycomb_infill: false } },
  { name: "honeycomb", body: { hollow: true } },
];

/** Bases of dental arches, cut at their gumline. No peer makes any; beside each stands the import of the same file. */
export async function benchDentalHollowing(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const facets of FACETS) {
    for (const { name, body } of WAYS) {
      const { importMs, tookMs, peak } = await run(dentalArchFile(facets), body);
      rows.push({
        what: `${name} base of an arch of ${facets / 1000}k facets`,
        ours: `${ms(tookMs)} over HTTP, peak ${mib(peak)}`,
        beside: `its import ${ms(importMs)} (${ratio(tookMs, importMs)})`,
      });
    }
  }
  return rows;
}

async function run(file: string, options: object): Promise<{ importMs: number; tookMs: number; peak: number }> {
  const printwright = await startPrintwright();
  try {
    const post = async (path: string, body: object): Promise<any> => {
      const reply = await printwright.post(path, body);
      if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
      return reply.body;
    };
    const { scene_id } = await post("/v1/scene/create/", SETTING);
    const importMs = await timed(() => post("/v1/scene/model/import/", { scene_id, file }));
    const body = { scene_id, extrude_distance_mm: 6, ...options };
    const tookMs = await timed(() => post("/v1/scene/model/dental-hollow/", body));
    return { importMs, tookMs, peak: peakBytes(printwright.pid) };
  } finally {
    await printwright.stop();
  }
}
