import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { pageClient } from "../fixture/page-client.ts";
import { type BenchServer, RESIN, type Row, median, ms, timed, withFolder, withServer } from "./measure.ts";
import { longestHold } from "./server.ts";

const FUNCTIONAL_PART = fileURLToPath(new URL("../../assets/demo/functional-part.stl", import.meta.url));
const ROUNDS = 5;
/** Longer than the server waits before it keeps a changed scene, ms. */
const KEEP_MS = 3000;

/** What a person waits for while editing on the page: a hole shown before it is drilled, work begun in another tab, a kept scene. */
export const benchPageEditing = (): Promise<Row[]> =>
  withFolder((folder) =>
    withServer(
      async (server) => {
        const { scene_id } = await server.post("/v1/scene/create/", RESIN);
        await server.post("/v1/scene/model/import/", { scene_id, file: FUNCTIONAL_PART });
        return [
          await previewHole(server, scene_id),
          await seeWork(server, scene_id),
          await keepMoves(server, scene_id, folder),
        ];
      },
      ["--state-folder", folder],
    ),
  );

async function previewHole({ port, post }: BenchServer, scene_id: string): Promise<Row> {
  const page = pageClient(port);
  const { models } = await post("/v1/scene/metadata/", { scene_id });
  const { min_corner, max_corner } = models[0].bounding_box;
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const hole = {
      orientation: { x: 0, y: 0, z: 0 },
      position: {
        x: min_corner.x + ((max_corner.x - min_corner.x) * (round + 1)) / (ROUNDS + 1),
        y: (min_corner.y + max_corner.y) / 2,
        z: max_corner.z,
      },
      diameter_mm: 2,
      depth_mm: "AUTO",
      max_search_distance_mm: 1000,
    };
    times.push(
      await timed(async () => {
        const reply = await page.post("/ui/preview/", {
          path: "/v1/scene/model/drill/",
          body: { scene_id, drain_holes: [hole] },
        });
        if (!reply.ok) throw new Error(await reply.text());
        const { scene } = await reply.json();
        await page.mesh(scene.models[0].mesh);
      }),
    );
  }
  return {
    what: "a hole of functional-part before it is drilled, with its mesh",
    ours: ms(median(times)),
    aim: "≤ 1 s",
  };
}

async function seeWork({ port, call }: BenchServer, scene_id: string): Promise<Row> {
  const other = await pageClient(port).listenToWork();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await sleep(KEEP_MS / ROUNDS);
    const started = performance.now();
    const { body } = await call("POST", "/v1/scene/prepare/?async=true", { scene_id });
    for (let seen = false; !seen;) {
      seen = (await other.next()).operations.some(({ scene_ids }) => scene_ids.includes(scene_id));
    }
    times.push(performance.now() - started);
    await call("POST", "/v1/operation/cancel/", { operation_ids: [body.operation_id] });
    for (let over = false; !over;) over = (await other.next()).operations.length === 0;
  }
  await other.stop();
  return { what: "work of one tab appears in another", ours: ms(median(times)), aim: "≤ 600 ms" };
}

async function keepMoves({ pid, call, post }: BenchServer, scene_id: string, folder: string): Promise<Row> {
  await sleep(KEEP_MS);
  const before = filesOf(folder);
  const held = await longestHold(pid, call, async () => {
    await post("/v1/scene/model/translate/", { scene_id, position: { x: 1, y: 0, z: 0 }, mode: "RELATIVE" });
    await sleep(KEEP_MS);
  });
  const written = [...filesOf(folder)].flatMap(([file, { bytes, at }]) => (before.get(file)?.at === at ? [] : [bytes]));
  if (written.length === 0) throw new Error("The move was not kept.");
  const bytes = written.reduce((sum, one) => sum + one, 0);
  return {
    what: "keeping a moved part",
    ours: `${(bytes / 1000).toFixed(1)} kB written, holds the answering thread ${ms(held)}`,
    aim: "≤ 100 kB, ≤ 5 ms",
  };
}

/** Size and time of the last change of each file of the folder. */
function filesOf(folder: string): Map<string, { readonly bytes: number; readonly at: number }> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map(({ parentPath, name }) => {
      const { size, mtimeMs } = statSync(join(parentPath, name));
      return [join(parentPath, name), { bytes: size, at: mtimeMs }];
    }),
  );
}
