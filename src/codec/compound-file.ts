import { Buffer } from "node:buffer";
import type { ErrorFactory } from "../core/api-error.ts";
import { ByteReader } from "./byte-reader.ts";

// Compound files of structured storage (Microsoft, [MS-CFB], "Compound File Binary File Format"): a file system in a file.

/** The first bytes of every compound file ([MS-CFB] 2.2). */
export const COMPOUND_SIGNATURE = "d0cf11e0a1b11ae1";

/** Sector numbers from here on are marks: the end of a chain, free sectors, sectors of the table itself ([MS-CFB] 2.1). */
const FIRST_MARK = 0xffff_fffa;
/** In the place of an entry of the directory: there is none. */
const NO_ENTRY = 0xffff_ffff;
const ENTRY_BYTES = 128;
const TABLES_IN_HEADER = 109;
/** Kinds of entries ([MS-CFB] 2.6.1). */
const STORAGE = 1;
const STREAM = 2;
/** Storages are nested less deep in any file of a CAD program. */
const MAX_DEPTH = 32;

/** A stream of a compound file. */
export interface CompoundStream {
  /** Names of the storages and of the stream, with slashes between. */
  readonly path: string;
  /** Its bytes: a view of the file, or a copy if they are in several places. */
  read(): Uint8Array;
}

/** The streams of a compound file. Throws what `refuse` makes for a damaged one: no chain or tree in it is followed in a circle. */
export function compoundStreams(bytes: Uint8Array, refuse: ErrorFactory): CompoundStream[] {
  const damaged = (): Error => refuse("its container is damaged; save it again");
  const head = new ByteReader(bytes, refuse, 26);
  const version = head.u16();
  head.skip(2);
  const [sectorBytes, miniBytes] = [2 ** head.u16(), 2 ** head.u16()];
  if (![3, 4].includes(version) || ![512, 4096].includes(sectorBytes) || miniBytes !== 64) throw damaged();
  head.skip(14);
  const directoryAt = head.u32();
  head.skip(4);
  const miniLimit = head.u32();
  const miniTableAt = head.u32();
  head.skip(4);
  let tablesAt = head.u32();
  head.skip(4);
  // The header takes the place of one.
  const sectorCount = Math.ceil(bytes.length / sectorBytes) - 1;

  /** The bytes of sectors in a row; the last one of a file may be short. */
  function sectors(from: number, count: number): Uint8Array {
    if (from + count > sectorCount) throw damaged();
    return bytes.subarray((from + 1) * sectorBytes, (from + count + 1) * sectorBytes);
  }
  const sector = (index: number): Uint8Array => sectors(index, 1);
  const numbersOf = (part: Uint8Array): Uint32Array => new ByteReader(part, refuse).u32s(part.length >> 2);

  // The sectors of the allocation table: the header lists the first ones, a separate chain the others.
  const tables = [...head.u32s(TABLES_IN_HEADER)];
  for (let visited = 0; tablesAt < FIRST_MARK; visited++) {
    if (visited > sectorCount) throw damaged();
    const numbers = numbersOf(sector(tablesAt));
    tables.push(...numbers.subarray(0, -1));
    tablesAt = numbers.at(-1)!;
  }
  const next = numbersOf(Buffer.concat(tables.filter((index) => index < FIRST_MARK).map(sector)));

  /** The bytes of the blocks of a chain that begins with `first`: copied, unless the blocks are contiguous. */
  function chain(table: Uint32Array, first: number, blocks: (from: number, count: number) => Uint8Array): Uint8Array {
    const rows: Uint8Array[] = [];
    let visited = 0;
    for (let index = first; index < FIRST_MARK;) {
      const from = index;
      let last: number;
      do {
        if (index >= table.length || visited++ > table.length) throw damaged();
        last = index;
        index = table[index];
      } while (index === last + 1);
      rows.push(blocks(from, last + 1 - from));
    }
    return rows.length === 1 ? rows[0] : Buffer.concat(rows);
  }
  const chainOf = (first: number): Uint8Array => chain(next, first, sectors);

  const directory = chainOf(directoryAt);
  const entryCount = Math.floor(directory.length / ENTRY_BYTES);
  const root = entryAt(directory, 0, refuse);
  const miniTable = numbersOf(chainOf(miniTableAt));
  const miniStream = chainOf(root.first);
  const miniBlocks = (from: number, count: number): Uint8Array =>
    miniStream.subarray(from * miniBytes, (from + count) * miniBytes);

  function contentOf({ first, size }: DirectoryEntry): Uint8Array {
    const whole = size < miniLimit ? chain(miniTable, first, miniBlocks) : chainOf(first);
    if (whole.length < size) throw damaged();
    return whole.subarray(0, size);
  }

  const streams: CompoundStream[] = [];
  const isVisited = new Uint8Array(entryCount);
  /** Siblings form a tree; a storage refers to the root of the tree of its children. */
  const waiting: { readonly index: number; readonly folder: string; readonly depth: number }[] = [];
  const visit = (index: number, folder: string, depth: number): void => {
    if (index === NO_ENTRY) return;
    if (index >= entryCount || isVisited[index] === 1 || depth > MAX_DEPTH) throw damaged();
    isVisited[index] = 1;
    waiting.push({ index, folder, depth });
  };
  visit(root.child, "", 0);
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    const { folder, depth } = at;
    const entry = entryAt(directory, at.index, refuse);
    const path = folder + entry.name;
    visit(entry.left, folder, depth);
    visit(entry.right, folder, depth);
    if (entry.kind === STORAGE) visit(entry.child, `${path}/`, depth + 1);
    if (entry.kind === STREAM) streams.push({ path, read: () => contentOf(entry) });
  }
  return streams;
}

/** An entry of the directory ([MS-CFB] 2.6.1). */
interface DirectoryEntry {
  readonly name: string;
  readonly kind: number;
  readonly left: number;
  readonly right: number;
  readonly child: number;
  readonly first: number;
  /** Bytes; the upper half is not used: CAD files with streams of 4 GiB are refused by their size. */
  readonly size: number;
}

function entryAt(directory: Uint8Array, index: number, refuse: ErrorFactory): DirectoryEntry {
  const reader = new ByteReader(directory, refuse, index * ENTRY_BYTES);
  const name = reader.take(64);
  const nameBytes = Math.min(64, reader.u16());
  const kind = reader.u8();
  reader.skip(1);
  const [left, right, child] = [reader.u32(), reader.u32(), reader.u32()];
  reader.skip(36);
  return {
    name: name.toString("utf16le", 0, Math.max(0, nameBytes - 2)),
    kind,
    left,
    right,
    child,
    first: reader.u32(),
    size: reader.u32(),
  };
}
