import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { writeNpm } from "../../package/npm.ts";
import { type Target, describeExecutable, hostTarget } from "../../package/release.ts";
import { call } from "../fixture/client.ts";
import { missing, trialRelease } from "../fixture/package-release.ts";
import { compiledExecutable } from "../fixture/printwright.ts";
import { VERSION } from "../../src/core/version.ts";

// npm installs the packages of the real executable from a registry on this machine, and Node.js starts them.

const skip = process.platform === "win32" ? "not tried on Windows" : missing("npm", "npx", "node", "tar");
const folder = mkdtempSync(join(tmpdir(), "printwright-npx-"));
after(() => rmSync(folder, { recursive: true }));

/** Manifests and archives by the names of packages. */
const packages = new Map<string, { manifest: any; archive: Uint8Array }>();
const asked: string[] = [];

/** As much of a registry as npm asks for. */
const registry: Server = createServer((request, response) => {
  const path = decodeURIComponent(request.url ?? "").slice(1);
  asked.push(path);
  const [name = "", file] = path.split("/-/");
  const found = packages.get(name);
  if (!found) return void response.writeHead(404).end("{}");
  if (file !== undefined) return void response.end(found.archive);
  const { manifest, archive } = found;
  const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
  const dist = { integrity, tarball: `${origin()}/${name}/-/${basename(name)}.tgz` };
  const { version } = manifest;
  response.setHeader("Content-Type", "application/json");
  response.end(
    JSON.stringify({ name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } }),
  );
});

const origin = (): string => `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;

function environment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    npm_config_registry: origin(),
    npm_config_cache: join(folder, "cache"),
    // npx takes commands that are installed there first.
    npm_config_prefix: join(folder, "prefix"),
    npm_config_update_notifier: "false",
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_yes: "true",
  };
}

const host = hostTarget() as Target;

before(async () => {
  if (skip !== false) return;
  const release = { ...trialRelease(folder), version: VERSION };
  writeFileSync(join(folder, "notices"), "The licences.");
  const real = describeExecutable(host, compiledExecutable(), []);
  const others: readonly Target[] = ["windows-x64", "linux-x64-musl"];
  const foreign = others.map((target) => describeExecutable(target, join(folder, "notices"), []));
  for (const path of writeNpm(release, [real, ...foreign], () => join(folder, "notices"))) {
    const { stdout } = spawnSync("tar", ["xzOf", path, "package/package.json"], { encoding: "utf8" });
    const manifest = JSON.parse(stdout);
    packages.set(manifest.name, { manifest, archive: readFileSync(path) });
  }
  registry.listen(0, "127.0.0.1");
  await once(registry, "listening");
});
after(() => registry.close().closeAllConnections());

async function run(program: string, words: readonly string[], cwd: string) {
  const child = spawn(program, words, { cwd, env: environment() });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { status, stdout, stderr };
}

function newFolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

test("npx starts the executable in an empty folder, and npm fetches no other platform's", { skip }, async () => {
  const { status, stdout, stderr } = await run("npx", ["printwright", "version"], newFolder("npx"));
  assert.deepEqual([status, stdout], [0, `${VERSION}\n`], stderr);
  const fetched = asked.filter((path) => path.includes("/-/"));
  assert.deepEqual(fetched.sort(), [`@trial/${host}/-/${host}.tgz`, "printwright/-/printwright.tgz"].sort());
});

test("an installed package serves, and is removed without a rest", { skip }, async () => {
  const cwd = newFolder("installed");
  writeFileSync(join(cwd, "package.json"), "{}");
  const installed = await run("npm", ["install", `printwright@${VERSION}`], cwd);
  assert.equal(installed.status, 0, installed.stderr);
  const program = join(cwd, "node_modules/.bin/printwright");
  const server = spawn(program, ["--port", "0", "--discover-on", "none"], { env: environment() });
  let printed = "";
  for await (const data of server.stdout) if ((printed += data).includes("READY FOR INPUT")) break;
  const { body } = await call(Number(/:(\d+)\s/.exec(printed)?.[1]), "GET", "/v1/");
  assert.deepEqual(body, { version: VERSION });
  server.kill("SIGTERM");
  assert.deepEqual(await once(server, "exit"), [0, null]);
  assert.equal((await run("npm", ["uninstall", "printwright"], cwd)).status, 0);
  const left = readdirSync(join(cwd, "node_modules"), { recursive: true, withFileTypes: true });
  assert.deepEqual(
    left.flatMap((entry) => (entry.isFile() && !entry.name.startsWith(".") ? [entry.name] : [])),
    [],
  );
});
