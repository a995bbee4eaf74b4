import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { newTemporaryName } from "../../../src/core/temporary-file.ts";
import { noLog } from "../../../src/core/event-log.ts";
import { localAccounts } from "../../../src/printer/account/local-accounts.ts";
import { newSession } from "../../../src/printer/account/session.ts";
import { openProtocols } from "../../../src/printer/printers.ts";
import { openQueue } from "../../fixture/queue-bench.ts";
import { someJob } from "../../fixture/some-job.ts";

const root = mkdtempSync(join(tmpdir(), "printwright-private-"));
after(() => rmSync(root, { recursive: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test(
  "only the owner can read held jobs, even if others could before",
  { skip: process.platform === "win32" },
  async () => {
    const first = openQueue([], { root });
    await first.queue.submit(someJob());
    const held = join(first.folder, "held");
    const files = readdirSync(held).map((name) => join(held, name));
    const assertPrivate = (): void => {
      assert.equal(modeOf(held), 0o700);
      for (const file of files) assert.equal(modeOf(file), 0o600, file);
    };
    assert.equal(files.length, 3);
    assertPrivate();
    await first.close();
    for (const path of [held, ...files.filter(existsSync)]) chmodSync(path, 0o777);
    const second = openQueue([], { root, folder: first.folder });
    files.splice(0, files.length, ...readdirSync(held).map((name) => join(held, name)));
    assertPrivate();
    await second.close();
  },
);

test("unfinished files of killed servers are removed at the start, with and without queues", async () => {
  const jobFolder = join(root, "left");
  const held = join(jobFolder, "held");
  mkdirSync(held, { recursive: true });
  const left = [jobFolder, held].map((folder) => join(folder, newTemporaryName()));
  const kept = join(held, "note.part");
  for (const path of [...left, kept]) {
    writeFileSync(path, "half");
    // Older than this process.
    utimesSync(path, 1, 1);
  }
  const session = newSession(localAccounts([]), undefined, noLog);
  const protocols = openProtocols({ known: [], jobFolder, discoveryAddresses: [] }, session);
  assert.deepEqual([...left, kept].map(existsSync), [false, false, true]);
  await Promise.all(protocols.map((protocol) => protocol.close()));
});
