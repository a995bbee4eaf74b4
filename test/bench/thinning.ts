import { fileURLToPath } from "node:url";
import { startPrintwright } from "../fixture/printwright.ts";
import { mib, ms, peakBytes, type Row, timed } from "./measure.ts";
import { subdividedFile } from "./subdivided.ts";

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const MIDDLE = path("../fixture/corpus/thingi-520644.stl");
const LARGE = path("../../assets/demo/functional-part.stl");

/** Thin features over HTTP. No peer looks for them on the command line: what it costs stands beside the facets alone. */
export async function benchThinning(): Promise<Row[]> {
  const cases = [
    ["520644", MIDDLE, [1, 2]],
    ["908460", LARGE, [1, 2, 4]],
    ["577k facets", await subdividedFile(LARGE), [2]],
  ] as const;
  const rows: Row[] = [];
  for (const [name, file, thresholds] of cases) {
    const printwright = await startPrintwright();
    const scene_id = (await printwright.call("GET", "/v1/scene/list/")).body.scenes[0].id;
    await printwright.post("/v1/scene/model/import/", { scene_id, file });
    const { models } = (await printwright.post("/v1/scene/metadata/", { scene_id })).body;
    const before = peakBytes(printwright.pid);
    for (const threshold_mm of thresholds) {
      let told = "";
      const took = await timed(async () => {
        const request = { scene_id, threshold_mm };
        const { body } = await printwright.post("/v1/scene/model/validate/thin-features/", request);
        const [found] = Object.values<any>(body.per_model_results);
        told = `${found.status}, ${found.thin_region_count} regions of ${found.thin_volume_mm3.toFixed(1)} mm³`;
      });
      const perFacet = (1e6 * took) / models[0].triangle_count;
      rows.push({
        what: `thin features below ${threshold_mm} mm of ${name}`,
        ours: `${ms(took)} (${perFacet.toFixed(0)} ns a facet), ${told}`,
        beside: `${mib(peakBytes(printwright.pid))} at most (${mib(before)} before)`,
      });
    }
    await printwright.stop();
  }
  return rows;
}
