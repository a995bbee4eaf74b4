import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ApiError } from "../../../src/core/api-error.ts";
import { streamFileAtomically } from "../../../src/core/write-file.ts";
import {
  type ModelFile,
  type ModelsJob,
  readModelsArchive,
  writeModelsArchive,
} from "../../../src/printer/maker-server/models-archive.ts";
import { fc } from "../../fixture/property.ts";
import { temporaryFiles } from "../../fixture/temporary-files.ts";

const file = temporaryFiles();

const SETTINGS = {
  machine_type: "FORM-4-0",
  material_code: "FLGPGR05",
  print_setting: "DEFAULT",
  layer_thickness_mm: "0.1",
};
const BOX: ModelFile["box"] = { min_corner: { x: -1.5, y: 0, z: 2 }, max_corner: { x: 1, y: 2, z: 3e-3 } };

async function write(models: readonly ModelFile[], fps?: Uint8Array): Promise<string> {
  const path = file("job.tar", "");
  const all = async function* (): AsyncGenerator<ModelFile> {
    yield* models;
  };
  await streamFileAtomically(path, (to) => writeModelsArchive(to, { scene_settings: SETTINGS, fps }, all()));
  return path;
}

const contentOf = ({ path, from, to }: ModelsJob["models"][number]["content"]): Buffer =>
  readFileSync(path).subarray(from, to);

/** The entries of an archive, by an independent reading of POSIX.1-1988. */
function entriesOf(bytes: Buffer): Map<string, Buffer> {
  const entries = new Map<string, Buffer>();
  let at = 0;
  while (bytes[at] !== 0) {
    const head = bytes.subarray(at, at + 512);
    const text = (from: number, length: number): string =>
      String(head.subarray(from, from + length)).replace(/\0.*$/s, "");
    const signed = Buffer.from(head);
    signed.fill(" ", 148, 156);
    assert.equal(
      Number.parseInt(text(148, 8), 8),
      signed.reduce((sum, byte) => sum + byte, 0),
    );
    assert.equal(text(257, 6), "ustar");
    const size = Number.parseInt(text(124, 12), 8);
    entries.set(text(0, 100), bytes.subarray(at + 512, at + 512 + size));
    at += 512 * (1 + Math.ceil(size / 512));
  }
  assert.deepEqual(bytes.subarray(at), Buffer.alloc(1024));
  return entries;
}

test("an archive is a tar file, and gives back its models, their boxes and the settings", async () => {
  const bytes = fc.uint8Array({ maxLength: 1500 });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.string(), bytes), { maxLength: 5 }), fc.option(bytes), async (all, fps) => {
      const path = await write(
        all.map(([name, stl]) => ({ name, stl, box: BOX })),
        fps ?? undefined,
      );
      const entries = entriesOf(readFileSync(path));
      assert.equal(entries.size, all.length + 1 + (fps ? 1 : 0));
      const job = await readModelsArchive(path);
      assert.deepEqual(job.scene_settings, SETTINGS);
      assert.deepEqual(job.fps && [...contentOf(job.fps)], fps ? [...fps] : undefined);
      assert.deepEqual(
        job.models.map(({ name, box, content }) => [name, box, [...contentOf(content)]]),
        all.map(([name, stl]) => [name, BOX, [...stl]]),
      );
      all.forEach(([, stl], i) => assert.deepEqual(entries.get(`${i + 1}.stl`), Buffer.from(stl)));
    }),
    { numRuns: 30 },
  );
});

const isRefused = (thrown: unknown): boolean =>
  thrown instanceof ApiError && thrown.code === "OPERATION_FAILED" && /print the scene again/.test(thrown.message);

test("an archive that is cut off, and a job of layers, are refused", async () => {
  const path = await write([{ name: "a", stl: new Uint8Array(700), box: BOX }]);
  const whole = readFileSync(path);
  for (let length = 0; length < whole.lastIndexOf("}"); length += 97)
    await assert.rejects(readModelsArchive(file("cut.tar", whole.subarray(0, length))), isRefused, String(length));
  await assert.rejects(readModelsArchive(file("job.printjob", "PK\u0003\u0004layers".padEnd(2000, "x"))), isRefused);
});

test("an archive with a changed byte is refused, or its list is what it says", async () => {
  const whole = readFileSync(await write([{ name: "a", stl: new Uint8Array(10), box: BOX }]));
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
      const changed = Buffer.from(whole);
      changed[at]! ^= by;
      const path = file("changed.tar", changed);
      const job = await readModelsArchive(path).catch((thrown: unknown) => {
        assert.ok(isRefused(thrown), String(thrown));
      });
      for (const { content } of job?.models ?? []) assert.ok(content.from >= 0 && content.to <= changed.length);
    }),
    { numRuns: 300 },
  );
});
