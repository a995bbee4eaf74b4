import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { runCommand } from "../fixture/command.ts";
import { readSl1 } from "../fixture/job/read-sl1.ts";
import { RawServer, connectClient, mcpCommandLine, readResult } from "../fixture/mcp-server.ts";
import { randomFrom } from "../fixture/random.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";

const root = mkdtempSync(join(tmpdir(), "printwright-mcp-protocol-"));
writeFileSync(join(root, "block.stl"), binaryStl(box([8, 6, 4])));
copyFileSync(fileURLToPath(new URL("../../assets/demo/functional-part.stl", import.meta.url)), join(root, "part.stl"));
after(() => rmSync(root, { recursive: true }));

const PRINTER = { printer: "SL1S" };

test("a client of SDK v1 makes a supported plate in six calls", async () => {
  const client = new OldClient({ name: "old", version: "1" });
  await client.connect(new OldTransport({ ...mcpCommandLine(root), stderr: "ignore" }));
  const call = async (name: string, input: Record<string, unknown>) => {
    const result = readResult(await client.callTool({ name, arguments: input }));
    assert.equal(result.isError, false, result.text);
    return result;
  };
  assert.equal((await client.listTools()).tools.length, 10);
  const { plate } = (await call("open_plate", PRINTER)).data;
  await call("add_parts", { plate, files: ["block.stl"] });
  assert.equal((await call("prepare", { plate })).data.status, "OK");
  await call("check", { plate });
  assert.ok((await call("picture", { plate })).png!.length > 1000);
  await call("save", { plate, files: ["old.sl1s"] });
  assert.ok(readFileSync(join(root, "old.sl1s")).length > 1000);
  await client.close();
});

const LEGACY = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

for (const protocolVersion of LEGACY) {
  test(`raw lines of revision ${protocolVersion} are answered`, async () => {
    const server = new RawServer(root);
    const hello = { protocolVersion, capabilities: {}, clientInfo: { name: "raw", version: "1" } };
    const { result } = await server.request(1, "initialize", hello);
    assert.equal(result.protocolVersion, protocolVersion);
    assert.equal(result.serverInfo.name, "printwright");
    assert.match(result.instructions, /six calls/);
    server.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    assert.deepEqual((await server.request(2, "ping", {})).result, {});
    assert.equal((await server.request(3, "tools/list", {})).result.tools.length, 10);
    const { result: opened } = await server.request(4, "tools/call", { name: "open_plate", arguments: PRINTER });
    assert.equal(readResult(opened).data.plate, "plate1");
    const { error } = await server.request(5, "resources/list", {});
    assert.equal(error.code, -32601);
    assert.equal(await server.close(), 0);
  });
}

test("a client of an unknown revision with a handshake gets one that the server knows, and no -32022", async () => {
  const server = new RawServer(root);
  const hello = { protocolVersion: "1999-01-01", capabilities: {}, clientInfo: { name: "raw", version: "1" } };
  const { result } = await server.request(1, "initialize", hello);
  assert.ok(LEGACY.includes(result.protocolVersion));
  assert.equal(await server.close(), 0);
});

const META = "io.modelcontextprotocol/";
const envelope = (version: string, more: object = {}) => ({
  _meta: { [`${META}protocolVersion`]: version, [`${META}clientCapabilities`]: {}, ...more },
});

test("raw lines of revision 2026-07-28 are answered without a handshake", async () => {
  const server = new RawServer(root);
  const meta = envelope("2026-07-28");
  const { result: found } = await server.request(1, "server/discover", meta);
  assert.ok(found.supportedVersions.includes("2026-07-28"));
  const { result: listed } = await server.request(2, "tools/list", meta);
  assert.equal(listed.tools.length, 10);
  assert.equal(listed.resultType, "complete");
  const { result } = await server.request(3, "tools/call", { name: "open_plate", arguments: PRINTER, ...meta });
  assert.equal(readResult(result).data.plate, "plate1");
  assert.equal(await server.close(), 0);
});

test("a first request of a revision that is not known gets -32022 with those that are", async () => {
  const server = new RawServer(root);
  const { error } = await server.request(1, "tools/list", envelope("2031-01-01"));
  assert.equal(error.code, -32022);
  assert.deepEqual(error.data, { supported: ["2026-07-28"], requested: "2031-01-01" });
  assert.equal(await server.close(), 0);
});

test("a long call reports progress, and a cancelled one changes nothing", async () => {
  const { client, call } = await connectClient(root);
  const { plate } = (await call("open_plate", PRINTER)).data;
  await call("add_parts", { plate, files: ["part.stl"] });
  const before = (await call("estimate", { plate })).data;
  const cancelling = new AbortController();
  const shares: number[] = [];
  const onprogress = ({ progress }: { progress: number }): void => {
    shares.push(progress);
    if (shares.length === 3) cancelling.abort();
  };
  await assert.rejects(call("prepare", { plate }, { onprogress, signal: cancelling.signal }));
  assert.deepEqual(
    shares,
    [...new Set(shares)].sort((a, b) => a - b),
  );
  assert.deepEqual((await call("estimate", { plate })).data, before);
  await client.close();
});

test("the server ends when its input is closed or it gets a signal, also within a call", async () => {
  for (const end of ["close", "SIGTERM"] as const) {
    const server = new RawServer(root);
    const meta = envelope("2026-07-28");
    await server.request(1, "tools/call", { name: "open_plate", arguments: PRINTER, ...meta });
    await server.request(2, "tools/call", {
      name: "add_parts",
      arguments: { plate: "plate1", files: ["part.stl"] },
      ...meta,
    });
    const watched = envelope("2026-07-28", { progressToken: 1 });
    const prepare = { name: "prepare", arguments: { plate: "plate1" }, ...watched };
    server.write(JSON.stringify({ jsonrpc: "2.0", id: 3, method: "tools/call", params: prepare }));
    await server.message(({ method }) => method === "notifications/progress");
    if (end === "SIGTERM") server.child.kill(end);
    assert.equal(end === "close" ? await server.close() : await server.exited, end === "close" ? 0 : 143);
  }
});

test("print sends the job of a plate to a printer where the user allowed it", async () => {
  const jobs = mkdtempSync(join(root, "jobs-"));
  const { client, call } = await connectClient(root, [
    "--allow-print",
    "--virtual-printer",
    "PRUSA-SL1S=Left",
    "--job-dir",
    jobs,
  ]);
  const { tools } = await client.listTools();
  const print = tools.find(({ name }) => name === "print");
  assert.equal(print?.annotations?.destructiveHint, true);
  assert.match(client.getInstructions()!, /ask a person/);
  const { plate } = (await call("open_plate", PRINTER)).data;
  await call("add_parts", { plate, files: ["block.stl"] });
  await call("edit_parts", { plate, actions: [{ do: "place", at_mm: [0, 0, 0] }] });
  const { data } = await call("list_printers", { search: "SL1S" });
  assert.deepEqual(
    data.connected.map(({ id }: { id: string }) => id),
    ["Left"],
  );
  const printed = await call("print", { plate, printer: "Left", job_name: "block" });
  assert.equal(printed.isError, false, printed.text);
  assert.ok(readdirSync(jobs).length > 0);
  const wrong = await call("print", { plate, printer: "Right", job_name: "block", print_now: true });
  assert.equal(wrong.isError, true);
  await client.close();
});

/** Bytes of memory of a process, on Linux. */
const residentBytes = (pid: number): number =>
  1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]);

const onLinux = process.platform === "linux" ? test : test.skip;

onLinux("200 calls leave the memory as it was", async () => {
  const { client, call, pid } = await connectClient(root, ["--threads", "1"]);
  const round = async (): Promise<void> => {
    const { plate } = (await call("open_plate", PRINTER)).data;
    const { data } = await call("add_parts", { plate, files: ["block.stl"], copies: 3 });
    const [{ part }] = data.parts;
    await call("edit_parts", { plate, actions: [{ do: "turn", parts: [part], x_deg: 30 }] });
    await call("check", { plate });
    await call("picture", { plate });
    await call("picture", { plate, layer: 2 });
    await call("estimate", { plate });
    await call("save", { plate, files: ["round.form"], replace: true });
    await call("add_parts", { plate, files: ["missing.stl"] });
    await call("close_plate", { plate });
  };
  const usedAfter = async (rounds: number): Promise<number> => {
    for (let i = 0; i < rounds; i++) await round();
    await sleep(1000);
    return residentBytes(pid!);
  };
  const first = await usedAfter(20);
  const second = await usedAfter(20);
  const third = await usedAfter(20);
  const grown = Math.min(second, third) - first;
  assert.ok(grown < 24 * 2 ** 20, `${[first, second, third].map((bytes) => Math.round(bytes / 2 ** 20))} MiB`);
  await client.close();
});

test("no line ends the server or makes it write anything but messages", async () => {
  const random = randomFrom(11);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const server = new RawServer(root);
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } };
  await server.request(1, "initialize", hello);
  const names = [
    "open_plate",
    "add_parts",
    "prepare",
    "edit_parts",
    "check",
    "picture",
    "estimate",
    "save",
    "close_plate",
  ];
  const values = [
    null,
    0,
    -1,
    Number.MAX_VALUE,
    "",
    "plate1",
    "\0",
    "../x",
    [],
    [[]],
    {},
    { $: "a" },
    true,
    "a".repeat(5000),
  ];
  const fields = [
    "plate",
    "printer",
    "file",
    "files",
    "actions",
    "layer",
    "finding",
    "parts",
    "copies",
    "replace",
    "__proto__",
  ];
  const call = (id: number): string => {
    const input = Object.fromEntries(
      Array.from({ length: Math.floor(random() * 4) }, () => [pick(fields), pick(values)]),
    );
    const params = { name: pick(names), arguments: pick([input, input, input, pick(values)]) };
    return JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
  };
  const junk = [
    "",
    "{",
    "[]",
    "null",
    "{}",
    '{"jsonrpc":"2.0"}',
    '{"jsonrpc":"2.0","id":{},"method":"ping"}',
    "\u0000",
    "é".repeat(999),
    "[".repeat(20_000),
  ];
  for (let i = 0; i < 2000; i++) {
    const line = call(100 + i);
    const cut = Math.floor(random() * line.length);
    server.write(
      pick([
        line,
        line,
        line.slice(0, cut),
        line.slice(cut),
        line.slice(0, cut) + pick(junk) + line.slice(cut),
        pick(junk),
      ]).replaceAll("\n", " "),
    );
  }
  server.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}');
  assert.deepEqual((await server.request(9999, "ping", {})).result, {});
  for (const line of server.lines) assert.equal(JSON.parse(line).jsonrpc, "2.0", line);
  assert.equal(await server.close(), 0);
});

test("a worker makes the job of a submitted plate, whose files are fetched below the root", async () => {
  const farm = mkdtempSync(join(tmpdir(), "printwright-mcp-farm-"));
  const place = ["--queue", join(farm, "queue.sqlite"), "--store", join(farm, "store")];
  const { client, call } = await connectClient(root, ["--submit", "--allow-print", ...place]);
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.slice(-3).map(({ name }) => name),
    ["submit_job", "job_status", "print"],
  );
  assert.ok(Buffer.byteLength(JSON.stringify(tools)) <= 12 * 1024);
  const { plate } = (await call("open_plate", PRINTER)).data;
  await call("add_parts", { plate, files: ["block.stl"] });
  await call("edit_parts", { plate, actions: [{ do: "place", at_mm: [0, 0, 0] }] });
  const outside = await call("submit_job", { plate, files: ["../away.sl1s"] });
  assert.match(outside.text, /outside of the folder/);
  const submitted = await call("submit_job", { plate, files: ["farm.sl1s"], group: "order" });
  assert.equal(submitted.isError, false, submitted.text);
  const { job } = submitted.data;
  assert.equal((await call("job_status", { job })).data.state, "ready");
  assert.match((await call("job_status", { job, fetch: true })).text, /The job is ready/);
  const { jobs } = (await call("job_status", { group: "order" })).data;
  assert.deepEqual(
    jobs.map((one: { job: string }) => one.job),
    [job],
  );
  const worked = await runCommand(["worker", "--once", "--work", join(farm, "work"), ...place], root);
  assert.equal(worked.status, 0, worked.stderr);
  const done = await call("job_status", { job, fetch: true });
  assert.deepEqual(done.data.written, ["farm.sl1s"], done.text);
  assert.equal(readSl1(readFileSync(join(root, "farm.sl1s"))).layers.length, 80);
  assert.match((await call("job_status", { job, fetch: true })).text, /There is farm.sl1s already/);
  const again = await call("submit_job", { plate, files: ["farm2.sl1s"] });
  assert.equal((await call("job_status", { job: again.data.job, cancel: true })).data.state, "cancelled");
  assert.match((await call("job_status", { job: "none" })).text, /has no job "none"/);
  await client.close();
  rmSync(farm, { recursive: true });
});
