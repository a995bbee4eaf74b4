import * as v from "valibot";
import type { PrintTime } from "../../slice/time/print-time.ts";

const resinEntries = { total_print_time_s: v.number(), preprint_time_s: v.number(), printing_time_s: v.number() };

/** The reply of scene/calculate-print-time by printer family (interface supplement, section 5). */
export const printTimeReply = v.union([
  v.object({ ...resinEntries, cool_to_removal_time_s: v.number(), additional_cool_to_room_temp_time_s: v.number() }),
  v.object(resinEntries),
]);

/** A print's time as responses show it, seconds: three fields for resin, five for powder. */
export const printTimeOnWire = (time: PrintTime): v.InferInput<typeof printTimeReply> => ({
  total_print_time_s: time.totalS,
  preprint_time_s: time.preprintS,
  printing_time_s: time.printingS,
  ...(time.cooling && {
    cool_to_removal_time_s: time.cooling.toRemovalS,
    additional_cool_to_room_temp_time_s: time.cooling.thenToRoomTempS,
  }),
});
