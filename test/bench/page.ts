import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pageClient } from "../fixture/page-client.ts";
import { type BenchServer, type Row, median, mib, ms, timed, withFolder, withServer } from "./measure.ts";
import { bumpySphereFile, dentalArchFile } from "./models.ts";
import { longestHold, turnedParts } from "./server.ts";

const FACETS = 5_000_000;
const MODELS = 1000;
export const ARCHES = 30;
const ARCH_FACETS = 100_000;
const UPLOAD_BYTES = 512 * 2 ** 20;
const LAYER_PICTURES = 15;
const CONNECTIONS = 6;
/** A printer on whose platform the arches fit side by side. */
export const LARGE_RESIN = { machine_type: "FRML-4-0", material_code: "FLGPBK05", layer_thickness_mm: 0.05 };
const HELD_AIM = "≤ 20 ms";

/** The requests of the page: how long the server takes to answer, and how long they occupy the answering thread. */
export const benchPage = (): Promise<Row[]> =>
  withServer((server) =>
    withFolder(async (folder) => {
      const { pid, port, call, post, scene_id } = server;
      const page = pageClient(port);
      const rows: Row[] = [];
      const measure = async (what: string, work: () => Promise<unknown>): Promise<void> => {
        let took = 0;
        const held = await longestHold(pid, call, async () => (took = await timed(work)));
        rows.push({ what, ours: `${ms(took)}, holds the thread ${ms(held)}`, aim: HELD_AIM });
      };
      const read = async (path: string): Promise<ArrayBuffer> => (await page.get(path)).arrayBuffer();
      /** Loads all meshes of a scene, over as many connections as a browser opens. */
      const readMeshes = async (id: string): Promise<void> => {
        const rest = (await page.scene(id)).models.map(({ mesh }) => mesh);
        const readNext = async (): Promise<void> => {
          for (let mesh = rest.pop(); mesh !== undefined; mesh = rest.pop()) await read(`/ui/mesh/${mesh}/`);
        };
        await Promise.all(Array.from({ length: CONNECTIONS }, readNext));
      };
      const events = await page.listen();
      await events.next();

      await post("/v1/scene/model/import/", { scene_id, file: bumpySphereFile(FACETS) });
      const { models: large } = await page.scene(scene_id);
      await measure("the mesh of 5 M triangles", () => read(`/ui/mesh/${large[0].mesh}/`));
      const body = new Uint8Array(UPLOAD_BYTES);
      await measure("the same with at most 500,000", () => read(`/ui/mesh/${large[0].mesh}/?max_triangles=500000`));
      await measure(`an upload of ${mib(UPLOAD_BYTES)}`, () =>
        fetch(`http://127.0.0.1:${port}/ui/upload/?name=a.stl`, { method: "POST", body }),
      );
      await post("/v1/scene/model/delete/", { scene_id }).catch(() =>
        call("DELETE", "/v1/scene/model/delete/", { scene_id }),
      );

      const parts = join(folder, "parts.3mf");
      writeFileSync(parts, turnedParts(MODELS));
      await post("/v1/scene/model/import/", { scene_id, file: parts, split_multi_model_file: true });
      await measure(`a scene of ${MODELS} different models, described for the first time`, () =>
        read(`/ui/scene/${scene_id}/`),
      );
      await measure(`the same and all its meshes`, () => readMeshes(scene_id));
      await post("/v1/scene/model/duplicate/", { scene_id, count: 9 });
      await measure(`a scene of ${10 * MODELS} models`, () => read(`/ui/scene/${scene_id}/`));
      await measure("a change of it is undone and made again", async () => {
        await page.post(`/ui/scene/${scene_id}/undo/`);
        await page.post(`/ui/scene/${scene_id}/redo/`);
      });
      await call("DELETE", "/v1/scene/model/delete/", { scene_id });

      const { scene_id: plate } = await post("/v1/scene/create/", LARGE_RESIN);
      await importPlate(post, plate);
      await measure(`a plate of ${ARCHES} arches with all its meshes`, () => readMeshes(plate));
      await measure("its first layer picture", () => read(`/ui/scene/${plate}/layers/10.png`));
      const times: number[] = [];
      await measure("its layers, areas and times", () => read(`/ui/scene/${plate}/layers/`));
      for (let i = 0; i < LAYER_PICTURES; i++) {
        times.push(await timed(() => read(`/ui/scene/${plate}/layers/${10 * i}.png`)));
      }
      rows.push({ what: "its other layer pictures", ours: ms(median(times)), aim: "≤ 100 ms" });
      await events.stop();
      return rows;
    }),
  );

/** Imports arches of 3 M triangles into a scene of the large printer, and lays them out. */
export async function importPlate(post: BenchServer["post"], scene_id: string): Promise<void> {
  for (let i = 0; i < ARCHES; i++) {
    await post("/v1/scene/model/import/", { scene_id, file: dentalArchFile(ARCH_FACETS, i) });
  }
  await post("/v1/scene/model/orient/", { scene_id, orientation: { x: 90, y: 0, z: 0 } });
  await post("/v1/scene/model/auto-layout/", { scene_id });
}
