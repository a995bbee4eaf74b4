import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { writeDeb } from "../../package/deb.ts";
import { describeExecutable } from "../../package/release.ts";
import { missing, noLinuxProgram, trialRelease } from "../fixture/package-release.ts";
import { compiledExecutable } from "../fixture/printwright.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";

// The Debian package is installed, started, upgraded and removed under systemd, in a container that has this machine's files as a layer
// that nothing changes.

const SYSTEMD = "/lib/systemd/systemd";
const skip =
  noLinuxProgram ||
  (process.getuid?.() !== 0 && "only root starts a container") ||
  (!existsSync(SYSTEMD) && `not installed: ${SYSTEMD}`) ||
  (!existsSync("/usr/bin/dbus-daemon") && "not installed: dbus") ||
  missing("systemd-nspawn", "unshare", "dpkg", "dpkg-deb");

const folder = mkdtempSync(join(tmpdir(), "printwright-services-"));
after(() => rmSync(folder, { recursive: true }));

/** Carried out in the container. Each `say` is a line of the results. */
const TRIAL = `#!/bin/sh
exec > /trial/log 2>&1
say() { echo "$1=$2" >> /trial/results; }
ask() { printwright health http://localhost:44388 > /dev/null && echo well || echo ill; }
pid() { systemctl show --value -p MainPID printwright; }
rm -f /usr/sbin/policy-rc.d
dpkg -i /trial/old.deb
say active_after_install "$(systemctl is-active printwright)"
systemctl enable --now printwright
sleep 2
say health "$(ask)"
say user "$(ps -o user:20= -p "$(pid)")"
state=/var/lib/printwright
post() { curl -s "http://localhost:44388/v1/$1/" -d "$2"; }
scene=$(post scene/create '{"machine_type": "FORM-4-0", "material_code": "FLGPBK05", "layer_thickness_mm": 0.1}' | grep -Eo '[0-9a-f-]{36}')
cp /trial/part.stl $state/part.stl && chmod a+r $state/part.stl
post scene/model/import "{\\"scene_id\\": \\"$scene\\", \\"file\\": \\"$state/part.stl\\"}"
say supports "$(post scene/model/auto-support "{\\"scene_id\\": \\"$scene\\"}" | grep -o modified_model_ids)"
post scene/save "{\\"scene_ids\\": [\\"$scene\\"], \\"file\\": \\"$state/plate.form\\"}"
say saved "$(test -s $state/plate.form && echo yes)"
say write_elsewhere "$(post scene/save "{\\"scene_ids\\": [\\"$scene\\"], \\"file\\": \\"/usr/plate.form\\"}" | grep -o read-only)"
cp /trial/part.stl /root/part.stl
say read_home "$(post scene/model/import "{\\"scene_id\\": \\"$scene\\", \\"file\\": \\"/root/part.stl\\"}" | grep -Eo 'OPERATION_FAILED|model_id')"
echo 'PRINTWRIGHT_OPTIONS=--no-page' >> /etc/printwright/server.env
old=$(pid)
dpkg --force-confold -i /trial/new.deb
sleep 2
say restarted "$([ "$old" != "$(pid)" ] && echo yes)"
say health_after_upgrade "$(ask)"
say settings "$(tr '\\0' ' ' < /proc/$(pid)/cmdline | grep -o -- --no-page)"
systemctl stop printwright
say exit_status "$(systemctl show --value -p ExecMainStatus printwright)"
systemctl start printwright-worker
sleep 3
say worker "$(systemctl is-active printwright-worker)"
systemctl stop printwright-worker
say worker_exit "$(systemctl show --value -p Result printwright-worker)"
journalctl --no-pager -u printwright -u printwright-worker
systemctl start printwright
dpkg -r printwright
say active_after_removal "$(systemctl is-active printwright)"
say state_after_removal "$(test -s $state/plate.form && echo yes)"
dpkg -P printwright
say rest "$(ls -d /usr/bin/printwright /etc/printwright $state /var/lib/private/printwright /etc/systemd/system/*/printwright* 2> /dev/null)"
`;

const UNIT = `[Unit]
Requires=dbus.service
After=dbus.service systemd-journald.service
[Service]
Type=oneshot
ExecStart=/trial/trial.sh
ExecStopPost=/bin/systemctl poweroff --force
`;

const TARGET = `[Unit]
Requires=trial.service systemd-journald.service dbus.socket sysinit.target
`;

/** Mounts that end with this process: the machine's files, and a layer in memory above them. */
const BOOT = `mount --make-rprivate / && mount -t tmpfs tmpfs "$1" || exit 99
mkdir "$1/upper" "$1/work" "$1/root" || exit 99
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root" || exit 99
cp -r "$2" "$1/root/trial" && cp "$2"/trial.service "$2"/trial.target "$1/root/etc/systemd/system/" || exit 99
rm -f "$1/root/etc/machine-id" && echo uninitialized > "$1/root/etc/machine-id"
systemd-nspawn --quiet --register=no --keep-unit --directory="$1/root" --machine=printwright-trial --boot systemd.unit=trial.target > "$1/boot.log" 2>&1 < /dev/null
cat "$1/root/trial/log" "$1/boot.log" >&2
cat "$1/root/trial/results"`;

let results = new Map<string, string>();
let log = "";

before(async () => {
  if (skip !== false) return;
  const trial = join(folder, "trial");
  mkdirSync(trial);
  writeFileSync(join(trial, "trial.sh"), TRIAL, { mode: 0o755 });
  writeFileSync(join(trial, "trial.service"), UNIT);
  writeFileSync(join(trial, "trial.target"), TARGET);
  writeFileSync(join(trial, "part.stl"), binaryStl(box([4, 3, 2])));
  writeFileSync(join(folder, "notices"), "The licences.");
  const executable = describeExecutable("linux-x64", compiledExecutable(), []);
  for (const [name, version] of [
    ["old.deb", "1.2.3"],
    ["new.deb", "1.3.0"],
  ] as const) {
    const deb = await writeDeb(trialRelease(folder, version), executable, join(folder, "notices"), ["-Zgzip", "-z1"]);
    writeFileSync(join(trial, name), readFileSync(deb));
  }
  const memory = join(folder, "memory");
  mkdirSync(memory);
  const words = ["--mount", "sh", "-c", BOOT, "sh", memory, trial];
  const { stdout, stderr } = spawnSync("unshare", words, { encoding: "utf8", timeout: 240_000 });
  log = stderr;
  results = new Map(stdout.split("\n").map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]));
});

const assertResults = (expected: Readonly<Record<string, string>>): void => {
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map((key) => [key, results.get(key)])), expected, log);
};

test("the installation starts nothing; the service then runs as a user of its own and answers", { skip }, () => {
  assertResults({ active_after_install: "inactive", health: "well", user: "printwright" });
});

test("the hardened service does its work, in its folder alone", { skip }, () => {
  assertResults({
    supports: "modified_model_ids",
    saved: "yes",
    write_elsewhere: "read-only",
    read_home: "OPERATION_FAILED",
  });
});

test("an upgrade restarts the service with the settings of the user", { skip }, () => {
  assertResults({ restarted: "yes", health_after_upgrade: "well", settings: "--no-page", exit_status: "0" });
});

test("the worker starts under its unit, and ends in peace", { skip }, () => {
  assertResults({ worker: "active", worker_exit: "success" });
});

test("a removal stops the service and keeps its state; a purge leaves nothing", { skip }, () => {
  assertResults({ active_after_removal: "inactive", state_after_removal: "yes", rest: "" });
});
