import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "printwright-package-"));
after(() => rmSync(folder, { recursive: true }));

async function packageCommand(...words: string[]) {
  const child = spawn(process.execPath, ["package/main.ts", ...words], { cwd: root });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { status, stdout, stderr };
}

test("wrong words end the command before it builds anything, and name what can be chosen", async () => {
  const mine = join(folder, "mine.txt");
  writeFileSync(mine, "not a package");
  const cases: readonly (readonly [words: readonly string[], message: RegExp])[] = [
    [["rpm"], /"rpm" is not a package: choose deb, container, npm/],
    [["deb", "--target", "beos"], /"beos" is not a target: choose linux-x64/],
    [["winget", "--target", "linux-x64"], /winget has packages for windows-x64, windows-arm64 only/],
    [["deb", "--out", folder], /has other files than packages/],
    [["deb", "--key", join(folder, "absent.pem")], /ENOENT.*absent\.pem/],
  ];
  const ended = await Promise.all(
    cases.map(async ([words, message]) => [await packageCommand(...words), message] as const),
  );
  for (const [{ status, stdout, stderr }, message] of ended) {
    assert.match(stderr, message);
    assert.deepEqual([status, stdout], [1, ""]);
  }
  assert.ok(existsSync(mine));
});
