import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, test } from "node:test";
import { writeContainer } from "../../package/container.ts";
import { systemNeeds } from "../../package/elf.ts";
import { missing, noLinuxProgram, standIn, trialRelease } from "../fixture/package-release.ts";

const skip = noLinuxProgram || missing("tar");
const parent = mkdtempSync(join(tmpdir(), "printwright-container-"));
after(() => rmSync(parent, { recursive: true }));
const release = trialRelease(parent);
const notices = join(parent, "notices");
writeFileSync(notices, "The licences.");

test("the image has the executable, its libraries and no rights", { skip }, () => {
  const executable = standIn("linux-x64");
  const folder = writeContainer(release, executable, notices);
  const dockerfile = readFileSync(join(folder, "Dockerfile"), "utf8");
  const { loader, libraries } = systemNeeds(executable.path);
  const copied = [...dockerfile.matchAll(/^COPY --from=libraries (.*) \S+$/gm)].flatMap(([, files = ""]) =>
    files.split(" "),
  );
  for (const file of [loader, ...libraries].map((one) => basename(one)))
    assert.ok(
      copied.some((path) => basename(path) === file),
      file,
    );
  assert.match(dockerfile, /^USER 65532:65532$/m);
  assert.match(dockerfile, /^HEALTHCHECK .* CMD \["\/usr\/bin\/printwright", "health", /m);
  assert.match(dockerfile, /image\.version="1\.2\.3"/);
  const listed = spawnSync("tar", ["tvf", join(folder, "root.tar"), "--numeric-owner"], { encoding: "utf8" }).stdout;
  const rows = listed
    .trim()
    .split("\n")
    .map((line) => line.split(/ +/));
  assert.deepEqual(
    rows.flatMap(([mode = "", owner = "", , , , path = ""]) =>
      owner === "0/0" && !/w.{0,2}$/.test(mode.slice(4)) ? [] : [[mode, owner, path]],
    ),
    [
      ["drwxrwxrwt", "0/0", "tmp/"],
      ["drwxr-x---", "65532/65532", "work/"],
    ],
  );
  assert.throws(
    () => writeContainer(release, { ...executable, target: "darwin-x64" }, notices),
    /no container image for darwin-x64/,
  );
});
