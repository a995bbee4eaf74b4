import type { ListedJob, Queue } from "../server/replies.ts";
import { sendJobOrder } from "../state/printers.ts";

/** Texts of the states of a held job. */
const STATES: Readonly<Record<ListedJob["state"], string>> = {
  WAITING_FOR_RELEASE: "starts once a platform is clear",
  WAITING_FOR_PRINTER: "waits for a printer",
  SENDING: "is being sent to a printer",
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
      {isReleasable && <p class="note">Start a print only on a printer whose platform is clear.</p>}
    </div>
  );
}

/** Printers on which the user can start the job. */
const releasableOn = ({ queue_paused }: Queue, { state, ready_printers }: ListedJob): readonly string[] =>
  state === "WAITING_FOR_RELEASE" && !queue_paused ? ready_printers : [];

/** A button that sends an order about a held job. */
interface JobOrder {
  readonly text: string;
  /** Name for screen readers. */
  readonly label: string;
  readonly run: () => Promise<void>;
}

/** Orders that the user can send about a job. `printers` are those on which it can start. */
function ordersOf(job: ListedJob, isFirst: boolean, printers: readonly string[]): readonly JobOrder[] {
  const { name, state } = job;
  const isSending = state === "SENDING";
  const orders: (JobOrder | false)[] = [
    ...printers.map((printer) => ({
      text: `Start on ${printer}`,
      label: `Start ${name} on ${printer}, whose platform is clear`,
      run: () => sendJobOrder(job, "RELEASE", printer),
    })),
    state === "SET_ASIDE" && { text: "Retry", label: `Send ${name} again`, run: () => sendJobOrder(job, "RETRY") },
    !isFirst &&
      !isSending && {
        text: "Move to front",
        label: `Move ${name} to the front`,
        run: () => sendJobOrder(job, "FIRST"),
      },
    !isSending && { text: "Remove", label: `Remove the job ${name}`, run: () => sendJobOrder(job, "CANCEL") },
  ];
  return orders.filter((order) => order !== false);
}

function Job({ job, isFirst, printers }: { job: ListedJob; isFirst: boolean; printers: readonly string[] }) {
  const { name, state, reason } = job;
  return (
    <li>
      <span>
        <b>{name}</b>
        <small>{[STATES[state], reason].filter(Boolean).join(": ")}</small>
      </span>
      <span class="job-orders">
        {ordersOf(job, isFirst, printers).map(({ text, label, run }) => (
          <button key={label} type="button" class="plain" aria-label={label} onClick={() => void run()}>
            {text}
          </button>
        ))}
      </span>
    </li>
  );
}
