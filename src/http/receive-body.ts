import type { IncomingMessage } from "node:http";
import { ApiError } from "../core/api-error.ts";

/** Limits for bodies until they have been received and parsed. */
export interface BodyLimits {
  /** Size of one body (interface supplement, section 1, "Bodies"). */
  readonly bytes: number;
  /** Total size of all unfinished bodies. */
  readonly unfinishedBytes: number;
  /** Longest time without a byte. */
  readonly idleMs: number;
  /** Longest time from the head of the request to the last byte of its body. */
  readonly totalMs: number;
}

export const DEFAULT_BODY_LIMITS: BodyLimits = {
  bytes: 16 * 2 ** 20,
  unfinishedBytes: 64 * 2 ** 20,
  idleMs: 10_000,
  totalMs: 60_000,
};

/** A received body. Until it is released, it takes memory and counts as unfinished. */
export interface ReceivedBody {
  readonly size: number;
  bytes(): Uint8Array;
  release(): void;
}

/** A body that is being received, or waits to be parsed. */
interface UnfinishedBody {
  chunks: Uint8Array[];
  size: number;
  isComplete: boolean;
  /** Reason why the body is dropped. */
  refusal?: ApiError;
}

export type BodyReceiver = (incoming: IncomingMessage) => Promise<ReceivedBody | undefined>;

/**
 * Receives bodies. Throws REQUEST_TIMEOUT for a body that does not arrive in time, and BODY_TOO_LARGE for a body that is too large, or
 * that is the largest one while all bodies together exceed their limit. The rest of such a body is received and dropped first, so that
 * the client reads the answer. Undefined if the client disconnects.
 */
export function newBodyReceiver(limits: BodyLimits): BodyReceiver {
  const bodies = new UnfinishedBodies(limits);
  return (incoming) => receive(incoming, bodies, limits);
}

/** The bodies that are being received, or wait to be parsed, within their limits. */
class UnfinishedBodies {
  readonly #limits: BodyLimits;
  readonly #bodies = new Set<UnfinishedBody>();
  #totalBytes = 0;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  /** Adds a piece to a body, and refuses bodies if that exceeds a limit. */
  add(body: UnfinishedBody, chunk: Uint8Array): void {
    if (body.refusal) return;
    const { bytes, unfinishedBytes } = this.#limits;
    this.#bodies.add(body);
    body.chunks.push(chunk);
    body.size += chunk.length;
    this.#totalBytes += chunk.length;
    if (body.size > bytes) this.refuse(body, tooLarge(`A request body holds at most ${bytes} bytes.`));
    if (this.#totalBytes > unfinishedBytes) this.refuse(largest(this.#bodies), tooLarge(tooMuchAtOnce(this.#limits)));
  }

  refuse(body: UnfinishedBody, error: ApiError): void {
    body.refusal ??= error;
    this.release(body);
  }

  /** Frees the memory of a body. */
  release(body: UnfinishedBody): void {
    body.chunks = [];
    if (this.#bodies.delete(body)) this.#totalBytes -= body.size;
  }
}

function receive(
  incoming: IncomingMessage,
  bodies: UnfinishedBodies,
  { idleMs, totalMs }: BodyLimits,
): Promise<ReceivedBody | undefined> {
  return new Promise((resolve, reject) => {
    const body: UnfinishedBody = { chunks: [], size: 0, isComplete: false };
    const giveUp = (what: string) => (): void => {
      bodies.refuse(body, tooSlow(what));
      finish();
    };
    const idle = setTimeout(giveUp(`nothing came for ${idleMs / 1000} s`), idleMs);
    const late = setTimeout(giveUp(`it took longer than ${totalMs / 1000} s`), totalMs);
    function finish(): void {
      if (body.isComplete) return;
      body.isComplete = true;
      clearTimeout(idle);
      clearTimeout(late);
      if (body.refusal) reject(body.refusal);
      else resolve({ size: body.size, bytes: () => Buffer.concat(body.chunks), release: () => bodies.release(body) });
    }
    function abandon(): void {
      if (body.isComplete) return;
      bodies.release(body);
      resolve(undefined);
      finish();
    }
    incoming.on("data", (chunk: Uint8Array) => {
      idle.refresh();
      bodies.add(body, chunk);
    });
    incoming.on("end", finish);
    incoming.on("error", abandon);
    incoming.on("close", abandon);
  });
}

/** The largest body that is still arriving; among equal ones the newest. Requests of ordinary clients are small and not affected. */
function largest(bodies: Iterable<UnfinishedBody>): UnfinishedBody {
  const coming = [...bodies].filter(({ isComplete }) => !isComplete);
  return coming.reduce((most, one) => (one.size >= most.size ? one : most));
}

const tooLarge = (message: string): ApiError => new ApiError("BODY_TOO_LARGE", message);

const tooMuchAtOnce = ({ unfinishedBytes }: BodyLimits): string =>
  `The requests that are arriving hold more than ${unfinishedBytes} bytes together, and this request is the largest: send it again when others are done.`;

const tooSlow = (what: string): ApiError =>
  new ApiError("REQUEST_TIMEOUT", `The body did not arrive in time, ${what}: send the whole request again.`);
