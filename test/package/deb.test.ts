import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { writeDeb } from "../../package/deb.ts";
import { manPages } from "../../package/man-pages.ts";
import { describedCommands } from "../../src/command/commands.ts";
import { missing, noLinuxProgram, standIn, trialRelease } from "../fixture/package-release.ts";

/** Fast, in place of the compression that packages have. */
const FAST = ["-Zgzip", "-z1"];

const skip = noLinuxProgram || missing("dpkg", "dpkg-deb");
const folder = mkdtempSync(join(tmpdir(), "printwright-deb-test-"));
after(() => rmSync(folder, { recursive: true }));

const run = (program: string, ...words: string[]): string => {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: "utf8" });
  assert.equal(status, 0, `${program} ${words.join(" ")}: ${stdout}${stderr}`);
  return stdout;
};

async function packageOf(version: string): Promise<string> {
  const release = trialRelease(folder, version);
  const notices = join(release.folder, "notices.txt");
  writeFileSync(notices, "The licences.");
  return writeDeb(release, standIn("linux-x64"), notices, FAST);
}

let [deb, newer] = ["", ""];
const unpacked = join(folder, "unpacked");

before(async () => {
  if (skip !== false) return;
  [deb, newer] = [await packageOf("1.2.3"), await packageOf("1.3.0")];
  run("dpkg-deb", "--extract", deb, unpacked);
});

test("the package says its version, its processor, and what its executable needs", { skip }, () => {
  const field = (name: string): string => run("dpkg-deb", "--field", deb, name).trim();
  assert.ok(deb.endsWith("/printwright_1.2.3-1_amd64.deb"));
  assert.deepEqual(["Version", "Architecture", "Maintainer"].map(field), [
    "1.2.3-1",
    "amd64",
    "Some Maker <packages@example.org>",
  ]);
  assert.match(field("Depends"), /^libc6 \(>= 2\.\d+\)$/);
  const bytes = statSync("/usr/bin/env").size;
  assert.ok(Number(field("Installed-Size")) * 1024 > bytes);
});

test("its files belong to root, only the executable runs, and the worker's settings are secret", { skip }, () => {
  const listed = run("dpkg-deb", "--contents", deb).trim().split("\n");
  assert.ok(listed.every((line) => line.split(/ +/)[1] === "root/root" && line.includes("2026-02-03")));
  const modes = new Map(listed.map((line) => [line.split(" ").at(-1)!, line.slice(0, 10)]));
  assert.equal(modes.get("./"), "drwxr-xr-x");
  assert.equal(modes.get("./etc/printwright/worker.env"), "-rw-------");
  assert.deepEqual(
    [...modes].flatMap(([path, mode]) => (mode.startsWith("-") && mode.includes("x") ? [path] : [])),
    ["./usr/bin/printwright"],
  );
  const sums = run("dpkg-deb", "--info", deb, "md5sums");
  writeFileSync(join(folder, "sums"), sums);
  assert.equal(spawnSync("md5sum", ["--quiet", "-c", join(folder, "sums")], { cwd: unpacked }).status, 0);
});

test("the executable is neither stripped nor changed", { skip }, () => {
  assert.ok(readFileSync(join(unpacked, "usr/bin/printwright")).equals(readFileSync("/usr/bin/env")));
});

test("equal sources give an equal package", { skip }, async () => {
  assert.ok(readFileSync(await packageOf("1.2.3")).equals(readFileSync(deb)));
});

test("each command has a manual page with its help, without warnings", { skip: skip || missing("man") }, async () => {
  const names = (await describedCommands()).map(({ name }) => `printwright-${name}.1.gz`);
  const pages = join(unpacked, "usr/share/man/man1");
  assert.deepEqual(readdirSync(pages).sort(), [...names, "printwright.1.gz"].sort());
  const env = { ...process.env, MANROFFSEQ: "", MANWIDTH: "100", LC_ALL: "C.UTF-8" };
  for (const page of ["printwright.1.gz", "printwright-slice.1.gz", "printwright-health.1.gz"]) {
    const { stdout, stderr } = spawnSync("man", ["--warnings", "-l", join(pages, page)], { encoding: "utf8", env });
    assert.equal(stderr, "", page);
    assert.match(stdout, /NAME\n +printwright/);
  }
});

test("every word of the help is in the manual", async () => {
  const pages = new Map((await manPages(trialRelease(folder))).map(({ file, text }) => [file, text]));
  const plain = (text: string): string =>
    text
      .replaceAll("\\(dq", '"')
      .replaceAll("\\&", "")
      .replaceAll(/\\(.)/g, (_, c) => (c === "e" ? "\\" : c));
  for (const { name, usage } of await describedCommands()) {
    const words = new Set(plain(pages.get(`printwright-${name}.1`) ?? "").split(/\s+/));
    const lost = usage
      .replace("Usage: ", "")
      .split(/\s+/)
      .filter((word) => !words.has(word));
    assert.deepEqual(lost, [], name);
  }
});

const ROOT_ONLY = process.getuid?.() === 0 ? false : "only root installs packages";

test(
  "it installs, upgrades with the settings of the user, and leaves nothing when purged",
  { skip: skip || ROOT_ONLY },
  () => {
    const system = join(folder, "system");
    for (const part of ["info", "updates", "triggers"])
      mkdirSync(join(system, "var/lib/dpkg", part), { recursive: true });
    writeFileSync(join(system, "var/lib/dpkg/status"), "");
    mkdirSync(join(system, "var/lib/printwright/scenes"), { recursive: true });
    const dpkg = (...words: string[]) =>
      run("dpkg", `--root=${system}`, "--force-script-chrootless", "--force-depends", "--force-confold", ...words);
    const settings = join(system, "etc/printwright/server.env");
    dpkg("--install", deb);
    writeFileSync(settings, "PRINTWRIGHT_PORT=1\n");
    dpkg("--install", newer);
    assert.match(dpkg("--status", "printwright"), /^Version: 1\.3\.0-1$/m);
    assert.equal(readFileSync(settings, "utf8"), "PRINTWRIGHT_PORT=1\n");
    assert.ok(existsSync(join(system, "usr/bin/printwright")));
    dpkg("--remove", "printwright");
    assert.ok(!existsSync(join(system, "usr/bin/printwright")));
    assert.ok(existsSync(settings) && existsSync(join(system, "var/lib/printwright/scenes")));
    dpkg("--purge", "printwright");
    assert.ok(!existsSync(join(system, "etc/printwright")) && !existsSync(join(system, "var/lib/printwright")));
  },
);

test("the services are hardened as far as the runtime allows", { skip: skip || missing("systemd-analyze") }, () => {
  for (const unit of ["printwright.service", "printwright-worker.service"]) {
    const path = join(unpacked, "lib/systemd/system", unit);
    const rated = run("systemd-analyze", "security", "--offline=yes", "--no-pager", path);
    const exposure = Number(/exposure level for .*: ([\d.]+)/.exec(rated)?.[1]);
    // "OK" is at most 4.9, an unhardened service has 9.6.
    assert.ok(exposure <= 2, `${unit}: ${exposure}`);
  }
});

test("the changelog is of the release, and targets without a package are refused", { skip }, async () => {
  const log = gunzipSync(readFileSync(join(unpacked, "usr/share/doc/printwright/changelog.Debian.gz"))).toString();
  assert.match(
    log,
    /^printwright \(1\.2\.3-1\) [\s\S]*-- Some Maker <packages@example\.org> {2}Tue, 03 Feb 2026 04:05:06 \+0000\n$/,
  );
  await assert.rejects(writeDeb(trialRelease(folder), standIn("darwin-x64"), deb), /no Debian package for darwin-x64/);
});
