import { startPrintwright } from "../fixture/printwright.ts";
import { bumpySphereFile } from "./bumpy-sphere.ts";
import { ms, quantile, type Row, timed } from "./measure.ts";

const FACETS = 1_000_000;
const ROUNDS = 5;

/** Reads of the scene list while two imports of a million triangles run in two scenes. */
export async function benchReads(): Promise<Row[]> {
  const printwright = await startPrintwright();
  const combination = { machine_type: "FORM-4-0", material_code: "FLGPBK05", layer_thickness_mm: 0.1 };
  const first = (await printwright.call("GET", "/v1/scene/list/")).body.scenes[0].id;
  const second = (await printwright.post("/v1/scene/create/", combination)).body.scene_id;
  const latencies: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const running = new Set([first, second]);
    const imports = [...running].map(async (scene_id, variant) => {
      await printwright.post("/v1/scene/model/import/", { scene_id, file: bumpySphereFile(FACETS, variant + 1) });
      running.delete(scene_id);
    });
    while (running.size > 0) latencies.push(await timed(() => printwright.call("GET", "/v1/scene/list/")));
    await Promise.all(imports);
  }
  await printwright.stop();
  const what = `reads while two imports run (${latencies.length})`;
  return [{ what, ours: `p50 ${ms(quantile(latencies, 0.5))}, p99 ${ms(quantile(latencies, 0.99))}`, aim: "p99 ≤ 10 ms" }];
}
