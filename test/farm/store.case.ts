import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ApiError } from "../../src/core/api-error.ts";
import type { FileHash, FileStore } from "../../src/farm/store/file-store.ts";
import { openFileCache } from "../../src/farm/store/file-cache.ts";
import { removeUnnamed } from "../../src/farm/store/remove-unnamed.ts";

/** A store under test. */
export interface StoreKind {
  readonly name: string;
  open(): Promise<FileStore>;
  /** Replaces the bytes of a stored file behind the back of the store. */
  damage(hash: FileHash, bytes: Uint8Array): Promise<void>;
}

const hashOf = (bytes: Uint8Array | string): FileHash => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
const refusedAs = (code: string, message: RegExp) => (thrown: unknown) =>
  thrown instanceof ApiError && thrown.code === code && message.test(thrown.message);
const DAY_MS = 24 * 60 * 60 * 1000;

/** The tests that each kind of store passes. */
export function testStore(kind: StoreKind): void {
  const folder = mkdtempSync(join(tmpdir(), "printwright-store-"));
  after(() => rmSync(folder, { recursive: true }));
  let store: FileStore;
  before(async () => {
    store = await kind.open();
  });
  let files = 0;
  const newFile = (content: Uint8Array | string): string => {
    const path = join(folder, `given ${files++}`);
    writeFileSync(path, content);
    return path;
  };
  const newPath = (): string => join(folder, `fetched ${files++}`);
  const it = (name: string, run: () => Promise<void>): void => void test(`${kind.name}: ${name}`, run);
  const list = async (): Promise<FileHash[]> => {
    const hashes: FileHash[] = [];
    for await (const { hash } of store.list()) hashes.push(hash);
    return hashes.sort();
  };

  it("a stored file comes back by its hash, empty and large ones too", async () => {
    const large = new Uint8Array(3 * 2 ** 20 + 7).map((_, i) => (i * i) >> 3);
    for (const content of ["", "a part", large]) {
      const stored = await store.put(newFile(content));
      assert.deepEqual(stored, { hash: hashOf(content), bytes: content.length });
      const path = newPath();
      await store.fetch(stored.hash, path);
      assert.equal(hashOf(readFileSync(path)), stored.hash);
    }
  });

  it("the same content is stored once", async () => {
    await store.put(newFile("twice"));
    await store.put(newFile("twice"));
    assert.equal((await list()).filter((hash) => hash === hashOf("twice")).length, 1);
  });

  it("ten clients that store the same file at once store it whole", async () => {
    const bytes = new Uint8Array(300_000).fill(7);
    await Promise.all(Array.from({ length: 10 }, () => store.put(newFile(bytes))));
    const path = newPath();
    await store.fetch(hashOf(bytes), path);
    assert.equal(statSync(path).size, bytes.length);
  });

  it("a missing file is NOT_FOUND, and leaves no file", async () => {
    const path = newPath();
    await assert.rejects(store.fetch(hashOf("never stored"), path), refusedAs("NOT_FOUND", /has no file/));
    assert.throws(() => statSync(path));
  });

  it("a file whose content has another hash is refused, and leaves no file", async () => {
    const { hash } = await store.put(newFile("sound"));
    await kind.damage(hash, new TextEncoder().encode("wrong"));
    const path = newPath();
    await assert.rejects(store.fetch(hash, path), refusedAs("OPERATION_FAILED", /is damaged/));
    assert.throws(() => statSync(path));
    await store.remove(hash);
  });

  it("files that no job names are removed after a week, and others stay", async () => {
    const [named, unnamed] = [await store.put(newFile("named")), await store.put(newFile("unnamed"))];
    assert.equal(await removeUnnamed(store, new Set(), Date.now() + 6 * DAY_MS), 0);
    const before = await list();
    const all = new Set(before.filter((hash) => hash !== unnamed.hash));
    assert.equal(await removeUnnamed(store, all, Date.now() + 8 * DAY_MS), 1);
    assert.deepEqual(await list(), [...all].sort());
    assert.ok(all.has(named.hash));
  });

  it("a cache places files, and keeps those that were used last within its size", async () => {
    const cacheFolder = join(folder, `cache ${files++}`);
    const contents = ["first", "second", "third"].map((text) => text.padEnd(1000, "."));
    const hashes: FileHash[] = [];
    for (const content of contents) hashes.push((await store.put(newFile(content))).hash);
    const cache = await openFileCache(store, cacheFolder, 2500);
    const place = async (hash: FileHash): Promise<void> => {
      const path = newPath();
      await cache.place(hash, path);
      assert.equal(hashOf(readFileSync(path)), hash);
    };
    const [first, second, third] = hashes as [FileHash, FileHash, FileHash];
    const cached = (hash: FileHash): string =>
      join(cacheFolder, "sha256", hash.slice(7, 9), hash.slice("sha256:".length));
    await Promise.all([place(first), place(first)]);
    await place(second);
    // The clock of the file system is coarse.
    utimesSync(cached(first), 1, 1);
    utimesSync(cached(second), 2, 2);
    await place(first);
    await place(third);
    assert.ok(statSync(cached(first)));
    assert.throws(() => statSync(cached(second)));
    assert.ok(statSync(cached(third)));
    // Opened again, it counts what is there, and a removed file is fetched again.
    const again = await openFileCache(store, cacheFolder, 2500);
    const path = newPath();
    await again.place(second, path);
    assert.equal(hashOf(readFileSync(path)), second);
    assert.throws(() => statSync(cached(first)));
  });
}
