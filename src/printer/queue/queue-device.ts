import { UNKNOWN_MACHINE_TYPE } from "../../catalog/setting.ts";
import { QUEUE_PRODUCT_NAME, type QueueDevice } from "../device.ts";
import type { QueuedJob } from "../printer.ts";
import type { QueueConfig } from "../printers-file.ts";

/** The state of a queue, apart from its configuration. */
interface QueueState {
  /** Number of its printers that can begin a print. */
  readonly readyCount: number;
  /** The states of the jobs that it holds. */
  readonly states: readonly QueuedJob["state"][];
  readonly typesByName: ReadonlyMap<string, readonly string[]>;
  readonly machineTypes: readonly string[];
}

/** A queue as a device of `device/list`. */
export function queueDevice(
  config: QueueConfig,
  { readyCount, states, typesByName, machineTypes }: QueueState,
): QueueDevice {
  const { id, groupId, name, printers: names, paused } = config;
  const countOf = (state: QueuedJob["state"]): number => states.filter((one) => one === state).length;
  const setAside = countOf("SET_ASIDE");
  const unreleased = countOf("WAITING_FOR_RELEASE");
  const held = states.length - setAside;
  const parts = [
    `${readyCount} of ${names.length} ${names.length === 1 ? "printer" : "printers"} ready`,
    ...(held > 0 ? [`holds ${held} ${held === 1 ? "job" : "jobs"}`] : []),
    ...(unreleased > 0 ? [`${unreleased} to be released`] : []),
    ...(setAside > 0 ? [`${setAside} set aside: see queue/list`] : []),
  ];
  return {
    id,
    product_name: QUEUE_PRODUCT_NAME,
    status: `${name}: ${paused ? "paused; " : ""}${parts.join("; ")}`,
    is_connected: true,
    firmware_version: "",
    dashboard_group_id: groupId,
    dashboard_queue_id: id,
    ready_to_print_now: !paused && readyCount > 0,
    queue_paused: paused,
    has_form_auto: false,
    supported_machine_type_ids: machineTypes,
    printers: names.map((one) => ({ id: one, machine_type_id: typesByName.get(one)?.[0] ?? UNKNOWN_MACHINE_TYPE })),
  };
}
