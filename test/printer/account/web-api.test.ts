import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { longTest } from "../../fixture/long.ts";
import { ApiError } from "../../../src/core/api-error.ts";
import type { EventLog } from "../../../src/core/event-log.ts";
import type { AccountProvider, Login } from "../../../src/printer/account/account.ts";
import { newServiceClient } from "../../../src/printer/account/service-client.ts";
import { webApi } from "../../../src/printer/account/web-api.ts";
import type { ServiceFault, ServiceState } from "../../fixture/fake/account-service.ts";
import { startFake } from "../../fixture/fake/start-fake.ts";
import { until } from "../../fixture/until.ts";

// The client of the maker's Web API against a fake in a separate process (reference of the account service).

const ID = "client-1";
const SECRET = "s3cret-of-client-1";
const GOOD = { username: ID, password: SECRET };

const service = await startFake<ServiceState>("./account-service.ts");
const logins: Login[] = [];
after(async () => {
  await Promise.all(logins.map((login) => login.close(false)));
  await service.stop();
});

const printer = (serial: string, fields: object = {}): object => ({
  serial,
  machine_type_id: "FORM-4-0",
  printer_status: { last_pinged_at: new Date().toISOString() },
  ...fields,
});

interface Bench {
  readonly provider: AccountProvider;
  readonly events: { event: string; reason?: unknown }[];
  login(credentials?: Parameters<AccountProvider["login"]>[0]): Promise<Login>;
}

/** A provider that reads the account every few milliseconds; the fake has the state of `change`. */
async function bench(change: Partial<ServiceState> = {}): Promise<Bench> {
  await service.change({
    tokens: [],
    faults: [],
    requests: [],
    printers: [],
    groups: [],
    pageSize: 0,
    next: null,
    lifeS: 86_400,
    aheadMs: 0,
    ...change,
  });
  const events: Bench["events"] = [];
  const log: EventLog = { write: (event, details) => void events.push({ event, ...details }), close() {} };
  const client = newServiceClient(new URL(`http://127.0.0.1:${service.port}`));
  const provider = webApi({
    client,
    log,
    timing: { leastMs: 20, perRequestMs: 0, firstReadMs: 300, tokenReadMs: 1500 },
  });
  return {
    provider,
    events,
    async login(credentials = GOOD) {
      const login = await provider.login(credentials);
      logins.push(login);
      return login;
    },
  };
}

const idsOf = (login: Login): string[] => login.devices().map(({ id }) => id);

const refusal = async (login: Promise<Login>): Promise<string> => {
  const thrown = await login.then(
    () => assert.fail("it was let in"),
    (error: unknown) => error,
  );
  assert.ok(thrown instanceof ApiError && thrown.code === "OPERATION_FAILED", String(thrown));
  assert.doesNotMatch(thrown.message, /s3cret|t0ken/);
  return thrown.message;
};

test("the id and the secret of a client give a token; its printers are known at once and kept up to date", async () => {
  const { login } = await bench({ printers: [printer("Alpha")] });
  const session = await login();
  assert.match(session.accessToken, /^t0ken-\d+$/);
  assert.equal(session.user.username, ID);
  assert.deepEqual(idsOf(session), ["Alpha"]);
  await service.change({ printers: [printer("Beta"), printer("Gamma")] });
  await until("the change is seen", () => idsOf(session).join() === "Beta,Gamma");
  await session.close(true);
  const { tokens } = await service.state();
  assert.deepEqual(tokens, [], "the token is revoked");
});

for (const [what, credentials] of [
  ["a wrong secret", { username: ID, password: "wrong-s3cret" }],
  ["an unknown client", { username: "nobody", password: SECRET }],
  ["an unknown token", { accessToken: "t0ken-of-nobody" }],
  ["a token that no header can hold", { accessToken: "t0ken\r\nX-Evil: 1" }],
  ["an empty token", { accessToken: "" }],
] as const) {
  test(`${what} is refused`, async () => {
    const { provider } = await bench();
    assert.match(await refusal(provider.login(credentials)), /^The account service /);
  });
}

test("an access token logs in as well, but without the secret it is not revoked", async () => {
  const { login } = await bench({ tokens: ["t0ken-given"], printers: [printer("Alpha")] });
  const session = await login({ accessToken: "t0ken-given" });
  assert.equal(session.accessToken, "t0ken-given");
  assert.deepEqual(idsOf(session), ["Alpha"]);
  await session.close(true);
  assert.deepEqual((await service.state()).tokens, ["t0ken-given"]);
});

test("both forms of a list are accepted, also in pages", async () => {
  const printers = ["a", "b", "c", "d", "e"].map((one) => printer(one));
  for (const pageSize of [0, 2, 5, 100]) {
    const { login } = await bench({ printers, pageSize });
    const session = await login();
    assert.equal(idsOf(session).join(), "a,b,c,d,e", String(pageSize));
    await session.close(false);
  }
});

test("a page on another server is not requested", async () => {
  for (const next of [
    "http://127.0.0.1:1/more",
    "file:///etc/passwd",
    "https://api.formlabs.com/",
    "//evil.example/",
  ]) {
    const { provider } = await bench({ tokens: ["t0ken-given"], pageSize: 1, next });
    assert.match(await refusal(provider.login({ accessToken: "t0ken-given" })), /leads to another server/);
  }
});

test("the number of pages is limited", async () => {
  const { provider } = await bench({ tokens: ["t0ken-given"], pageSize: 1, next: "/developer/v1/printers/?from=0" });
  assert.match(await refusal(provider.login({ accessToken: "t0ken-given" })), /more than 100 pages/);
});

const FAULTS: readonly (readonly [what: string, fault: Omit<ServiceFault, "at">, message: RegExp])[] = [
  ["a redirect to a file", { how: "redirect" }, /redirects to "file:\/\/\/etc\/passwd", which is not followed/],
  [
    "a redirect to this machine",
    { how: "redirect", headers: { Location: "http://127.0.0.1:22/" } },
    /which is not followed/,
  ],
  ["a body without end", { how: "endless" }, /more than \d+ bytes/],
  ["a bomb of headers", { how: "headers" }, /headers|in the middle/],
  ["no JSON", { how: "nonsense" }, /not JSON/],
  ["429", { how: 429, headers: { "Retry-After": "17" } }, /try again in 17 s/],
  ["500", { how: 500 }, /the status 500/],
];
for (const [what, fault, message] of FAULTS) {
  test(`${what}: the login is refused with the reason`, async () => {
    for (const at of ["POST o/token/", "GET printers/"]) {
      const { provider } = await bench({ tokens: ["t0ken-given"], faults: [{ at, times: 9, ...fault }] });
      const credentials = at.startsWith("POST") ? GOOD : { accessToken: "t0ken-given" };
      const reason = await refusal(provider.login(credentials));
      assert.match(reason, message, at);
      // The message is not the one for printers.
      assert.doesNotMatch(reason, /printer itself|switched on|its address and port/);
      if (typeof fault.how === "string") assert.match(reason, /--account-url/);
    }
  });

  test(`${what} in a later read: the last state is kept, the log reports it once, and the next read succeeds`, async () => {
    const { login, events } = await bench({ printers: [printer("Alpha")] });
    const session = await login();
    const headers = fault.how === 429 ? { "Retry-After": "0" } : fault.headers;
    await service.change({
      faults: [{ at: "GET printers/", times: 1, ...fault, ...(headers && { headers }) }],
      printers: [printer("Beta")],
    });
    await until("it is logged", () => events.length > 0);
    assert.deepEqual(
      events.map(({ event }) => event),
      ["account failed"],
    );
    await until("it is fine", () => idsOf(session).join() === "Beta");
    assert.ok(session.isActive());
    await session.close(false);
  });
}

test("after 429 no requests are sent for as long as the service says", async () => {
  const { login, events } = await bench();
  const session = await login();
  await service.change({ faults: [{ at: "GET printers/", times: 1, how: 429, headers: { "Retry-After": "600" } }] });
  await until("it is logged", () => events.length > 0);
  const before = (await service.state()).requests.length;
  await sleep(200);
  assert.equal((await service.state()).requests.length, before);
  await session.close(false);
});

longTest("a token is renewed before it expires", async () => {
  const { login, events } = await bench({ lifeS: 1, printers: [printer("Alpha")] });
  const session = await login();
  const first = session.accessToken;
  await until("another token", () => session.accessToken !== first);
  await until("its first one has ended", async () => !(await service.state()).tokens.includes(first));
  assert.ok(session.isActive());
  assert.deepEqual(events, []);
  await session.close(true);
  assert.deepEqual((await service.state()).tokens, []);
});

test("a token that expires early is renewed with the secret; without the secret the session ends", async () => {
  const { login, events } = await bench({ tokens: ["t0ken-given"] });
  const [held, given] = [await login(), await login({ accessToken: "t0ken-given" })];
  await service.change({ tokens: [], printers: [printer("Alpha")] });
  await until("the session without the secret ends", () => !given.isActive());
  await until("the other goes on", () => idsOf(held).join() === "Alpha");
  assert.ok(held.isActive());
  assert.deepEqual(
    events.map(({ event }) => event),
    ["account failed"],
  );
  await service.change({ clients: {}, tokens: [] });
  await until("a secret that is withdrawn ends it too", () => !held.isActive());
  await service.change({ clients: { [ID]: SECRET } });
  for (const session of [held, given]) await session.close(false);
});

test("a printer's last ping is measured by the clock of the service", async () => {
  const hourMs = 3_600_000;
  const ago = (ms: number): object => ({
    printer_status: { last_pinged_at: new Date(Date.now() + hourMs - ms).toISOString() },
  });
  const printers = [
    printer("now", ago(0)),
    printer("recent", ago(240_000)),
    printer("gone", ago(310_000)),
    printer("never", { printer_status: null }),
  ];
  const { login } = await bench({ printers, aheadMs: hourMs });
  const session = await login();
  assert.deepEqual(idsOf(session), ["now", "recent"]);
  await session.close(false);
});

test("a service that does not answer delays neither a login nor a logout for long", async () => {
  const { login } = await bench({ faults: [{ at: "GET printers/", times: 9, how: "hang" }] });
  const pending = login();
  await until("it is asked", async () => (await service.state()).requests.includes("GET printers/"));
  const session = await pending;
  assert.deepEqual(idsOf(session), []);
  await session.close(false);
});

longTest("the check of a token is limited in time: the login ends, and its requests with it", async () => {
  const { provider } = await bench({ faults: [{ at: "GET", how: "hang" }] });
  await assert.rejects(provider.login({ accessToken: "t0ken" }), {
    code: "OPERATION_FAILED",
    message: /did not answer within 1\.5 s: try again later/,
  });
  const { requests } = await service.state();
  await sleep(60);
  assert.deepEqual((await service.state()).requests, requests);
});
