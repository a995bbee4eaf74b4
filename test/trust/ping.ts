import { Agent, createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type MessagePort, Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import type { AddressInfo } from "node:net";
import { quantile } from "../bench/measure.ts";
import { call } from "../fixture/client.ts";

const PAUSE_MS = 20;

/** Latencies in milliseconds of pings, of the server and of an idle server beside it, which shows what the machine does. */
export interface PingTimes {
  readonly server: readonly number[];
  readonly idle: readonly number[];
}

/** Pings a server all the time, from a thread of its own. */
export class Pinger {
  readonly #worker: Worker;

  constructor(port: number) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: port });
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

/** For the table: the median and the longest of the server, and the longest of the idle server. */
export const describePings = ({ server, idle }: PingTimes): string =>
  `${Math.round(quantile(server, 0.5))} / ${Math.round(quantile(server, 1))} (${Math.round(quantile(idle, 1))})`;

async function pingForever(port: number, parent: MessagePort): Promise<void> {
  const idleServer = createServer((_, answer) => answer.end("{}")).listen(0, "127.0.0.1");
  await new Promise((resolve) => idleServer.once("listening", resolve));
  const ports = { server: port, idle: (idleServer.address() as AddressInfo).port };
  const agent = new Agent({ keepAlive: true });
  let times: Record<keyof PingTimes, number[]> = { server: [], idle: [] };
  parent.on("message", () => {
    parent.postMessage(times);
    times = { server: [], idle: [] };
  });
  for (;;) {
    for (const which of ["server", "idle"] as const) {
      const began = performance.now();
      // A server that was stopped is not this thread's concern.
      await call(ports[which], "GET", "/v1/", undefined, { agent }).catch(() => {});
      times[which].push(performance.now() - began);
    }
    await sleep(PAUSE_MS);
  }
}

if (!isMainThread && parentPort) void pingForever(workerData as number, parentPort);
