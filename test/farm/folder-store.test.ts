import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { placeOf } from "../../src/farm/store/file-store.ts";
import { openFolderStore } from "../../src/farm/store/folder-store.ts";
import { testStore } from "./store.case.ts";

const folder = mkdtempSync(join(tmpdir(), "printwright-folder-store-"));
after(() => rmSync(folder, { recursive: true }));
const store = openFolderStore(join(folder, "store"), { lookAgainMs: [1] });

testStore({
  name: "a folder",
  open: async () => store,
  async damage(hash, bytes) {
    const path = join(folder, "store", placeOf(hash));
    chmodSync(path, 0o600);
    writeFileSync(path, bytes);
  },
});

const newFile = (content: string): string => {
  const path = join(folder, content);
  writeFileSync(path, content);
  return path;
};

test("a file that appears late, as those of other machines on NFS, is found", async () => {
  const { hash } = await store.put(newFile("late"));
  const [place, away] = [join(folder, "store", placeOf(hash)), join(folder, "away")];
  renameSync(place, away);
  setTimeout(() => renameSync(away, place), 40);
  await openFolderStore(join(folder, "store"), { lookAgainMs: [5, 10, 20, 40, 80, 160] }).fetch(
    hash,
    join(folder, "got"),
  );
  assert.equal(statSync(join(folder, "got")).size, 4);
});

test("a file that is stored again counts as stored now", async () => {
  const { hash } = await store.put(newFile("old"));
  utimesSync(join(folder, "store", placeOf(hash)), 1, 1);
  await store.put(newFile("old"));
  for await (const file of store.list()) if (file.hash === hash) assert.ok(Date.now() - file.storedMs < 60_000);
});

test("a stored file is linked, not copied, where that is possible", async () => {
  const { hash } = await store.put(newFile("linked"));
  await store.fetch(hash, join(folder, "link"));
  assert.equal(statSync(join(folder, "link")).ino, statSync(join(folder, "store", placeOf(hash))).ino);
});
