import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openFolderStore } from "../../src/farm/store/folder-store.ts";

const folder = mkdtempSync(join(tmpdir(), "printwright-store-away-"));
after(() => rmSync(folder, { recursive: true }));

// A worker whose NFS store was not mounted for a moment wrote its results below the mount point: the job was done, and its files were lost.
for (const isMountPoint of [false, true]) {
  test(`a store that goes away takes no files${isMountPoint ? " below its mount point" : ""}, until it is back`, async () => {
    const path = join(folder, `store ${isMountPoint}`);
    const store = openFolderStore(path, { lookAgainMs: [] });
    const file = join(folder, `file ${isMountPoint}`);
    writeFileSync(file, "a plate");
    renameSync(path, `${path}.away`);
    if (isMountPoint) mkdirSync(path);
    const gone = { code: "OPERATION_FAILED", message: /is gone from this machine/ };
    await assert.rejects(store.put(file), gone);
    assert.equal(existsSync(join(path, "sha256")), false);
    if (isMountPoint) rmSync(path, { recursive: true });
    renameSync(`${path}.away`, path);
    const { hash } = await store.put(file);
    renameSync(path, `${path}.away`);
    await assert.rejects(store.fetch(hash, join(folder, "fetched")), gone);
    renameSync(`${path}.away`, path);
    await store.fetch(hash, join(folder, "fetched"));
    rmSync(join(folder, "fetched"));
  });
}
