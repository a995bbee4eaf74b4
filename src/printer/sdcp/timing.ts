/** How long things may take and how often they are repeated, ms. Tests give shorter ones. */
export interface Timing {
  /** When a question for printers is sent, from the begin of a search; then again each `probeEveryMs`. */
  readonly probesMs: readonly number[];
  readonly probeEveryMs: number;
  /** How long one printer is given to answer such a question. */
  readonly probeMs: number;
  readonly connectMs: number;
  /** From a command to its acknowledgement, and from that to the content that is pushed after it. */
  readonly ackMs: number;
  readonly contentMs: number;
  readonly idlePollMs: number;
  readonly busyPollMs: number;
  readonly attributesMs: number;
  /** A printer that was not heard for this long is lost. */
  readonly deadMs: number;
  /** Between two tries to connect: the first wait, which doubles up to the last. */
  readonly backoffMs: readonly [first: number, last: number];
  /** How long a job waits for a connection that was lost to come back. */
  readonly reconnectMs: number;
  /** From the end of a part to the answer to it. */
  readonly partMs: number;
  /** Until a transfer that broke is begun anew. */
  readonly retryMs: number;
  readonly transferPollMs: number;
  /** How long a printer may check a job, and how much longer for each MiB of it. */
  readonly transferMs: number;
  readonly transferPerMibMs: number;
  readonly startRetryMs: number;
  readonly startMs: number;
  readonly confirmMs: number;
  /** V1: until a printer that is asked to connect has done so, and until it is lost when it fetches no more of a file. */
  readonly callMs: number;
  readonly stalledMs: number;
}

/**
 * From what drivers and measurements on printers show: an acknowledgement may take 10 s, content 5 s; a printer that is asked each 25 s stays
 * connected; after an upload it is busy for up to 15 s and checks 13.5 MB in 9 s; a print shows within 2 s.
 */
export const TIMING: Timing = {
  probesMs: [0, 1000, 3000],
  probeEveryMs: 10_000,
  probeMs: 5000,
  connectMs: 10_000,
  ackMs: 10_000,
  contentMs: 5000,
  idlePollMs: 25_000,
  busyPollMs: 3000,
  attributesMs: 300_000,
  deadMs: 75_000,
  backoffMs: [2000, 60_000],
  reconnectMs: 10_000,
  partMs: 60_000,
  retryMs: 2000,
  transferPollMs: 1000,
  transferMs: 60_000,
  transferPerMibMs: 1000,
  startRetryMs: 2000,
  startMs: 30_000,
  confirmMs: 10_000,
  callMs: 15_000,
  stalledMs: 60_000,
};
