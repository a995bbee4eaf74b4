import { parentPort } from "node:worker_threads";
import { type MediumOrder, workOnMedium } from "./printer/folder/medium-work.ts";
import type { MediumReply } from "./printer/folder/medium.ts";

// Entry point of the threads that work on the folders of printers, one for each folder. It is in the same folder as `main.ts`, as `worker.ts` is.

// parentPort is null in the main thread only.
const port = parentPort!;
const send = (reply: MediumReply): void => port.postMessage(reply);

port.on("message", (order: MediumOrder) => {
  const result = workOnMedium(order, (bytes) => send({ bytes }));
  send({ result });
});
