import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { writeContainer } from "../../package/container.ts";
import { systemNeeds } from "../../package/elf.ts";
import { describeExecutable } from "../../package/release.ts";
import { call } from "../fixture/client.ts";
import { missing, noLinuxProgram, trialRelease } from "../fixture/package-release.ts";
import { compiledExecutable } from "../fixture/printwright.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";

// The image is built by buildah without a registry, and its root is started as a container is: in namespaces of its own, read-only, by a
// user without rights.

const skip =
  noLinuxProgram ||
  (process.arch !== "x64" && "the libraries are looked for where Debian has them on x64") ||
  (process.getuid?.() !== 0 && "only root makes namespaces here") ||
  missing("buildah", "unshare", "chroot");

const folder = mkdtempSync(join(tmpdir(), "printwright-image-"));
after(() => rmSync(folder, { recursive: true }));
const storage = ["--storage-driver", "vfs", "--root", join(folder, "storage"), "--runroot", join(folder, "run")];

function run(program: string, ...words: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: "utf8" });
  assert.equal(status, 0, `${program} ${words.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}

const buildah = (...words: string[]): string => run("buildah", ...storage, ...words);

/** An image with the C library of this machine in the folders of Debian, in place of the one that a registry would have. */
function buildLibraries(executable: string): void {
  const context = join(folder, "libraries");
  const { loader, libraries } = systemNeeds(executable);
  for (const path of ["usr/lib64", "usr/lib/x86_64-linux-gnu", "usr/share/doc/libc6"])
    mkdirSync(join(context, path), { recursive: true });
  for (const name of ["lib", "lib64"]) symlinkSync(`usr/${name}`, join(context, name));
  for (const name of libraries.filter((one) => one !== basename(loader)))
    copyFileSync(`/lib/x86_64-linux-gnu/${name}`, join(context, "usr/lib/x86_64-linux-gnu", name));
  copyFileSync(loader, join(context, "usr", loader));
  writeFileSync(join(context, "usr/share/doc/libc6/copyright"), "LGPL-2.1-or-later\n");
  writeFileSync(join(folder, "Dockerfile"), "FROM scratch\nCOPY . /\n");
  buildah("bud", "--isolation", "chroot", "-t", "libraries", "-f", join(folder, "Dockerfile"), context);
}

let [image, mounted] = ["", ""];

before(() => {
  if (skip !== false) return;
  const path = compiledExecutable();
  buildLibraries(path);
  const release = trialRelease(folder);
  writeFileSync(join(folder, "notices"), "The licences.");
  const context = writeContainer(release, describeExecutable("linux-x64", path, []), join(folder, "notices"));
  const words = ["--isolation", "chroot", "--format", "docker", "--build-arg", "LIBRARIES=localhost/libraries"];
  buildah("bud", ...words, "-t", "printwright", context);
  image = buildah("from", "localhost/printwright").trim();
  mounted = buildah("mount", image).trim();
});

/** What a runtime of containers makes of an image: a read-only root with the kernel's folders, and volumes that can be written to. */
const START = `mount --make-rprivate /
mkdir -p "$2" && mount -t tmpfs tmpfs "$2" && mkdir "$2/root" && root="$2/root" && mount --bind "$1" "$root" || exit 99
mkdir -p "$root/proc" "$root/dev"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp" && mount -t tmpfs -o mode=0750,uid=65532,gid=65532 tmpfs "$root/work" || exit 99
mount -t proc proc "$root/proc" && mount -t tmpfs tmpfs "$root/dev" || exit 99
for device in null zero random urandom; do touch "$root/dev/$device" && mount --bind "/dev/$device" "$root/dev/$device" || exit 99; done
mount -o remount,bind,ro "$root" || exit 99
shift 2
exec chroot --userspec=65532:65532 "$root" /usr/bin/printwright "$@"`;

const startInImage = (...words: string[]): ChildProcess =>
  spawn("unshare", ["-mpf", "--kill-child", "sh", "-c", START, "sh", mounted, join(folder, "stage"), ...words]);

test("the image has its user, its health check and nothing that it does not need", { skip }, () => {
  const { Docker } = JSON.parse(buildah("inspect", image));
  assert.equal(Docker.config.User, "65532:65532");
  assert.deepEqual(Docker.config.Healthcheck.Test.slice(0, 3), ["CMD", "/usr/bin/printwright", "health"]);
  assert.equal(Docker.config.StopSignal, "SIGTERM");
  const files = run("find", mounted, "-type", "f")
    .trim()
    .split("\n")
    .map((path) => path.slice(mounted.length));
  assert.ok(
    files.every((path) =>
      /^\/(etc\/(passwd|group)|lib(64)?\/.*\.so\.\d+|usr\/(bin\/printwright|share\/doc\/.*))$/.test(path),
    ),
    files.join(),
  );
});

test(
  "a server in the image answers, works, keeps its root unchanged, and stops at SIGTERM as the first process",
  { skip },
  async () => {
    const server = startInImage(
      "--port",
      "0",
      "--host",
      "0.0.0.0",
      "--allow-host",
      "localhost",
      "--state-folder",
      "/work/scenes",
      "--discover-on",
      "none",
    );
    const exited = once(server, "exit");
    let [printed, errors] = ["", ""];
    server.stderr!.on("data", (data) => (errors += data));
    for await (const data of server.stdout!) if ((printed += data).includes("READY FOR INPUT")) break;
    const port = Number(/:(\d+)\s/.exec(printed)?.[1]);
    assert.ok(port > 0, errors);
    const healthy = startInImage("health", `http://127.0.0.1:${port}`);
    assert.deepEqual(await once(healthy, "exit"), [0, null]);

    const status = readFileSync(`/proc/${innerProcess(server.pid!)}/status`, "utf8");
    assert.match(status, /^Uid:\t65532\t/m);
    assert.match(status, /^NSpid:\t\d+\t1$/m);
    assert.match(status, /^CapEff:\t0+$/m);
    const setting = { machine_type: "FORM-4-0", material_code: "FLGPBK05", layer_thickness_mm: 0.1 };
    const { body: scene } = (await call(port, "POST", "/v1/scene/create/", setting)) as any;
    const save = (file: string) => call(port, "POST", "/v1/scene/save/", { scene_ids: [scene.scene_id], file });
    assert.equal((await save("/work/plate.form")).status, 200);
    const refused = (await save("/usr/plate.form")) as any;
    assert.match(refused.body.error.message, /read-only/);
    process.kill(innerProcess(server.pid!), "SIGTERM");
    assert.deepEqual(await exited, [0, null]);
  },
);

/** The process of the image below `unshare`. */
const innerProcess = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0]);

test("a command in the image slices a part from a volume", { skip }, async () => {
  writeFileSync(join(mounted, "part.stl"), binaryStl(box([4, 3, 2])));
  after(() => rmSync(join(mounted, "part.stl")));
  const command = startInImage("slice", "/part.stl", "--printer", "PRUSA-SL1S", "-o", "/work/part.sl1s");
  let errors = "";
  command.stderr!.on("data", (data) => (errors += data));
  command.stdout!.resume();
  assert.deepEqual(await once(command, "exit"), [0, null], errors);
});
