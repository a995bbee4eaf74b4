import { readFileSync } from "node:fs";

/** What a Linux executable needs of the system that starts it. */
export interface SystemNeeds {
  /** Path of the program that loads it and its libraries. */
  readonly loader: string;
  /** File names of the shared libraries. */
  readonly libraries: readonly string[];
  /** Least version of the GNU C library that has all its symbols, such as "2.17". */
  readonly glibc: string;
}

/** Types of segments and entries (System V ABI, "Dynamic Linking"). */
const [PT_LOAD, PT_DYNAMIC, PT_INTERP] = [1, 2, 3];
const [DT_NEEDED, DT_STRTAB, DT_STRSZ] = [1n, 5n, 10n];

/** Reads the needs of a 64-bit little-endian ELF file. Throws for other files, and for those that are not linked with the GNU C library. */
export function systemNeeds(path: string): SystemNeeds {
  const file = readFileSync(path);
  if (file.readUInt32BE(0) !== 0x7f454c46 || file[4] !== 2 || file[5] !== 1)
    throw new Error(`${path} is not a 64-bit little-endian ELF executable`);
  const [table, entryBytes, count] = [Number(file.readBigUInt64LE(32)), file.readUInt16LE(54), file.readUInt16LE(56)];
  const segments = Array.from({ length: count }, (_, i) => {
    const at = table + i * entryBytes;
    const [offset, address, bytes] = [8, 16, 32].map((field) => Number(file.readBigUInt64LE(at + field)));
    return { type: file.readUInt32LE(at), offset, address, bytes };
  });
  const segmentOf = (type: number) => {
    const segment = segments.find((one) => one.type === type);
    if (segment === undefined) throw new Error(`${path} is linked statically: it needs no packages of libraries`);
    return segment;
  };
  const dynamic = segmentOf(PT_DYNAMIC);
  const entries: (readonly [tag: bigint, value: number])[] = [];
  for (let at = dynamic.offset; at < dynamic.offset + dynamic.bytes; at += 16)
    entries.push([file.readBigInt64LE(at), Number(file.readBigUInt64LE(at + 8))]);
  const valueOf = (tag: bigint): number => entries.find(([one]) => one === tag)?.[1] ?? 0;
  const address = valueOf(DT_STRTAB);
  const loaded = segments.find(
    (one) => one.type === PT_LOAD && one.address <= address && address < one.address + one.bytes,
  );
  const begin = address - (loaded?.address ?? 0) + (loaded?.offset ?? 0);
  const strings = file.toString("latin1", begin, begin + valueOf(DT_STRSZ));
  const stringAt = (at: number): string => strings.slice(at, strings.indexOf("\0", at));
  const interpreter = segmentOf(PT_INTERP);
  const versions = [...strings.matchAll(/(?<=\0GLIBC_2\.)\d+(?=[.\d]*\0)/g)].map(([minor]) => Number(minor));
  if (versions.length === 0) throw new Error(`${path} does not use the GNU C library`);
  return {
    loader: file.toString("latin1", interpreter.offset, interpreter.offset + interpreter.bytes - 1),
    libraries: entries.flatMap(([tag, value]) => (tag === DT_NEEDED ? [stringAt(value)] : [])),
    glibc: `2.${Math.max(...versions)}`,
  };
}
