import { Buffer } from "node:buffer";
import type { ErrorFactory } from "../core/api-error.ts";
import { ByteReader } from "./byte-reader.ts";

// Compound files of structured storage (Microsoft, [MS-CFB], "Compound File Binary File Format"): a file system in a file.

/** The first bytes of every compound file ([MS-CFB] 2.2). */
export const COMPOUND_SIGNATURE = "d0cf11e0a1b11ae1";

/** Sector numbers from here on are marks: the end of a chain, free sectors, sectors of the table itself ([MS-CFB] 2.1). */
const FIRST_MARK = 0xffff_fffa;
/** Marks a reference to no entry of the directory. */
const NO_ENTRY = 0xffff_ffff;
const ENTRY_BYTES = 128;
const TABLES_IN_HEADER = 109;
/** Kinds of entries ([MS-CFB] 2.6.1). */
const STORAGE = 1;
const STREAM = 2;
/** Deeper nesting of storages than in any file of a CAD program. */
const MAX_DEPTH = 32;

/** A stream of a compound file. */
export interface CompoundStream {
  /** Names of the storages and of the stream, with slashes between. */
  readonly path: string;
  /** Its bytes: a view of the file, or a copy if they are in several places. */
  read(): Uint8Array;
}

/** The streams of a compound file. Throws the error of `refuse` for a damaged one; cycles of chains or trees are not followed. */
export const compoundStreams = (bytes: Uint8Array, refuse: ErrorFactory): CompoundStream[] =>
  new CompoundFile(bytes, refuse).streams();

class CompoundFile {
  readonly #bytes: Uint8Array;
  readonly #refuse: ErrorFactory;
  readonly #sectorBytes: number;
  readonly #miniBytes: number;
  /** Smaller streams are in the mini stream. In bytes. */
  readonly #miniLimit: number;
  readonly #sectorCount: number;
  /** For each sector the next one of its chain. */
  readonly #next: Uint32Array;
  readonly #directory: Uint8Array;
  readonly #root: DirectoryEntry;
  readonly #miniTable: Uint32Array;
  readonly #miniStream: Uint8Array;

  constructor(bytes: Uint8Array, refuse: ErrorFactory) {
    this.#bytes = bytes;
    this.#refuse = refuse;
    const head = new ByteReader(bytes, refuse, 26);
    const version = head.u16();
    head.skip(2);
    [this.#sectorBytes, this.#miniBytes] = [2 ** head.u16(), 2 ** head.u16()];
    if (![3, 4].includes(version) || ![512, 4096].includes(this.#sectorBytes) || this.#miniBytes !== 64) {
      throw this.#damaged();
    }
    head.skip(14);
    const directoryAt = head.u32();
    head.skip(4);
    this.#miniLimit = head.u32();
    const miniTableAt = head.u32();
    head.skip(4);
    const tablesAt = head.u32();
    head.skip(4);
    // The header has the size of one sector.
    this.#sectorCount = Math.ceil(bytes.length / this.#sectorBytes) - 1;
    this.#next = this.#allocationTable(head.u32s(TABLES_IN_HEADER), tablesAt);
    this.#directory = this.#chain(directoryAt);
    this.#root = entryAt(this.#directory, 0, refuse);
    this.#miniTable = this.#numbersOf(this.#chain(miniTableAt));
    this.#miniStream = this.#chain(this.#root.first);
  }

  streams(): CompoundStream[] {
    const entryCount = Math.floor(this.#directory.length / ENTRY_BYTES);
    const streams: CompoundStream[] = [];
    const isVisited = new Uint8Array(entryCount);
    /** Siblings form a tree; a storage refers to the root of the tree of its children. */
    const waiting: { readonly index: number; readonly folder: string; readonly depth: number }[] = [];
    const visit = (index: number, folder: string, depth: number): void => {
      if (index === NO_ENTRY) return;
      if (index >= entryCount || isVisited[index] === 1 || depth > MAX_DEPTH) throw this.#damaged();
      isVisited[index] = 1;
      waiting.push({ index, folder, depth });
    };
    visit(this.#root.child, "", 0);
    for (let at = waiting.pop(); at; at = waiting.pop()) {
      const { folder, depth } = at;
      const entry = entryAt(this.#directory, at.index, this.#refuse);
      const path = folder + entry.name;
      visit(entry.left, folder, depth);
      visit(entry.right, folder, depth);
      if (entry.kind === STORAGE) visit(entry.child, `${path}/`, depth + 1);
      if (entry.kind === STREAM) streams.push({ path, read: () => this.#contentOf(entry) });
    }
    return streams;
  }

  #damaged(): Error {
    return this.#refuse("its container is damaged; save it again");
  }

  /** The allocation table. The header lists its first sectors, a chain that begins at `tablesAt` the others. */
  #allocationTable(listed: Uint32Array, tablesAt: number): Uint32Array {
    const tables = [...listed];
    for (let at = tablesAt, visited = 0; at < FIRST_MARK; visited++) {
      if (visited > this.#sectorCount) throw this.#damaged();
      const numbers = this.#numbersOf(this.#sectors(at, 1));
      tables.push(...numbers.subarray(0, -1));
      at = numbers.at(-1)!;
    }
    const sectors = tables.filter((index) => index < FIRST_MARK).map((index) => this.#sectors(index, 1));
    return this.#numbersOf(Buffer.concat(sectors));
  }

  /** The bytes of consecutive sectors; the last one of a file may be short. */
  #sectors(from: number, count: number): Uint8Array {
    if (from + count > this.#sectorCount) throw this.#damaged();
    return this.#bytes.subarray((from + 1) * this.#sectorBytes, (from + count + 1) * this.#sectorBytes);
  }

  #numbersOf(part: Uint8Array): Uint32Array {
    return new ByteReader(part, this.#refuse).u32s(part.length >> 2);
  }

  #chain(first: number): Uint8Array {
    return this.#blocksOfChain(this.#next, first, (from, count) => this.#sectors(from, count));
  }

  /** The bytes of the blocks of a chain that begins with `first`: copied, unless the blocks are contiguous. */
  #blocksOfChain(table: Uint32Array, first: number, blocks: (from: number, count: number) => Uint8Array): Uint8Array {
    const rows: Uint8Array[] = [];
    let visited = 0;
    for (let index = first; index < FIRST_MARK;) {
      const from = index;
      let last: number;
      do {
        if (index >= table.length || visited++ > table.length) throw this.#damaged();
        last = index;
        index = table[index];
      } while (index === last + 1);
      rows.push(blocks(from, last + 1 - from));
    }
    return rows.length === 1 ? rows[0] : Buffer.concat(rows);
  }

  #contentOf({ first, size }: DirectoryEntry): Uint8Array {
    const miniBytes = this.#miniBytes;
    const miniBlocks = (from: number, count: number): Uint8Array =>
      this.#miniStream.subarray(from * miniBytes, (from + count) * miniBytes);
    const whole = size < this.#miniLimit ? this.#blocksOfChain(this.#miniTable, first, miniBlocks) : this.#chain(first);
    if (whole.length < size) throw this.#damaged();
    return whole.subarray(0, size);
  }
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
