import assert from "node:assert/strict";
import { chmodSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { openSqliteEventLog } from "../../src/farm/events/sqlite-event-log.ts";
import { runCommand, startCommand } from "../fixture/command.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { until } from "../fixture/until.ts";
import { SECRET, startReceiver } from "../fixture/webhook-receiver.ts";

const write = temporaryFiles();
const folder = dirname(write("shop.secret", `${SECRET}\n`));
chmodSync(join(folder, "shop.secret"), 0o600);
const shop = { name: "shop", url: "https://shop.example/hooks", secret_files: ["shop.secret"] };
const fileOf = (webhooks: unknown): string => write("events.json", JSON.stringify({ webhooks }));

test("a new secret goes into a file of its owner, once", async () => {
  const { status, stdout } = await runCommand(["events", "--new-secret", "new.secret"], folder);
  assert.equal(status, 0);
  assert.match(stdout, /^whsec_[\w+/]{43}=\n$/);
  assert.equal(readFileSync(join(folder, "new.secret"), "utf8"), stdout);
  if (process.platform !== "win32") assert.equal(statSync(join(folder, "new.secret")).mode & 0o777, 0o600);
  const again = await runCommand(["events", "--new-secret", "new.secret"], folder);
  assert.equal(again.status, 2);
  assert.equal(readFileSync(join(folder, "new.secret"), "utf8"), stdout);
});

test("a file that cannot be used is refused, with its field and the way out", async () => {
  write("open.secret", SECRET);
  chmodSync(join(folder, "open.secret"), 0o644);
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [[], /names no receiver/],
    [[{ ...shop, url: "http://shop.example/" }], /\/webhooks\/0\/url.*allow_http/],
    [[{ ...shop, url: "https://10.0.0.1/" }], /allow_private_addresses/],
    [[{ ...shop, url: "https://me:pw@shop.example/" }], /no password/],
    [[{ ...shop, secret_files: ["open.secret"] }], /chmod 600/],
    [[shop, shop], /\/webhooks\/1\/name/],
    [[{ ...shop, types: ["jobs"] }], /"jobs" is not a type/],
    [[{ ...shop, secret: SECRET }], /secret/],
  ];
  for (const [webhooks, message] of cases) {
    const { status, stderr } = await runCommand(["events", fileOf(webhooks), "--queue", "q.sqlite"], folder);
    assert.equal(status, 2, stderr);
    assert.match(stderr, message);
    assert.ok(!stderr.includes(SECRET.slice(10)));
  }
});

test("events go to their receivers until the command is stopped", async () => {
  const receiver = await startReceiver((_, response) => void response.writeHead(200).end());
  const queue = join(folder, "queue.sqlite");
  const log = await openSqliteEventLog(queue);
  const entry = { ...shop, url: receiver.url.href, allow_http: true, allow_private_addresses: true, types: ["job.*"] };
  const child = startCommand(["events", fileOf([entry]), "--queue", queue, "--metrics", "0"], folder);
  let said = "";
  child.stderr!.on("data", (piece) => (said += piece));
  const exited = new Promise((resolve) => child.once("exit", (status) => resolve(status)));
  await until("the endpoint begins", async () => (await log.load("webhook/shop")) !== undefined);
  await log.append([
    { type: "printer.state", subject: "printer/P", data: {} },
    { type: "job.done", subject: "job/a", data: {} },
  ]);
  await until("the event arrives", () => receiver.arrived.length > 0);
  const port = (): string | undefined => /metrics on port (\d+)/.exec(said)?.[1];
  await until("metrics are served", () => port() !== undefined);
  const metric = async (line: string): Promise<boolean> =>
    (await (await fetch(`http://127.0.0.1:${port()}/metrics`)).text()).includes(`${line}\n`);
  await until("it is counted", () => metric('printwright_webhooks_total{webhook="shop",outcome="sent"} 1'));
  for (const line of [
    'printwright_webhooks_total{webhook="shop",outcome="failed"} 0',
    'printwright_webhooks_total{webhook="shop",outcome="dead"} 0',
    "printwright_mqtt_published_total 0",
    "printwright_queue_up 1",
  ])
    assert.ok(await metric(line), line);
  assert.equal((await fetch(`http://127.0.0.1:${port()}/health/ready`)).status, 200);
  process.kill(child.pid!, "SIGTERM");
  assert.equal(await exited, 143);
  assert.deepEqual(
    receiver.arrived.map(({ type, isSigned }) => [type, isSigned]),
    [["printwright.job.done", true]],
  );
  receiver.close();
  await log.close();
});
