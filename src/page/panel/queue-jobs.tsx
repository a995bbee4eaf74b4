import type { HeldJob, Queue } from "../server/replies.ts";
import { orderJob } from "../state/printers.ts";

/** Texts of the states of a held job. */
const STATES: Readonly<Record<HeldJob["state"], string>> = {
  WAITING_FOR_RELEASE: "starts once a platform is clear",
  WAITING_FOR_PRINTER: "waits for a printer",
  SENDING: "goes to a printer",
  SET_ASIDE: "set aside",
};

/** Jobs that a queue holds, with buttons for orders. */
export function QueueJobs({ queue }: { queue: Queue }) {
  if (queue.jobs.length === 0) return null;
  const isReleasable = queue.jobs.some((job) => releasableOn(queue, job).length > 0);
  return (
    <div class="queue-jobs">
      <ul aria-label={`Jobs of ${queue.name}`}>
        {queue.jobs.map((job, index) => (
          <Job key={job.id} job={job} isFirst={index === 0} printers={releasableOn(queue, job)} />
        ))}
      </ul>
      {isReleasable && <p class="note">Start a print only where the last one was taken off the platform.</p>}
    </div>
  );
}

/** Printers on which the user can start the job. */
const releasableOn = ({ queue_paused }: Queue, { state, ready_printers }: HeldJob): readonly string[] =>
  state === "WAITING_FOR_RELEASE" && !queue_paused ? ready_printers : [];

function Job({ job, isFirst, printers }: { job: HeldJob; isFirst: boolean; printers: readonly string[] }) {
  const { name, state, reason } = job;
  const isSending = state === "SENDING";
  return (
    <li>
      <span>
        <b>{name}</b>
        <small>{[STATES[state], reason].filter(Boolean).join(": ")}</small>
      </span>
      <span class="job-orders">
        {printers.map((printer) => (
          <button
            key={printer}
            type="button"
            class="plain"
            aria-label={`Start ${name} on ${printer}, whose platform is clear`}
            onClick={() => void orderJob(job, "RELEASE", printer)}
          >
            Start on {printer}
          </button>
        ))}
        {state === "SET_ASIDE" && (
          <button
            type="button"
            class="plain"
            aria-label={`Send ${name} again`}
            onClick={() => void orderJob(job, "RETRY")}
          >
            Retry
          </button>
        )}
        {!isFirst && !isSending && (
          <button
            type="button"
            class="plain"
            aria-label={`Put ${name} first`}
            onClick={() => void orderJob(job, "FIRST")}
          >
            First
          </button>
        )}
        {!isSending && (
          <button
            type="button"
            class="plain"
            aria-label={`Drop the job ${name}`}
            onClick={() => void orderJob(job, "CANCEL")}
          >
            Drop
          </button>
        )}
      </span>
    </li>
  );
}
