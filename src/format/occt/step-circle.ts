import { Buffer } from "node:buffer";

const USE = "NEXT_ASSEMBLY_USAGE_OCCURRENCE";
/** Upper limit of the bytes that hold the id, the name and the description of a use. */
const MAX_USE_BYTES = 4096;
/** Three texts, then the id of the assembly and the id of its component. */
const ARGUMENTS = /^\s*\((?:\s*(?:'[^']*')+\s*,|\s*\$\s*,){3}\s*(#\d+)\s*,\s*(#\d+)/;

/**
 * The id of a product definition that contains itself, at any depth; undefined if there is none. OpenCASCADE leaves out such products,
 * and reads the rest.
 */
export function productInItself(file: Uint8Array): string | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const uses: (readonly [whole: string, product: string])[] = [];
  for (let at = bytes.indexOf(USE); at >= 0; at = bytes.indexOf(USE, at)) {
    at += USE.length;
    const [, whole, product] = ARGUMENTS.exec(bytes.toString("latin1", at, at + MAX_USE_BYTES)) ?? [];
    if (whole !== undefined) uses.push([whole, product]);
  }
  return inCircle(uses);
}

/** A name in a cycle of the pairs; undefined if there is none. */
function inCircle(pairs: readonly (readonly [from: string, to: string])[]): string | undefined {
  const next = Map.groupBy(pairs, ([from]) => from);
  const entries = new Map<string, number>();
  for (const [, to] of pairs) entries.set(to, (entries.get(to) ?? 0) + 1);
  const free = [...next.keys()].filter((name) => !entries.has(name));
  for (let name = free.pop(); name !== undefined; name = free.pop()) {
    for (const [, to] of next.get(name) ?? []) {
      const left = entries.get(to)! - 1;
      entries.set(to, left);
      if (left === 0) free.push(to);
    }
  }
  // The remaining names are in cycles or reachable from one: each has a predecessor among them.
  const isLeft = (name: string): boolean => (entries.get(name) ?? 0) > 0;
  const before = new Map(pairs.filter(([from]) => isLeft(from)).map(([from, to]) => [to, from]));
  let name = [...entries.keys()].find(isLeft);
  for (const seen = new Set<string>(); name !== undefined && !seen.has(name); name = before.get(name)) seen.add(name);
  return name;
}
