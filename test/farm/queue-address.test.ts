import assert from "node:assert/strict";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { ApiError } from "../../src/core/api-error.ts";
import { defaultStateFolder } from "../../src/core/state-folder.ts";
import { openQueue, queueAddress } from "../../src/farm/queue/open-queue.ts";
import { readPostgresUrl, withoutPasswords } from "../../src/farm/queue/postgres-address.ts";
import { ticketPriority } from "../../src/farm/queue/ticket-priority.ts";
import { randomFrom } from "../fixture/random.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const write = temporaryFiles();
const PASSWORD = "s3cret:@/ö";
const url = `postgres://shop:${encodeURIComponent(PASSWORD)}@db.example.org:6000/farm`;

const wrong = (source: Parameters<typeof queueAddress>[0], pattern: RegExp): void =>
  assert.throws(
    () => queueAddress(source),
    (thrown) => thrown instanceof ApiError && thrown.code === "INPUT_ERROR" && pattern.test(thrown.message),
  );

test("the queue is the one that was named, that of the environment, or that of this user", () => {
  const environment = { PRINTWRIGHT_QUEUE: url, PRINTWRIGHT_QUEUE_FILE: "/nowhere" };
  assert.equal(queueAddress({ queue: "/farm/q.sqlite", environment }), "/farm/q.sqlite");
  assert.equal(queueAddress({ queue: "postgres://db/farm", environment }), "postgres://db/farm");
  assert.equal(queueAddress({ environment }), url);
  const file = write("address", `${url}\n`);
  chmodSync(file, 0o600);
  assert.equal(queueAddress({ environment: { PRINTWRIGHT_QUEUE_FILE: file } }), url);
  assert.equal(queueAddress({ environment: {} }), join(defaultStateFolder(), "queue.sqlite"));
});

test("passwords are refused where others can see them, and never repeated", async () => {
  wrong({ queue: url }, /other users of this machine can see/);
  wrong({ queue: "postgres://u@h/d?password=x" }, /other users of this machine can see/);
  wrong({ queue: "amqp://h/d" }, /amqp/);
  const file = write("readable", url);
  chmodSync(file, 0o640);
  if (process.platform !== "win32") {
    wrong({ environment: { PRINTWRIGHT_QUEUE_FILE: file } }, /chmod 600/);
    const source = { queue: "postgres://u@127.0.0.1:1/d", environment: { PGPASSFILE: file } };
    await assert.rejects(openQueue(source), /chmod 600/);
  }
  assert.equal(withoutPasswords(`at ${url}.`), "at postgres://shop:***@db.example.org:6000/farm.");
  assert.equal(withoutPasswords("http://h:80/a@b and c:d@e"), "http://h:80/a@b and c:d@e");
  await assert.rejects(
    openQueue({ environment: { PRINTWRIGHT_QUEUE: "postgres://u:s3cret@127.0.0.1:1/d" } }),
    (thrown) => {
      assert.ok(thrown instanceof ApiError);
      assert.match(thrown.message, /u:\*\*\*@127\.0\.0\.1:1\/d.*ECONNREFUSED/);
      return !thrown.message.includes("s3cret");
    },
  );
});

test("an address has its parts decoded, and its connection verified beyond this machine", () => {
  const { connection, shown } = readPostgresUrl(url);
  assert.deepEqual(connection, {
    host: "db.example.org",
    port: 6000,
    user: "shop",
    password: PASSWORD,
    database: "farm",
    ssl: { rejectUnauthorized: true },
  });
  assert.equal(shown, "postgres://shop:***@db.example.org:6000/farm");
  for (const host of ["localhost", "127.0.0.1", "[::1]"])
    assert.equal(readPostgresUrl(`postgres://${host}/farm`).connection.ssl, false);
  const socket = readPostgresUrl("postgres:///farm?host=/run/postgresql").connection;
  assert.deepEqual([socket.host, socket.database, socket.ssl], ["/run/postgresql", "farm", false]);
  const ca = write("ca.pem", "a certificate");
  const own = readPostgresUrl(`postgres://db/farm?sslrootcert=${ca}`).connection.ssl;
  assert.deepEqual(own, { ca: "a certificate", rejectUnauthorized: true });
  assert.equal(readPostgresUrl("postgres://db/farm?sslmode=disable").connection.ssl, false);
  assert.deepEqual(readPostgresUrl("postgres://db/farm?sslmode=require").connection.ssl, { rejectUnauthorized: false });
  for (const bad of [
    "postgres://db/farm?sslmode=prefer",
    "postgres://db/farm?sslmod=disable",
    "postgres://[",
    "postgres://db/%zz",
  ])
    assert.throws(() => readPostgresUrl(bad), { code: "INPUT_ERROR" });
});

test("a service of libpq says what the address does not, and its password is kept from others", () => {
  const file = write(
    "services",
    "# farms\n[one]\nhost = db.example.org\nport=6000\nuser=shop\ndbname=farm\n[two]\npassword=s3cret\n[three]\nhostaddr=1\n",
  );
  chmodSync(file, 0o644);
  const environment = { PGSERVICEFILE: file };
  const one = readPostgresUrl("postgres:///?service=one", environment).connection;
  assert.deepEqual(one, {
    host: "db.example.org",
    port: 6000,
    user: "shop",
    database: "farm",
    ssl: { rejectUnauthorized: true },
  });
  const named = readPostgresUrl("postgres://ann@localhost:5433/own", { ...environment, PGSERVICE: "one" }).connection;
  assert.deepEqual(named, { host: "localhost", port: 5433, user: "ann", database: "own", ssl: false });
  const refused = (name: string, pattern: RegExp): void =>
    assert.throws(() => readPostgresUrl(`postgres:///?service=${name}`, environment), pattern);
  refused("four", /has no service four/);
  refused("three", /"hostaddr": only host, port/);
  if (process.platform !== "win32") refused("two", /chmod 600/);
  chmodSync(file, 0o600);
  assert.equal(readPostgresUrl("postgres:///?service=two", environment).connection.password, "s3cret");
});

test("priority and due date are one number of 32 bits in the same order, to the minute", () => {
  const draw = randomFrom(340);
  const minute = (): number => Math.floor(draw() * 38 * 365 * 24 * 60);
  const first = Date.UTC(2026, 0, 1);
  const dueOf = (at: number | undefined): Date | undefined =>
    at === undefined ? undefined : new Date(first + at * 60_000);
  for (let trial = 0; trial < 2000; trial++) {
    const [p, q] = [Math.round(draw() * 200) - 100, Math.round(draw() * 200) - 100];
    const a = draw() < 0.2 ? undefined : minute();
    const b = draw() < 0.5 ? minute() : a === undefined ? undefined : a + 1;
    const expected = Math.sign(p - q) || Math.sign((b ?? Infinity) - (a ?? Infinity) || 0);
    const [x, y] = [ticketPriority(p, dueOf(a)), ticketPriority(q, dueOf(b))];
    assert.ok([x, y].every((ticket) => Number.isInteger(ticket) && ticket === (ticket | 0)));
    assert.equal(Math.sign(x - y), expected, `${p} ${a} before ${q} ${b}`);
  }
  for (const extreme of [-100, 100]) {
    for (const due of [undefined, new Date(0), new Date(8.64e15), new Date(first)]) {
      const [ticket, again] = [ticketPriority(extreme, due), ticketPriority(extreme, due, true)];
      assert.deepEqual([ticket, again], [ticket | 0, ticket + 1]);
      assert.equal(again, again | 0);
    }
  }
});
