/** Durations and intervals, ms. Tests use shorter ones. */
export interface Timing {
  /** Times of the first discovery questions since the beginning of a search; further ones follow every `probeEveryMs`. */
  readonly probesMs: readonly number[];
  readonly probeEveryMs: number;
  /** How long a search for one host waits for its reply. */
  readonly probeMs: number;
  readonly connectMs: number;
  /** From a command to its acknowledgement, and from there to the state that is pushed after it. */
  readonly ackMs: number;
  readonly contentMs: number;
  readonly idlePollMs: number;
  readonly busyPollMs: number;
  readonly attributesMs: number;
  /** A printer from which nothing arrived for this long is lost. */
  readonly deadMs: number;
  /** Between two attempts to connect: the first wait, which doubles up to the last. */
  readonly backoffMs: readonly [first: number, last: number];
  /** How long a job waits for a lost connection to return. */
  readonly reconnectMs: number;
  /** From the end of a part of a file to the reply. */
  readonly partMs: number;
  /** Before a broken upload is repeated. */
  readonly retryMs: number;
  readonly transferPollMs: number;
  /** How long a printer may check a job, and how much longer per MiB of it. */
  readonly transferMs: number;
  readonly transferPerMibMs: number;
  readonly startRetryMs: number;
  readonly startMs: number;
  readonly confirmMs: number;
  /** V1: how long a printer may take to connect when it is asked to, and how long a fetch may make no progress. */
  readonly callMs: number;
  readonly stalledMs: number;
}

/**
 * Sources: drivers and measurements on printers. An acknowledgement may take 10 s, pushed state 5 s; a printer that is asked every 25 s
 * stays connected; after an upload it is busy for up to 15 s and checks 13.5 MB in 9 s; a print shows within 2 s.
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
