import type { Progress } from "../core/progress.ts";
import type { Stack } from "../slice/stack.ts";
import type { BodyGroup } from "./body-group.ts";

/**
 * A check of the layers of a group, which threads can share: chunks of layers are examined independently of one another, then the
 * findings are concluded from the parts of all chunks, from the lowest up.
 */
export interface ChunkedCheck<Request extends { readonly group: BodyGroup }, Part, Findings> {
  /** The stacks of the bodies; all of them have the same chunks. */
  readonly prepare: (request: Request, progress: Progress) => readonly Stack[];
  /** What the conclusion needs of a chunk. `poll` is called every few milliseconds and may throw to cancel. */
  readonly examine: (prepared: Prepared<Request>, chunk: number, poll: () => void) => Part;
  /** A part as numbers, which pass to another thread. */
  readonly pack: (part: Part) => Uint32Array;
  /** The part of a chunk that `pack` has packed. */
  readonly unpack: (packed: Uint32Array, prepared: Prepared<Request>, chunk: number) => Part;
  /** `parts` gives the part of each chunk in turn. */
  readonly conclude: (
    prepared: Prepared<Request>,
    parts: (progress: Progress) => Iterable<Part>,
    progress: Progress,
  ) => Findings;
}

/** A check with the stacks of its bodies. */
export interface Prepared<Request> {
  readonly request: Request;
  readonly stacks: readonly Stack[];
}

/** A check of which the first chunks have been examined. */
export interface Examined<Request> extends Prepared<Request> {
  /** The packed part of each of these chunks. */
  readonly packed: readonly Uint32Array[];
}

/** Share of the progress of a check on one thread at which its stacks are prepared. */
const PREPARED_SHARE = 0.1;

/** The findings of a check on one thread. */
export function checkWhole<Request extends { readonly group: BodyGroup }, Part, Findings>(
  check: ChunkedCheck<Request, Part, Findings>,
  request: Request,
  progress: Progress,
): Findings {
  const stacks = check.prepare(request, progress.part(0, PREPARED_SHARE));
  return concludeCheck(check, { request, stacks, packed: [] }, progress.part(PREPARED_SHARE, 1));
}

/** The findings of a check; chunks that have not been examined are examined now. */
export function concludeCheck<Request extends { readonly group: BodyGroup }, Part, Findings>(
  check: ChunkedCheck<Request, Part, Findings>,
  { packed, ...prepared }: Examined<Request>,
  progress: Progress,
): Findings {
  const count = chunkCountOf(prepared.stacks);
  function* parts(examining: Progress): Generator<Part> {
    for (let chunk = 0; chunk < count; chunk++) {
      const poll = (): void => examining.report(chunk / count);
      poll();
      yield chunk < packed.length ? check.unpack(packed[chunk], prepared, chunk) : check.examine(prepared, chunk, poll);
    }
  }
  return check.conclude(prepared, parts, progress);
}

export const chunkCountOf = ([first]: readonly Stack[]): number => first?.chunkCount ?? 0;
