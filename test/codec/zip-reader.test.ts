import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { slowRuns } from "../fixture/long.ts";
import { fc } from "../fixture/property.ts";
import { zipSync } from "fflate";
import { ApiError } from "../../src/core/api-error.ts";
import { type ZipReader, openZip } from "../../src/codec/zip-reader.ts";
import { type ZipEntry, zipChunks } from "../../src/codec/zip-writer.ts";
import { randomFrom } from "../fixture/random.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const file = temporaryFiles();
const MAX = 2 ** 30;

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const entry = (name: string, content: Uint8Array, compress = true): ZipEntry => ({ name, pieces: [content], compress });
const zipped = (...entries: ZipEntry[]): Buffer => Buffer.concat([...zipChunks(entries)]);

async function withZip<T>(bytes: Uint8Array, use: (zip: ZipReader) => Promise<T>): Promise<T> {
  const zip = await openZip(file("archive.zip", bytes));
  try {
    return await use(zip);
  } finally {
    zip.close();
  }
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return new Uint8Array(Buffer.concat(all));
}

const refused =
  (message: RegExp) =>
  (thrown: unknown): boolean => {
    assert.ok(thrown instanceof ApiError, String(thrown));
    assert.equal(thrown.code, "OPERATION_FAILED");
    assert.match(thrown.message, message);
    return true;
  };

const refusesToOpen = (bytes: Uint8Array, message: RegExp): Promise<void> =>
  assert.rejects(
    withZip(bytes, async () => {}),
    refused(message),
  );

/** Asserts that both ways of reading the entry are refused. */
async function refusesToRead(bytes: Uint8Array, name: string, message: RegExp, maxBytes = MAX): Promise<void> {
  await withZip(bytes, async (zip) => {
    await assert.rejects(zip.read(name, maxBytes), refused(message));
    await assert.rejects(collect(zip.chunks(name, maxBytes)), refused(message));
  });
}

/** Sets little-endian fields of the first entry of the table of contents (APPNOTE 6.3.10, section 4.3.12). */
function altered(zip: Uint8Array, fields: Readonly<Record<number, readonly [value: number, bytes: number]>>): Buffer {
  const bytes = Buffer.from(zip);
  const start = bytes.indexOf("PK\x01\x02");
  for (const [at, [value, count]] of Object.entries(fields)) bytes.writeUIntLE(value, start + Number(at), count);
  return bytes;
}

const FLAGS = 8;
const METHOD = 10;
const CRC = 16;
const UNPACKED_SIZE = 24;

test("entries are read as they were packed, from any writer and with any method", async () => {
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 2000 }),
    fc.tuple(fc.nat(1_500_000), fc.nat(255)).map(([size, byte]) => new Uint8Array(size).fill(byte)),
  );
  const name = fc.stringMatching(/^[a-z]{1,8}(\/[a-z]{1,8})?$/);
  const archive = fc.dictionary(name, content, { maxKeys: 5, noNullPrototype: true });
  await fc.assert(
    fc.asyncProperty(archive, fc.boolean(), fc.boolean(), async (contents, compress, ours) => {
      const names = Object.keys(contents);
      const bytes = ours
        ? zipped(...names.map((name) => entry(name, contents[name], compress)))
        : zipSync(contents, { level: compress ? 6 : 0 });
      await withZip(bytes, async (zip) => {
        assert.deepEqual([...zip.entries.keys()].sort(), names.sort());
        for (const name of names) {
          const { size } = zip.entries.get(name)!;
          const shared = new Uint8Array(new SharedArrayBuffer(size));
          await zip.readInto(name, shared);
          assert.deepEqual(new Uint8Array(shared), contents[name]);
          assert.deepEqual(await zip.read(name, size), contents[name]);
          assert.deepEqual(await collect(zip.chunks(name, size)), contents[name]);
        }
      });
    }),
    { numRuns: slowRuns(40) },
  );
});

test("folders are ignored", async () => {
  await withZip(zipSync({ folder: { "a.txt": text("a") }, "empty/": new Uint8Array() }), async (zip) => {
    assert.deepEqual([...zip.entries.keys()], ["folder/a.txt"]);
  });
});

test("an incomplete archive is refused", async () => {
  const sound = zipped(entry("a", text("content")), entry("b", new Uint8Array(5000)));
  await refusesToOpen(new Uint8Array(), /zip/);
  await refusesToOpen(text("no archive at all ".repeat(1000)), /no valid zip archive/);
  for (let length = 0; length < sound.length; length++) await refusesToOpen(sound.subarray(0, length), /zip/);
});

test("the error for a missing file names it", async () => {
  await assert.rejects(openZip("/does/not/exist.zip"), refused(/"\/does\/not\/exist\.zip".*does not exist/));
});

test("names that lead out of the archive or occur twice are refused", async () => {
  for (const name of ["../up", "a/../../up", "/absolute", "C:/drive", "back\\slash"]) {
    await refusesToOpen(zipped(entry(name, text("x"))), /no valid zip archive/);
  }
  await refusesToOpen(zipped(entry("a", text("1")), entry("b", text("2")), entry("a", text("3"))), /"a" twice/);
});

test("an archive that lists over 100,000 files is refused", async () => {
  const end = Buffer.alloc(98);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeUInt32LE(100_001, 32);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeUInt32LE(0x06054b50, 76);
  await refusesToOpen(end, /100001 files/);
});

test("an entry that is missing, encrypted or packed by an unknown method is refused with its name", async () => {
  const sound = zipped(entry("a.bin", new Uint8Array(1000)));
  await refusesToRead(sound, "b.bin", /"b\.bin" inside it is missing/);
  await refusesToRead(altered(sound, { [FLAGS]: [1, 2] }), "a.bin", /"a\.bin" inside it is encrypted/);
  await refusesToRead(altered(sound, { [METHOD]: [14, 2] }), "a.bin", /"a\.bin" .*unknown method \(14\)/);
});

test("an entry whose size or checksum is not the declared one is refused", async () => {
  const content = new Uint8Array(100_000).map((_, i) => i >> 4);
  for (const compress of [true, false]) {
    const sound = zipped(entry("a", content, compress));
    await refusesToRead(altered(sound, { [CRC]: [1234, 4] }), "a", /checksum/);
    const damaged = Buffer.from(sound);
    damaged[60] ^= 1;
    await refusesToRead(damaged, "a", /"a" inside it is damaged/);
  }
  const packed = zipped(entry("a", content));
  await refusesToRead(altered(packed, { [UNPACKED_SIZE]: [99_999, 4] }), "a", /more than the 99999 bytes declared/);
  await refusesToRead(altered(packed, { [UNPACKED_SIZE]: [100_001, 4] }), "a", /100000 of the 100001 bytes declared/);
});

test("an entry larger than the reader accepts is refused before anything is unpacked", async () => {
  await refusesToRead(zipped(entry("a", new Uint8Array(1001))), "a", /1001 bytes unpacked, more than the 1000/, 1000);
});

test("a zip bomb is unpacked in small chunks, only up to its declared size", async () => {
  const bomb = zipped(entry("bomb", new Uint8Array(128 * 2 ** 20)));
  assert.ok(bomb.length < 2 ** 18);
  await withZip(bomb, async (zip) => {
    let [largest, total] = [0, 0];
    for await (const { length } of zip.chunks("bomb", MAX)) {
      largest = Math.max(largest, length);
      total += length;
    }
    assert.equal(total, 128 * 2 ** 20);
    assert.ok(largest <= 2 ** 20, `a piece had ${largest} bytes`);
  });
  await withZip(altered(bomb, { [UNPACKED_SIZE]: [10, 4] }), async (zip) => {
    let total = 0;
    const read = async (): Promise<void> => {
      for await (const { length } of zip.chunks("bomb", MAX)) total += length;
    };
    await assert.rejects(read(), refused(/more than the 10 bytes declared/));
    assert.equal(total, 0);
  });
});

test("after reading stops half-way, the archive can be read again", async () => {
  const content = new Uint8Array(2 ** 22).map((_, i) => Math.imul(i, 2654435761) >>> 13);
  await withZip(zipped(entry("a", content)), async (zip) => {
    for await (const chunk of zip.chunks("a", MAX)) {
      assert.ok(chunk.length < content.length);
      break;
    }
    assert.deepEqual(await zip.read("a", MAX), content);
  });
});

test("an archive with bytes changed, removed or repeated gives the original content or is refused", async () => {
  const random = randomFrom(7);
  const noise = new Uint8Array(3000).map(() => 256 * random());
  const contents = { "a/b.txt": text("some text ".repeat(300)), "c.bin": noise };
  const sound = Buffer.from(zipSync(contents));
  let faults = 0;
  for (let round = 0; round < 400; round++) {
    const at = Math.floor(random() * sound.length);
    const length = Math.floor(random() * 40);
    const damaged = [
      () => Buffer.concat([sound.subarray(0, at), Buffer.from([256 * random()]), sound.subarray(at + 1)]),
      () => Buffer.concat([sound.subarray(0, at), sound.subarray(at + length)]),
      () => Buffer.concat([sound.subarray(0, at + length), sound.subarray(at)]),
    ][round % 3]();
    try {
      await withZip(damaged, async (zip) => {
        for (const [name, { size }] of zip.entries) {
          assert.ok(size <= 2 ** 32);
          const expected = Object.values(contents).map((content) => Buffer.from(content).toString("hex"));
          const read = Buffer.from(await zip.read(name, 2 ** 20)).toString("hex");
          assert.ok(expected.includes(read) || read === "", `${name} reads as something else`);
        }
      });
    } catch (thrown) {
      assert.ok(thrown instanceof ApiError, String(thrown));
      faults++;
    }
  }
  assert.ok(faults > 100);
});
