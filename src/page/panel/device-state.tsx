import type { ListedDevice } from "../server/replies.ts";

/** Whether a printer can print now, as a word. */
export function DeviceState({ device }: { device: ListedDevice }) {
  const state = device.ready_to_print_now ? "ready" : device.queue_paused ? "paused" : "not ready";
  return <span class={`state state-${state.replace(" ", "-")}`}>{state}</span>;
}
