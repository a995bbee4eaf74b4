import type { Watch } from "../core/watch.ts";

/** One of several requests that a change is made of. */
export interface Share<Request> {
  readonly request: Request;
  /** Its number, from 0, among so many. */
  readonly number: number;
  readonly of: number;
}

/** The share's part of the whole progress. */
export const partOf = ({ number, of }: Share<unknown>, watch: Watch): Watch =>
  watch.part(number / of, (number + 1) / of);
