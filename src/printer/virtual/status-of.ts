import { layerOf, type Moment } from "./moment.ts";

/** What a virtual printer does, for people. */
export function statusOf(moment: Moment): string {
  const { held } = moment;
  if (held === 0) return activity(moment);
  return `${activity(moment)}; holds ${held} ${held === 1 ? "job" : "jobs"}`;
}

function activity(moment: Moment): string {
  const { print, finished, isReceiving } = moment;
  if (print) {
    const name = JSON.stringify(print.job.name);
    if (print.progress.phase === "preparing") return `Preparing to print ${name}`;
    if (print.progress.phase === "cooling") return `Cooling down after ${name}`;
    return `Printing ${name}, layer ${layerOf(moment)} of ${print.layerCount}`;
  }
  if (isReceiving) return "Receiving a job";
  return finished === undefined ? "Ready" : `Ready; finished ${JSON.stringify(finished)}`;
}
