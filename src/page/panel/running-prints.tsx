import { duration } from "../../core/quantities.ts";
import { isPrintOpen } from "../state/print.ts";
import { type JobOnItsWay, type RunningPrint, jobsOnTheirWay, runningPrints } from "../state/running-prints.ts";

/** Prints that are named; more are counted. */
const MOST_NAMED = 2;

/** The jobs of the scene on their way to printers, and below them the prints that run on printers. */
export function RunningPrints() {
  const prints = runningPrints.value;
  return (
    <>
      {jobsOnTheirWay.value.map((job) => (
        <Job key={job.id} job={job} />
      ))}
      {prints.length > 0 && (
        <div class="foot-prints" role="group" aria-label="Running prints">
          <ul>
            {prints.slice(0, MOST_NAMED).map((print) => (
              <li key={print.job_id}>{printText(print)}</li>
            ))}
            {prints.length > MOST_NAMED && <li>and {prints.length - MOST_NAMED} more</li>}
          </ul>
          <button
            type="button"
            class="plain"
            aria-label="Show printers"
            title="A running print is stopped at the printer itself"
            onClick={() => (isPrintOpen.value = true)}
          >
            Show
          </button>
        </div>
      )}
    </>
  );
}

function Job({ job: { stage, progress, cancel } }: { job: JobOnItsWay }) {
  return (
    <div class="foot-task">
      <span>
        {stage} · {Math.floor(progress * 100)} %
      </span>
      <button type="button" class="plain" aria-label="Cancel the job" disabled={!cancel} onClick={cancel}>
        Cancel
      </button>
      <progress aria-label="Job" max={1} value={progress} />
    </div>
  );
}

/** "Left: Printing “cup”, layer 3 of 40 · 1 h 20 min left", or "“cup” on Left: Printing" where the printer does not say the name. */
function printText({ printer, job_name, status, remaining_ms }: RunningPrint): string {
  if (status === null) return `${printer} prints “${job_name}” and does not answer now`;
  const left = remaining_ms === null || remaining_ms === 0 ? "" : ` · ${duration(remaining_ms / 1000)} left`;
  const where = status.includes(job_name) ? printer : `“${job_name}” on ${printer}`;
  return `${where}: ${status}${left}`;
}
