import type { Buffer } from "node:buffer";

/** The instances of a STEP file, by their order in it. */
export interface StepInstances {
  readonly bytes: Buffer;
  /** The numbers by which they are referred to, `12` of `#12`. */
  readonly ids: Uint32Array;
  /** From the `#` of each instance to behind its semicolon. */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  /** What instance `i` refers to: `references` from `starts[i]` to `starts[i + 1]`, in the order of its text. */
  readonly starts: Uint32Array;
  readonly references: Uint32Array;
}

/** What a reference leads to whose id no instance has: only damaged files have such. */
export const NOWHERE = 2 ** 32 - 1;

/** Looks, layers and notes: nothing of the shape depends on instances with these keywords. */
export const NOTES = /STYLED_ITEM$|^PRESENTATION_LAYER_ASSIGNMENT$|^GEOMETRIC_ITEM_SPECIFIC_USAGE$/;

/** Longest keyword of the standard's schemas, with an id in front. */
const MAX_KEYWORD_BYTES = 160;

/** The keyword of an instance; empty for a complex one. */
export function keywordAt({ bytes, from, to }: StepInstances, i: number): string {
  const start = bytes.toString("latin1", from[i], Math.min(to[i], from[i] + MAX_KEYWORD_BYTES));
  return /^#\d+\s*=\s*(\w+)/.exec(start)?.[1] ?? "";
}

/** What an instance refers to, in the order of its text. */
export const referencesOf = ({ starts, references }: StepInstances, i: number): Uint32Array =>
  references.subarray(starts[i], starts[i + 1]);

/** The instances that some refer to, directly or not, with them; those that `isEnd` holds for are not looked into. */
export function reachable(
  instances: StepInstances,
  some: Iterable<number>,
  isEnd: (i: number) => boolean = () => false,
): Set<number> {
  const reached = new Set<number>();
  const open = [...some];
  for (let i = open.pop(); i !== undefined; i = open.pop()) {
    if (reached.has(i)) continue;
    reached.add(i);
    if (!isEnd(i)) open.push(...referencesOf(instances, i));
  }
  return reached;
}
