import * as v from "valibot";
import { printerTypes, printableMachineTypes } from "../../catalog/catalog.ts";
import { type ApiError, operationFailed } from "../../core/api-error.ts";
import { QUEUE_PRODUCT_NAME } from "../device.ts";
import { HttpFailure } from "../http-failure.ts";
import type { KnownPrinter } from "../known-printers.ts";
import { lenient, shortText } from "../polled/lenient.ts";
import type { MachineFacts, MachineStatus } from "../polled/machine.ts";
import type { MakerCalls } from "./maker-calls.ts";

const device = v.object({
  id: v.pipe(shortText, v.nonEmpty()),
  product_name: shortText,
  status: v.fallback(shortText, "Unknown"),
  is_connected: v.fallback(v.boolean(), false),
  ip_address: v.fallback(shortText, ""),
  firmware_version: v.fallback(shortText, ""),
  ready_to_print_now: lenient(v.boolean()),
});

/** A printer that a server of the maker lists. */
export type ListedDevice = v.InferOutput<typeof device>;

const devicesReply = v.object({ devices: v.array(v.unknown()) });

/** Most printers of a server that are used. */
const MAX_DEVICES = 1000;

/** The connected printers of a server. Groups of printers, and entries that are malformed, are left out. */
export async function listDevices(calls: MakerCalls, signal: AbortSignal): Promise<ListedDevice[]> {
  const { devices } = await calls.read("/devices/", devicesReply, signal);
  return devices
    .slice(0, MAX_DEVICES)
    .flatMap((one) => {
      const { success, output } = v.safeParse(device, one);
      return success ? [output] : [];
    })
    .filter(({ is_connected, product_name }) => is_connected && product_name !== QUEUE_PRODUCT_NAME);
}

/** Asks for one printer. Throws {@link HttpFailure} where it is not connected. */
export async function askDevice(calls: MakerCalls, id: string, signal: AbortSignal): Promise<ListedDevice> {
  const found = await calls.read(`/devices/${encodeURIComponent(id)}/`, device, signal);
  if (!found.is_connected) throw notListed(calls.base);
  return found;
}

/** The failure to reach a printer that its server does not list as connected. */
export const notListed = (base: URL): HttpFailure =>
  new HttpFailure(
    "unreached",
    base,
    "does not list it as connected",
    "look at the printer, and at the maker's program",
  );

/** The state of a printer. Servers may leave out whether it is ready; then these words say so. */
export function statusOf({ status, ready_to_print_now }: ListedDevice, problem: ApiError | undefined): MachineStatus {
  if (problem) return { text: "Its server and this program share no folder", isReady: false };
  return { text: status, isReady: ready_to_print_now ?? /^(?:idle|ready)/i.test(status) };
}

/** What is known of a printer; undefined where its product is not in the catalog. */
export function factsOf(listed: ListedDevice, problem: ApiError | undefined): MachineFacts | undefined {
  const { id, product_name: productName, firmware_version: firmwareVersion } = listed;
  const types = printerTypes().filter(({ job, productNames }) => job === "form" && productNames.includes(productName));
  const [printerType] = types;
  if (!printerType) return undefined;
  return {
    id,
    otherNames: [],
    printerType,
    productName,
    machineTypes: [...new Set(types.flatMap(({ machineType }) => printableMachineTypes(machineType)))],
    firmwareVersion,
    firmwareWay: "install it with the maker's program",
    takesModels: true,
    ...(problem && { problem }),
  };
}

/** Why no job can be given to a server: it imports files by their paths. */
export function problemOf({ host, sharedFolder }: KnownPrinter): ApiError | undefined {
  if (sharedFolder !== undefined || isThisMachine(host)) return undefined;
  return operationFailed(
    `its server ${host} is on another machine: name a folder that both see as shared_folder in the printers file`,
  );
}

const isThisMachine = (host: string): boolean => /^(?:localhost|127(?:\.\d+){3}|::1)$/i.test(host);
