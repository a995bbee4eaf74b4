import { counted } from "../../core/quantities.ts";
import { signal } from "@preact/signals";
import { call, get, isServerGone, post } from "../server/call.ts";
import type { ListedDevice, ListedJob, Queue, UnusableDevice } from "../server/replies.ts";
import type { PagePrints } from "../../ui/work-replies.ts";
import { notify } from "./notices.ts";
import { connection, refresh } from "./project.ts";
import { noteRunningPrints } from "./running-prints.ts";
import { callEndpoint, runTask, notifyFailure } from "./tasks.ts";

/** Connected printers and queues; undefined until they are fetched. */
export const printers = signal<readonly ListedDevice[] | undefined>(undefined);
/** Printers that were found, or named at the start, and cannot be used. */
export const unusablePrinters = signal<readonly UnusableDevice[]>([]);
/** Queues of the printers file, with the jobs that they hold. */
export const queues = signal<readonly Queue[]>([]);
/** Interval at which printers are fetched while the page is visible. */
const WATCH_MS = 4000;
const DISCOVER_SECONDS = 5;

export async function refreshPrinters(): Promise<void> {
  try {
    const [{ prints }, { devices }, unusable] = await Promise.all([
      get<PagePrints>("/ui/prints/"),
      get<{ devices: ListedDevice[] }>("/v1/device/list/"),
      get<{ devices: UnusableDevice[] }>("/v1/device/unusable/"),
    ]);
    const hasQueues = devices.some((device) => device.queue_paused !== undefined);
    queues.value = hasQueues ? (await get<{ queues: Queue[] }>("/v1/queue/list/")).queues : [];
    unusablePrinters.value = unusable.devices;
    printers.value = devices;
    noteRunningPrints(prints);
  } catch (thrown) {
    if (!isServerGone(thrown)) notifyFailure("Printers", thrown);
  }
}

/** Fetches the states of printers regularly. */
export function watchPrinters(): void {
  void refreshPrinters();
  setInterval(() => {
    if (document.visibilityState === "visible" && connection.value === "live") void refreshPrinters();
  }, WATCH_MS);
}

/** Sends an order about a held job to its queue. `printer` is the printer to start on; its platform must be clear. */
export async function sendJobOrder(
  { id, name }: ListedJob,
  action: "RELEASE" | "CANCEL" | "FIRST" | "RETRY",
  printer?: string,
): Promise<void> {
  try {
    await post("/v1/queue/job/update/", { job_id: id, action, ...(printer !== undefined && { printer }) });
  } catch (thrown) {
    notifyFailure(`Job ${name}`, thrown);
  }
  await refreshPrinters();
}

/** Searches the network for printers, or for one printer by its address or name. */
export async function discover(address: string): Promise<void> {
  const body = { timeout_seconds: DISCOVER_SECONDS, ...(address !== "" && { printer: address }) };
  const outcome = await runTask("Search for printers", (context) =>
    callEndpoint<{ count: number }>("/v1/device/discover/", body, context),
  );
  await refreshPrinters();
  if (!outcome) return;
  const unusable = unusablePrinters.value.length;
  notify({
    severity: "info",
    text: `${counted(outcome.result.count, "printer")} can be used.${unusable > 0 ? ` The list says why ${counted(unusable, "other")} cannot.` : ""}`,
  });
}

/** Logs in with a name and a password, or with a token. Returns whether it succeeded. */
export async function logIn(credentials: object): Promise<boolean> {
  try {
    await post("/v1/login/", credentials);
  } catch (thrown) {
    notifyFailure("Log in", thrown);
    return false;
  }
  await Promise.all([refresh(), refreshPrinters()]);
  return true;
}

export async function logOut(): Promise<void> {
  await call("POST", "/v1/logout/").catch((thrown) => notifyFailure("Log out", thrown));
  await Promise.all([refresh(), refreshPrinters()]);
}
