import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import S3rver from "s3rver";
import { ApiError } from "../../src/core/api-error.ts";
import { type FileHash, type FileStore, placeOf } from "../../src/farm/store/file-store.ts";
import { openStore } from "../../src/farm/store/open-store.ts";
import { readS3Access } from "../../src/farm/store/s3-access.ts";
import { openS3Store } from "../../src/farm/store/s3-store.ts";
import { until } from "../fixture/until.ts";
import { testStore } from "./store.case.ts";

const folder = mkdtempSync(join(tmpdir(), "printwright-s3-store-"));
after(() => rmSync(folder, { recursive: true }));
const server = new S3rver({
  port: 0,
  address: "127.0.0.1",
  silent: true,
  directory: join(folder, "objects"),
  configureBuckets: [{ name: "farm", configs: [] }],
});
const { port } = await server.run();
after(() => server.close());

// The only keys that the server knows.
const env = {
  AWS_ACCESS_KEY_ID: "S3RVER",
  AWS_SECRET_ACCESS_KEY: "S3RVER",
  AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
};
const access = readS3Access(env);

/** Where the server keeps the object of a file. */
const objectOf = (hash: FileHash): string => join(folder, "objects", "farm", "shop", `${placeOf(hash)}._S3rver_object`);

/** A store whose files are complete once they are put: the server answers before it has written them. */
function settledStore(): FileStore {
  const store = openS3Store(access, "farm", "shop/");
  return {
    ...store,
    async put(path) {
      const stored = await store.put(path);
      await until(
        "the server has written it",
        () => statSync(objectOf(stored.hash), { throwIfNoEntry: false })?.size === stored.bytes,
      );
      return stored;
    },
  };
}

testStore({
  name: "S3",
  open: async () => settledStore(),
  damage: async (hash, bytes) => writeFileSync(objectOf(hash), bytes),
});

const message = (code: string, text: RegExp) => (thrown: unknown) =>
  thrown instanceof ApiError && thrown.code === code && text.test(thrown.message);

test("wrong keys and missing buckets are named", async () => {
  const file = join(folder, "file");
  writeFileSync(file, "file");
  // The server compares ids of keys, not signatures.
  const wrongKey = openS3Store({ ...access, accessKeyId: "wrong" }, "farm", "");
  await assert.rejects(wrongKey.put(file), message("OPERATION_FAILED", /S3 answers 403.*check the keys/));
  const wrongBucket = openS3Store(access, "other", "");
  await assert.rejects(wrongBucket.put(file), message("OPERATION_FAILED", /S3 answers 404 .*NoSuchBucket/));
});

test("access comes from variables or a private file, and never over an open connection", () => {
  const file = join(folder, "keys.json");
  const keys = { access_key_id: "a", secret_access_key: "b", region: "eu-central-1" };
  writeFileSync(file, JSON.stringify(keys), { mode: 0o600 });
  const read = readS3Access({ PRINTWRIGHT_S3_FILE: file, AWS_ACCESS_KEY_ID: "other" });
  assert.equal(read.endpoint.href, "https://s3.eu-central-1.amazonaws.com/");
  assert.equal(read.accessKeyId, "a");
  const open = join(folder, "open.json");
  writeFileSync(open, JSON.stringify(keys), { mode: 0o644 });
  assert.throws(() => readS3Access({ PRINTWRIGHT_S3_FILE: open }), message("INPUT_ERROR", /chmod 600/));
  writeFileSync(file, '{"secret_access_key": hush}', { mode: 0o600 });
  assert.throws(
    () => readS3Access({ PRINTWRIGHT_S3_FILE: file }),
    (error: Error) => /is not JSON/.test(error.message) && !error.message.includes("hush"),
  );
  assert.throws(() => readS3Access({}), message("INPUT_ERROR", /AWS_ACCESS_KEY_ID/));
  const plain = { ...env, AWS_ENDPOINT_URL: "http://minio.shop" };
  assert.throws(() => readS3Access(plain), message("INPUT_ERROR", /https/));
});

test("a store with a password in its address is refused without it", async () => {
  await assert.rejects(
    openStore("s3://me:secret@farm/x"),
    (error: Error) => /--store must be/.test(error.message) && !error.message.includes("secret"),
  );
});
