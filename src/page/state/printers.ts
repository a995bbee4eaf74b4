import { signal } from "@preact/signals";
import { call, get, isServerGone, post } from "../server/call.ts";
import type { Device, HeldJob, Queue } from "../server/replies.ts";
import { notify } from "./notices.ts";
import { connection, refresh } from "./project.ts";
import { callEndpoint, runTask, tellFailure } from "./tasks.ts";

/** Printers and queues that are connected; undefined until they are known. */
export const printers = signal<readonly Device[] | undefined>(undefined);
/** The queues of the printers file, with the jobs that they hold. */
export const queues = signal<readonly Queue[]>([]);
/** Printers are asked for this often while the page is in front. */
const WATCH_MS = 4000;
const DISCOVER_SECONDS = 5;

export async function refreshPrinters(): Promise<void> {
  try {
    const { devices } = await get<{ devices: Device[] }>("/v1/device/list/");
    const hasQueues = devices.some((device) => device.queue_paused !== undefined);
    queues.value = hasQueues ? (await get<{ queues: Queue[] }>("/v1/queue/list/")).queues : [];
    printers.value = devices;
  } catch (thrown) {
    if (!isServerGone(thrown)) tellFailure("Printers", thrown);
  }
}

/** Keeps the states of printers fresh. */
export function watchPrinters(): void {
  void refreshPrinters();
  setInterval(() => {
    if (document.visibilityState === "visible" && connection.value === "live") void refreshPrinters();
  }, WATCH_MS);
}

/** Has a queue do something with a job that it holds. `printer` is one whose platform is clear. */
export async function orderJob(
  { id, name }: HeldJob,
  action: "RELEASE" | "CANCEL" | "FIRST" | "RETRY",
  printer?: string,
): Promise<void> {
  try {
    await post("/v1/queue/job/update/", { job_id: id, action, ...(printer !== undefined && { printer }) });
  } catch (thrown) {
    tellFailure(`Job ${name}`, thrown);
  }
  await refreshPrinters();
}

/** Looks for printers in the network, or for one at an address. */
export async function discover(address: string): Promise<void> {
  const body = { timeout_seconds: DISCOVER_SECONDS, ...(address !== "" && { printer: address }) };
  const outcome = await runTask("Look for printers", (following) =>
    callEndpoint<{ count: number }>("/v1/device/discover/", body, following),
  );
  await refreshPrinters();
  if (outcome) notify({ severity: "info", text: `${outcome.result.count} printers of the network answer.` });
}

/** Logs in by a name and a password, or by a token. Returns whether it worked. */
export async function login(credentials: object): Promise<boolean> {
  try {
    await post("/v1/login/", credentials);
  } catch (thrown) {
    tellFailure("Log in", thrown);
    return false;
  }
  await Promise.all([refresh(), refreshPrinters()]);
  return true;
}

export async function logout(): Promise<void> {
  await call("POST", "/v1/logout/").catch((thrown) => tellFailure("Log out", thrown));
  await Promise.all([refresh(), refreshPrinters()]);
}
