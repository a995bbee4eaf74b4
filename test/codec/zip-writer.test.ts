import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import { longTest } from "../fixture/long.ts";
import { fc } from "../fixture/property.ts";
import { unzipSync } from "fflate";
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from "yauzl";
import { type ZipEntry, ZipWriter, deflated, zipChunks } from "../../src/codec/zip-writer.ts";

const MIB = 2 ** 20;
const archive = (entries: Iterable<ZipEntry>): Buffer => Buffer.concat([...zipChunks(entries)]);
const text = (value: string): Uint8Array => new TextEncoder().encode(value);

async function entriesOf(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  return entries;
}

const someEntries: fc.Arbitrary<ZipEntry[]> = fc.uniqueArray(
  fc.record({
    name: fc.string({ unit: "grapheme", maxLength: 20 }).map((name) => `entry ${name.replaceAll(/[/\\]/g, "")}`),
    pieces: fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 4 }),
    compress: fc.boolean(),
  }),
  { selector: ({ name }) => name, maxLength: 8 },
);

test("the first entries can get other contents of the same size", async () => {
  const plain = (value: string) => deflated([text(value)], 0);
  const zip = new ZipWriter();
  const before = [
    ...zip.addPacked("first", plain("0000")),
    ...zip.addPacked("second", plain("-----")),
    ...zip.add({ name: "third", pieces: [text("3")] }),
  ];
  const head = zip.replaceFirst([
    ["first", plain("1234")],
    ["second", plain("5678 ")],
  ]);
  const bytes = Buffer.concat([...before, ...zip.end()]);
  bytes.set(head);
  const found = await fromBufferPromise(bytes, { lazyEntries: true, autoClose: false });
  const contents: string[] = [];
  for (const entry of await entriesOf(found)) {
    const content = await buffer(await found.openReadStreamPromise(entry));
    assert.equal(entry.crc32, crc32(content));
    contents.push(content.toString());
  }
  assert.deepEqual(contents, ["1234", "5678 ", "3"]);
  assert.throws(() => zip.replaceFirst([["first", plain("12345")]]), /another size/);
});

test("two other programs find every entry complete and in order, stored or compressed", async () => {
  await fc.assert(
    fc.asyncProperty(someEntries, async (entries) => {
      const bytes = archive(entries);
      const found = unzipSync(bytes);
      const zip = await fromBufferPromise(bytes, { lazyEntries: true, autoClose: false });
      const listed = await entriesOf(zip);
      assert.deepEqual(
        listed.map(({ fileName }) => fileName),
        entries.map(({ name }) => name),
      );
      for (const [i, { name, pieces, compress }] of entries.entries()) {
        const whole = Buffer.concat(pieces);
        assert.equal(listed[i].compressionMethod, compress ? 8 : 0);
        assert.deepEqual(Buffer.from(found[name]), whole);
        assert.deepEqual(await buffer(await zip.openReadStreamPromise(listed[i])), whole);
      }
    }),
  );
});

test("the checksum is the CRC-32 of all pieces", async () => {
  for (const compress of [false, true]) {
    const bytes = archive([{ name: "check", pieces: [text("1234"), text("56789")], compress }]);
    const zip = await fromBufferPromise(bytes, { lazyEntries: true });
    assert.deepEqual(
      (await entriesOf(zip)).map(({ crc32 }) => crc32),
      [0xcbf4_3926],
    );
  }
});

test("equal entries give equal bytes, and text is compressed on request", () => {
  const entries = [{ name: "text", pieces: [text("layer ".repeat(1000))], compress: true }];
  assert.deepEqual(archive(entries), archive(entries));
  assert.ok(archive(entries).length < 300);
});

test("stored pieces are passed on in slices of at most 16 MiB, without a copy", () => {
  const piece = new Uint8Array(new SharedArrayBuffer(40 * MIB));
  const slices = [...zipChunks([{ name: "large", pieces: [piece] }])].filter((chunk) => chunk.buffer === piece.buffer);
  const offsetsAndSizes = slices.map(({ byteOffset, length }) => [byteOffset / MIB, length / MIB]);
  assert.deepEqual(offsetsAndSizes, [
    [0, 16],
    [16, 16],
    [32, 8],
  ]);
});

test("entries are consumed one at a time, while their bytes are written", () => {
  let taken = 0;
  const chunks = zipChunks(
    (function* () {
      for (; ; taken++) yield { name: `layer ${taken}`, pieces: [text("pixels")] };
    })(),
  );
  for (let i = 0; i < 10; i++) chunks.next();
  assert.equal(taken, 4);
});

longTest("70,000 entries are listed through zip64 records", async () => {
  const count = 70_000;
  const names = Array.from({ length: count }, (_, i) => `${i}`);
  const zip = await fromBufferPromise(archive(names.map((name) => ({ name, pieces: [] }))), { lazyEntries: true });
  assert.equal(zip.entryCount, count);
  assert.deepEqual(
    (await entriesOf(zip)).map(({ fileName }) => fileName),
    names,
  );
});

test("an entry over 4 GiB and one at an offset over 4 GiB are found through zip64 records", async () => {
  const zeros = new Uint8Array(512 * MIB);
  const folder = mkdtempSync(join(tmpdir(), "zip-writer-"));
  try {
    const path = join(folder, "sparse.zip");
    writeWithHoles(
      path,
      zeros,
      zipChunks([
        { name: "huge", pieces: Array.from({ length: 9 }, () => zeros) },
        { name: "far", pieces: [text("beyond")] },
      ]),
    );
    const zip = await openPromise(path, { lazyEntries: true, autoClose: false });
    const [huge, far] = await entriesOf(zip);
    assert.deepEqual([huge.fileName, huge.uncompressedSize, huge.compressedSize], ["huge", 4608 * MIB, 4608 * MIB]);
    const local = await zip.readLocalFileHeaderPromise(huge);
    assert.equal(local.extraFieldLength, 20);
    assert.ok(far.relativeOffsetOfLocalHeader > 4608 * MIB);
    assert.equal((await buffer(await zip.openReadStreamPromise(far))).toString(), "beyond");
    zip.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Writes the chunks except those in `hole`, so that the file takes almost no space on the disk. */
function writeWithHoles(path: string, hole: Uint8Array, chunks: Iterable<Uint8Array>): void {
  const fd = openSync(path, "w");
  let at = 0;
  for (const chunk of chunks) {
    if (chunk.buffer !== hole.buffer) writeSync(fd, chunk, 0, chunk.length, at);
    at += chunk.length;
  }
  closeSync(fd);
}
