import type { Runner } from "../http/run-request.ts";
import type { PagePrints } from "./work-replies.ts";

/** The prints that run on printers, with what these say about them. */
export const printsOf = ({ printers }: Pick<Runner["server"], "printers">): PagePrints => ({
  prints: printers.running().map(({ jobId, jobName, printer, device }) => {
    const known = device?.describe();
    const remainingMs =
      known && "estimated_print_time_remaining_ms" in known && known.estimated_print_time_remaining_ms;
    return {
      job_id: jobId,
      job_name: jobName,
      printer,
      status: known?.status ?? null,
      remaining_ms: typeof remainingMs === "number" ? remainingMs : null,
    };
  }),
});
