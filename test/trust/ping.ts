import { Agent, createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type MessagePort, Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import type { AddressInfo } from "node:net";
import { quantile } from "../bench/measure.ts";
import { call } from "../fixture/client.ts";

const PAUSE_MS = 20;

/** Latencies of pings in milliseconds: of the server, and of an idle server next to it, which shows the influence of the machine. */
export interface PingTimes {
  readonly server: readonly number[];
  readonly idle: readonly number[];
  /** Latencies of read requests, by path. */
  readonly reads: Readonly<Record<string, readonly number[]>>;
}

interface PingOptions {
  /** Also sends read requests between the pings. */
  readonly reads: boolean;
}

/** Pings a server continuously, from a separate thread. */
export class Pinger {
  readonly #worker: Worker;

  constructor(port: number, { reads }: PingOptions = { reads: false }) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: { port, reads } });
  }

  /** The latencies since the start or the last call. */
  times(): Promise<PingTimes> {
    return new Promise((resolve) => {
      this.#worker.once("message", resolve);
      this.#worker.postMessage("times");
    });
  }

  stop(): Promise<number> {
    return this.#worker.terminate();
  }
}

/** For the table: the median and the maximum of the server, and the maximum of the idle server. */
export const describePings = ({ server, idle }: PingTimes): string =>
  `${Math.round(quantile(server, 0.5))} / ${Math.round(quantile(server, 1))} (${Math.round(quantile(idle, 1))})`;

/** Read requests; the body of some has the id of a scene. */
const READS: readonly (readonly [method: string, path: string, bodyOf: (scene_id: string) => object])[] = [
  ["POST", "/v1/scene/get/", (scene_id) => ({ scene_id })],
  ["POST", "/v1/scene/model/list/", (scene_id) => ({ scene_id })],
  ["POST", "/v1/scene/metadata/", (scene_id) => ({ scene_id })],
  ["POST", "/v1/scene/estimate-print-time/", (scene_id) => ({ scene_id })],
  ["POST", "/v1/scene/model/validate/in-bounds/", (scene_id) => ({ scene_id })],
  ["POST", "/v1/operation/list/", () => ({})],
  ["GET", "/v1/device/list/", () => ({})],
  ["POST", "/v1/print-setting/validate/", () => PRINT_SETTING],
];

const PRINT_SETTING = { machine_type: "FORM-4-0", material_code: "FLGPGR05", layer_thickness_mm: 0.1 };

async function pingForever(port: number, reads: boolean, parent: MessagePort): Promise<void> {
  const idleServer = createServer((_, answer) => answer.end("{}")).listen(0, "127.0.0.1");
  await new Promise((resolve) => idleServer.once("listening", resolve));
  const idlePort = (idleServer.address() as AddressInfo).port;
  const agent = new Agent({ keepAlive: true });
  const noTimes = () => ({ server: [] as number[], idle: [] as number[], reads: {} as Record<string, number[]> });
  let times = noTimes();
  parent.on("message", () => {
    parent.postMessage(times);
    times = noTimes();
  });
  async function timed(to: number, method: string, path: string, body?: object) {
    const began = performance.now();
    // A stopped server is no fault for this thread.
    const reply = await call(to, method, path, body, { agent }).catch(() => undefined);
    return { reply, ms: performance.now() - began };
  }
  for (let round = 0; ; round++) {
    times.server.push((await timed(port, "GET", "/v1/")).ms);
    times.idle.push((await timed(idlePort, "GET", "/v1/")).ms);
    if (reads) {
      const list = await timed(port, "GET", "/v1/scene/list/");
      (times.reads["/v1/scene/list/"] ??= []).push(list.ms);
      const scenes = (list.reply?.body?.scenes ?? []) as { id: string }[];
      for (const [method, path, bodyOf] of scenes.length === 0 ? [] : READS) {
        const { ms } = await timed(port, method, path, bodyOf(scenes[round % scenes.length].id));
        (times.reads[path] ??= []).push(ms);
      }
    }
    await sleep(PAUSE_MS);
  }
}

if (!isMainThread && parentPort) {
  const { port, reads } = workerData as { readonly port: number } & PingOptions;
  void pingForever(port, reads, parentPort);
}
