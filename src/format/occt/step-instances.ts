import type { Buffer } from "node:buffer";

/** The instances of a STEP file, by their order in it. */
export interface StepInstances {
  readonly bytes: Buffer;
  /** Numbers by which references name them: `12` for `#12`. */
  readonly ids: Uint32Array;
  /** Byte offsets: of the `#` of each instance, and after its semicolon. */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  /** References of instance `i`: `references` from `starts[i]` to `starts[i + 1]`, in the order of its text. */
  readonly starts: Uint32Array;
  readonly references: Uint32Array;
}

/** Target of a reference whose id no instance has. Only damaged files contain such references. */
export const NOWHERE = 2 ** 32 - 1;

/** Appearance, layers and notes: no shape depends on instances with these keywords. */
export const NOTES = /STYLED_ITEM$|^PRESENTATION_LAYER_ASSIGNMENT$|^GEOMETRIC_ITEM_SPECIFIC_USAGE$/;

/** Longest keyword of the standard's schemas with an id before it. */
const MAX_KEYWORD_BYTES = 160;

/** The keyword of an instance; empty for a complex one. */
export function keywordAt({ bytes, from, to }: StepInstances, i: number): string {
  const start = bytes.toString("latin1", from[i], Math.min(to[i], from[i] + MAX_KEYWORD_BYTES));
  return /^#\d+\s*=\s*(\w+)/.exec(start)?.[1] ?? "";
}

/** The references of an instance, in the order of its text. */
export const referencesOf = ({ starts, references }: StepInstances, i: number): Uint32Array =>
  references.subarray(starts[i], starts[i + 1]);

/** The given instances and all that they refer to, directly or not. References of instances for which `isEnd` holds are not followed. */
export function reachable(
  instances: StepInstances,
  some: Iterable<number>,
  isEnd: (i: number) => boolean = () => false,
): Set<number> {
  const { starts, references } = instances;
  const reached = new Set(some);
  const open = [...reached];
  for (let i = open.pop(); i !== undefined; i = open.pop()) {
    if (isEnd(i)) continue;
    for (let k = starts[i]; k < starts[i + 1]; k++) {
      const to = references[k];
      if (reached.has(to)) continue;
      reached.add(to);
      open.push(to);
    }
  }
  return reached;
}
