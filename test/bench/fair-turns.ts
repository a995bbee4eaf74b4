import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { LONG_REQUESTS, type LongRequest, prepareLongRequest } from "./long-requests.ts";
import {
  type BenchServer,
  RESIN,
  type Row,
  ms,
  processorMs,
  quantile,
  ratio,
  timed,
  withFolder,
  withServer,
  worst,
} from "./measure.ts";
import { MODEL_FILES, bumpySphereFile } from "./models.ts";

/** Small requests beside long operations and beside the chunks of one, and two customers with long requests. */
export async function benchFairTurns(): Promise<Row[]> {
  const rows = await besideOperations();
  for (const threads of THREADS) rows.push(...(await besideChunks(threads)));
  return [...rows, ...(await twoCustomers())];
}

const HOLDING_FACETS = 800_000;
const HOLDING = [2, 50];
const FAIR_ROUNDS = 5;

/** Small requests while long operations of other scenes hold every thread, and while many more of them wait. */
async function besideOperations(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of HOLDING) rows.push(...(await fairTurns(count)));
  return rows;
}

const fairTurns = (count: number): Promise<Row[]> =>
  withFolder((folder) =>
    withServer(async ({ scene_id, post }) => {
      const project = join(folder, "large.form");
      const small = join(folder, "small.stl");
      writeFileSync(small, binaryStl(box([10, 12, 14])));
      const large = await newScene(post);
      await post("/v1/scene/model/import/", { scene_id: large, file: bumpySphereFile(HOLDING_FACETS) });
      await post("/v1/scene/save/", { scene_ids: [large], file: project });
      const others: string[] = [];
      while (others.length < count) {
        others.push((await post("/v1/scene/open/", { file: project })).scenes[0].scene_id);
      }
      await post("/v1/scene/model/import/", { scene_id, file: small });
      // Does not wait for the answers: the server ends running work when it stops.
      for (const other of others) post("/v1/scene/model/auto-support/", { scene_id: other }).catch(() => {});
      await sleep(1000);
      const asks: [what: string, aim: string, ask: () => Promise<unknown>][] = [
        ["import of 12 triangles", "≤ 100 ms", () => importInto(post, small)],
        [
          "picture of 100 px",
          "≤ 300 ms",
          () => post("/v1/scene/render/", { scene_id, file: join(folder, "small.png"), image_size_px: 100 }),
        ],
        ["check of a small part", "≤ 300 ms", () => post("/v1/scene/model/validate/manifoldness/", { scene_id })],
      ];
      const rows: Row[] = [];
      for (const [what, aim, ask] of asks) {
        const times: number[] = [];
        for (let round = 0; round < FAIR_ROUNDS; round++) times.push(await timed(ask));
        rows.push({ what: `${what} while ${count} long operations run or wait`, ours: worst(times), aim });
      }
      return rows;
    }),
  );

const newScene = async (post: BenchServer["post"]): Promise<string> =>
  (await post("/v1/scene/create/", RESIN)).scene_id;
const importInto = async (post: BenchServer["post"], file: string): Promise<unknown> =>
  post("/v1/scene/model/import/", { scene_id: await newScene(post), file });

/** Numbers of threads beside whose chunks a part is imported. */
const THREADS = [1, 2, 4, 16];
const WARMING_IMPORTS = 4;
const IDLE_IMPORTS = 20;
/** Longest time between two imports. */
const PAUSE_MS = 30;

/** Imports of a part of 1,466 facets beside the chunks of each long request, and on an idle server whose threads are warm. */
export const besideChunks = (threads: number, requests: readonly LongRequest[] = LONG_REQUESTS): Promise<Row[]> =>
  withFolder((folder) =>
    withServer(
      async (server) => {
        const rows: Row[] = [];
        const idle: number[] = [];
        for (let i = 0; i < WARMING_IMPORTS + IDLE_IMPORTS; i++) idle.push(await smallImportMs(server));
        idle.splice(0, WARMING_IMPORTS);
        for (const request of requests) {
          const one = await prepareLongRequest(request, folder, server);
          const times: number[] = [];
          const running = new Set([one]);
          const sent = one.send().finally(() => running.clear());
          while (running.size > 0) {
            times.push(await smallImportMs(server));
            await sleep(Math.random() * PAUSE_MS);
          }
          await sent;
          await one.end();
          rows.push({
            what: `import of 1,466 facets beside the chunks of a request for ${request.name} on ${threads} threads`,
            ours: spread(times),
            beside: `${spread(idle)} on an idle server`,
            aim: "≤ 100 ms",
          });
        }
        return rows;
      },
      ["--threads", String(threads)],
    ),
  );

async function smallImportMs({ call, post }: BenchServer): Promise<number> {
  const scene_id = await newScene(post);
  const took = await timed(() => post("/v1/scene/model/import/", { scene_id, file: MODEL_FILES["65004"] }));
  await call("DELETE", "/v1/scene/delete/", { scene_id });
  return took;
}

const spread = (times: readonly number[]): string =>
  `p50 ${ms(quantile(times, 0.5))}, p95 ${ms(quantile(times, 0.95))}, worst ${ms(Math.max(...times))}`;

/** Two customers with equal long requests at once. */
export const twoCustomers = (requests: readonly LongRequest[] = LONG_REQUESTS): Promise<Row[]> =>
  withFolder((folder) =>
    withServer(async (server) => {
      const rows: Row[] = [];
      for (const request of requests) {
        const [first, alone, ...both] = await Promise.all(
          [1, 2, 3, 4].map(() => prepareLongRequest(request, folder, server)),
        );
        // The first one warms the threads.
        await first!.send();
        const usedBefore = processorMs(server.pid);
        const aloneMs = await timed(alone!.send);
        const aloneProcessorMs = processorMs(server.pid) - usedBefore;
        const times = await Promise.all(both.map(({ send }) => timed(send)));
        const bothProcessorMs = processorMs(server.pid) - usedBefore - aloneProcessorMs;
        for (const one of [first!, alone!, ...both]) await one.end();
        rows.push({
          what: `${request.name} for two customers at once`,
          ours: `${times.map((time) => ratio(time, aloneMs)).join(" and ")} the time of one alone (${ms(aloneMs)})`,
          beside: `${ratio(bothProcessorMs, aloneProcessorMs)} its processor time`,
          aim: "≤ 3× each",
        });
      }
      return rows;
    }),
  );
