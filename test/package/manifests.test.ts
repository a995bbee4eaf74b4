import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Download, writeDownload } from "../../package/downloads.ts";
import { writeFlathub } from "../../package/flathub.ts";
import { HOMEBREW_TARGETS, writeHomebrew } from "../../package/homebrew.ts";
import { type Target, newRelease, sha256 } from "../../package/release.ts";
import { writeWinget } from "../../package/winget.ts";
import { missing, scriptExecutable, trialRelease } from "../fixture/package-release.ts";

const folder = mkdtempSync(join(tmpdir(), "printwright-manifests-"));
after(() => rmSync(folder, { recursive: true }));
const release = trialRelease(folder);
const notices = join(folder, "notices");

const TARGETS: readonly Target[] = [...HOMEBREW_TARGETS, "windows-x64", "windows-arm64"];
let downloads = new Map<Target, Download>();
before(async () => {
  writeFileSync(notices, "The licences.");
  const written = TARGETS.map(async (target) => {
    const executable = scriptExecutable(target, folder, `echo ${target}`);
    return [target, await writeDownload(release, executable, notices)] as const;
  });
  downloads = new Map(await Promise.all(written));
});

const of = (...targets: Target[]): Download[] => targets.map((target) => downloads.get(target)!);
const contentOf = (path: string | undefined): string => readFileSync(path ?? "", "utf8");

function assertTakes(program: string, ...words: string[]): void {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: "utf8" });
  assert.equal(status, 0, stdout + stderr);
}

test(
  "an archive has the executable, its manual and the licences; Windows gets the executable itself",
  { skip: missing("tar") },
  () => {
    const [mac, windows] = of("darwin-arm64", "windows-x64");
    assert.equal(mac?.url, "https://example.org/1.2.3/printwright-1.2.3-darwin-arm64.tar.gz");
    const listed = spawnSync("tar", ["tzf", mac?.path ?? ""], { encoding: "utf8" }).stdout.split("\n");
    for (const file of ["printwright", "LICENSE", "licences.txt", "man/man1/printwright.1"])
      assert.ok(listed.includes(`printwright-1.2.3-darwin-arm64/${file}`), file);
    assert.equal(windows?.url, "https://example.org/1.2.3/printwright-1.2.3-windows-x64.exe");
    assert.equal(contentOf(windows?.path), "#!/bin/sh\necho windows-x64\n");
    for (const { path, sha256: hash } of downloads.values()) assert.equal(hash, sha256(readFileSync(path)));
  },
);

/** Fields that winget's schemas of version 1.10.0 require, by the type of the manifest. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  version: ["DefaultLocale"],
  installer: ["InstallerType", "Installers"],
  defaultLocale: ["PackageLocale", "Publisher", "PackageName", "License", "ShortDescription"],
};

test("winget gets its three manifests, with the hash of each executable", () => {
  const paths = writeWinget(release, of("windows-x64", "windows-arm64"));
  const manifests = paths.map((path) => Bun.YAML.parse(contentOf(path)) as Record<string, any>);
  assert.deepEqual(manifests.map(({ ManifestType }) => ManifestType).sort(), Object.keys(REQUIRED).sort());
  for (const [i, manifest] of manifests.entries()) {
    assert.match(paths[i] ?? "", /\/winget\/manifests\/m\/Maker\/Printwright\/1\.2\.3\/Maker\.Printwright[^/]*\.yaml$/);
    assert.deepEqual(
      [manifest.PackageIdentifier, manifest.PackageVersion, manifest.ManifestVersion],
      ["Maker.Printwright", "1.2.3", "1.10.0"],
    );
    for (const field of REQUIRED[manifest.ManifestType] ?? []) assert.ok(manifest[field] !== undefined, field);
    assert.ok(
      contentOf(paths[i]).startsWith(
        `# yaml-language-server: $schema=https://aka.ms/winget-manifest.${manifest.ManifestType}.`,
      ),
    );
  }
  const { Installers } = manifests.find(({ ManifestType }) => ManifestType === "installer")!;
  assert.deepEqual(
    Installers,
    of("windows-x64", "windows-arm64").map(({ url, sha256: hash }, i) => ({
      Architecture: ["x64", "arm64"][i],
      InstallerUrl: url,
      InstallerSha256: hash.toUpperCase(),
    })),
  );
});

test("Homebrew's formula has each archive under its system and processor", () => {
  const formula = contentOf(writeHomebrew(release, of(...HOMEBREW_TARGETS)));
  for (const [target, system, processor] of [
    ["darwin-arm64", "macos", "arm"],
    ["darwin-x64", "macos", "intel"],
    ["linux-arm64", "linux", "arm"],
    ["linux-x64", "linux", "intel"],
  ] as const) {
    const [, ofSystem = ""] = formula.split(`on_${system} do\n`);
    const [, block = ""] = ofSystem.split(`on_${processor} do\n`);
    const [download] = of(target);
    assert.ok(
      block.trimStart().startsWith(`url "${download?.url}"\n      sha256 "${download?.sha256}"\n    end`),
      target,
    );
  }
  assert.match(formula, /^ {2}version "1\.2\.3"$/m);
  assert.ok((/desc "(.*)"/.exec(formula)?.[1]?.length ?? 99) <= 80);
});

test("Ruby reads the formula", { skip: missing("ruby") }, () => {
  assertTakes("ruby", "-c", writeHomebrew(release, of("darwin-arm64", "linux-x64")));
});

test("Flathub gets a manifest that strips nothing, and files of one id", () => {
  const [manifestPath = "", ...others] = writeFlathub(release, of("linux-x64", "linux-arm64"));
  const manifest = Bun.YAML.parse(contentOf(manifestPath)) as any;
  const [module] = manifest.modules;
  assert.equal(manifest.id, "org.example.Printwright");
  assert.equal(module["build-options"].strip, false);
  assert.deepEqual(
    module.sources.flatMap((source: any) =>
      source.type === "archive" ? [[source.sha256, source["only-arches"]]] : [],
    ),
    of("linux-x64", "linux-arm64").map(({ sha256: hash }, i) => [hash, [["x86_64"], ["aarch64"]][i]]),
  );
  const names = others.map((path) => path.slice(path.lastIndexOf("/") + 1));
  assert.deepEqual(
    names,
    ["desktop", "metainfo.xml", "svg"].map((end) => `org.example.Printwright.${end}`),
  );
  for (const name of names)
    assert.ok(
      module["build-commands"].some((command: string) => command.includes(name)),
      name,
    );
  assert.match(contentOf(others[2]), /^<svg width='128' height='128' xmlns=/);
});

test(
  "the checkers of freedesktop.org take the entry and the description",
  { skip: missing("desktop-file-validate", "appstreamcli") },
  () => {
    const [, desktop = "", metainfo = ""] = writeFlathub(release, of("linux-x64"));
    assertTakes("desktop-file-validate", desktop);
    assertTakes("appstreamcli", "validate", "--no-net", metainfo);
  },
);

test("a publisher's file with a wrong field is refused by the name of the field", () => {
  const file = join(folder, "publisher.json");
  const write = (change: object) => writeFileSync(file, JSON.stringify({ ...release.publisher, ...change }));
  write({});
  assert.deepEqual(newRelease(folder, file).publisher, release.publisher);
  write({ mail: "nobody" });
  assert.throws(() => newRelease(folder, file), /publisher\.json: mail: /);
  write({ homepage: "http://example.org" });
  assert.throws(() => newRelease(folder, file), /publisher\.json: homepage: /);
});
