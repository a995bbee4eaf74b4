import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Reply, awaitOperation } from "../fixture/client.ts";
import type { ServiceState } from "../fixture/fake/account-service.ts";
import { type RunningFake, startFake } from "../fixture/fake/start-fake.ts";
import { PASSWORD, someAccount, writePrintersFile } from "../fixture/printers-file.ts";
import { type Printwright, startPrintwright } from "../fixture/printwright.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { RESIN, assertRefused, bodyOf } from "../fixture/test-server.ts";

// Interface, "Authentication endpoints" and "Authentication".

const GROUP = "0b8e8a54-12cd-4f5d-8a5e-5c9ad4a5b6f0";
const CLIENT = { username: "client-1", password: "s3cret-of-client-1" };
const PLATE = temporaryFiles()("plate.stl", binaryStl(box([2, 2, 0.3])));
const folder = mkdtempSync(join(tmpdir(), "printwright-accounts-"));
const [file, log] = [join(folder, "printers.json"), join(folder, "log")];
writePrintersFile(file, {
  accounts: [
    await someAccount("ann", { id: 7, email: "ann@example.org", first_name: "Ann", last_name: "Lee" }),
    await someAccount("bob"),
  ],
});

let service: RunningFake<ServiceState>;
/** A server with the accounts of its printers file and those of the service. */
let server: Printwright;
/** A server with only the accounts of its printers file. */
let alone: Printwright;
before(async () => {
  service = await startFake<ServiceState>("./account-service.ts", {
    printers: [
      {
        serial: "KindOtter",
        alias: "By the window",
        machine_type_id: "FORM-4-0",
        printer_status: {
          last_pinged_at: new Date().toISOString(),
          status: "Idle",
          ready_to_print: "READY_TO_PRINT_READY",
        },
      },
      { serial: "NewKind", machine_type_id: "FORM-9-9", printer_status: { last_pinged_at: new Date().toISOString() } },
      { serial: "Gone", machine_type_id: "FORM-4-0", printer_status: { last_pinged_at: "2020-01-01T00:00:00Z" } },
    ],
    groups: [{ id: GROUP, name: "Lab", printers: ["KindOtter", "Gone"] }],
  });
  const url = `http://127.0.0.1:${service.port}`;
  server = await startPrintwright(["--printers", file, "--account-url", url, "--log", log]);
  alone = await startPrintwright(["--printers", file]);
});
after(async () => {
  await Promise.all([server.stop(), alone.stop(), service.stop()]);
  rmSync(folder, { recursive: true });
});

/** All answers of the server, which must not contain secrets. */
const answers: string[] = [];
const send = async (method: string, path: string, body?: unknown, to = server): Promise<Reply> => {
  const reply = await to.call(method, path, body);
  if (path !== "/v1/login/" || reply.status !== 200) answers.push(JSON.stringify(reply.body));
  return reply;
};
const login = (body: object, to = server): Promise<Reply> => send("POST", "/v1/login/", body, to);
const logout = (to = server): Promise<Reply> => send("POST", "/v1/logout/", undefined, to);
const user = (to = server): Promise<Reply> => send("GET", "/v1/user/", undefined, to);
const idsOf = (reply: Reply): string[] => bodyOf(reply).devices.map(({ id }: { id: string }) => id);

test("nobody is logged in at first, and a logout succeeds even then", async () => {
  assertRefused(await user(), "NOT_FOUND", /No user is logged in/);
  const reply = await logout();
  assert.equal(reply.status, 200);
  assert.equal(reply.body, undefined);
});

for (const [what, body, pointer] of [
  ["neither shape", {}, "/username"],
  ["a user without a password", { username: "ann" }, "/password"],
  ["a password without a user", { password: PASSWORD }, "/username"],
  ["both shapes", { username: "ann", password: PASSWORD, access_token: "t" }, "/username"],
  ["half of one and the other", { password: PASSWORD, access_token: "t" }, "/password"],
  ["a password that is no text", { username: "ann", password: 5712345 }, "/password"],
  ["a token that is no text", { access_token: 5712345 }, "/access_token"],
  ["a user that is no text", { username: null, password: PASSWORD }, "/username"],
  ["an unknown field", { username: "ann", password: PASSWORD, remember: true }, "/remember"],
] as const) {
  test(`a login with ${what} is JSON_SCHEMA_MATCH_ERROR`, async () => {
    const reply = await login(body);
    assertRefused(reply, "JSON_SCHEMA_MATCH_ERROR", new RegExp(`^"${pointer}": `));
    assert.doesNotMatch(reply.body.error.message, /5712345|sesame/);
  });
}

test("malformed JSON in a login is JSON_PARSE_ERROR, and the message does not repeat it", async () => {
  const reply = await server.call("POST", "/v1/login/", undefined, {
    raw: '{"username": "ann", "password": open sesame}',
  });
  assertRefused(reply, "JSON_PARSE_ERROR");
  assert.doesNotMatch(reply.body.error.message, /sesame|open/);
});

test("an account of the printers file logs in, shows its record, and logs out", async () => {
  const { access_token, refresh_token, ...others } = bodyOf(await login({ username: "ann", password: PASSWORD }));
  assert.deepEqual(others, {});
  assert.match(access_token, /^[\w-]{40,}$/);
  assert.equal(refresh_token, "");
  const ann = { username: "ann", id: 7, email: "ann@example.org", first_name: "Ann", last_name: "Lee" };
  assert.deepEqual(bodyOf(await user()), ann);
  bodyOf(await login({ username: "bob", password: PASSWORD }));
  assert.deepEqual(bodyOf(await user()), { username: "bob" });
  const again = bodyOf(await login({ username: "ann", password: PASSWORD })).access_token;
  assert.deepEqual(bodyOf(await login({ access_token: again })), { access_token: again, refresh_token: "" });
  assert.deepEqual(bodyOf(await user()), ann, "its token identifies it");
  assert.equal((await logout()).status, 200);
  assertRefused(await user(), "NOT_FOUND");
  assertRefused(await login({ access_token: again }), "OPERATION_FAILED");
  assert.deepEqual(
    (await service.state()).requests.filter((line) => line.startsWith("POST")),
    [],
  );
});

test("credentials that may belong to an account of the printers file are not sent to the service", async () => {
  const { access_token } = bodyOf(await login({ username: "bob", password: PASSWORD }));
  bodyOf(await logout());
  const { requests } = await service.state();
  for (const mistake of [
    { username: "bbo", password: PASSWORD },
    { username: " BOB", password: "wr0ng" },
    { access_token },
  ])
    assertRefused(await login(mistake), "OPERATION_FAILED", /is wrong|is not valid/);
  assert.deepEqual((await service.state()).requests, requests);
});

test("a wrong password is refused with the message for an unknown user, and the earlier login stays", async () => {
  bodyOf(await login({ username: "ann", password: PASSWORD }, alone));
  const wrong = await login({ username: "ann", password: "wr0ng" }, alone);
  const unknown = await login({ username: "eve", password: PASSWORD }, alone);
  assertRefused(wrong, "OPERATION_FAILED", /user name or the password is wrong/);
  assert.deepEqual(unknown.body, wrong.body);
  assertRefused(await login({ access_token: "t0ken" }, alone), "OPERATION_FAILED");
  assert.equal(bodyOf(await user(alone)).username, "ann");
  bodyOf(await logout(alone));
});

test("an API client of the service logs in: its printers and groups are devices until it logs out", async () => {
  assert.deepEqual(idsOf(await send("GET", "/v1/device/list/")), []);
  const { access_token, refresh_token } = bodyOf(await login(CLIENT));
  assert.match(access_token, /^t0ken-/);
  assert.equal(refresh_token, "");
  assert.deepEqual(bodyOf(await user()), { username: CLIENT.username });

  const list = await send("GET", "/v1/device/list/");
  assert.deepEqual(idsOf(list), ["KindOtter", "NewKind", GROUP]);
  const [otter, unknown, group] = bodyOf(list).devices;
  assert.deepEqual([otter.connection_type, otter.ready_to_print_now, otter.status], ["REMOTE", true, "Idle"]);
  assert.equal(unknown.product_name, "FORM-9-9");
  assert.equal(group.product_name, "Printer Group");
  assert.deepEqual(idsOf(await send("GET", "/v1/device/list/?can_print=true")), []);
  const settingsFor = (compatible_with: string) => send("POST", "/v1/print-setting/list/", { compatible_with });
  const [type, ...others] = bodyOf(await settingsFor("KindOtter")).printer_types;
  assert.deepEqual([type.label, others], ["Form 4", []]);
  assertRefused(await settingsFor("NewKind"), "NOT_FOUND", /the catalog has no printer of the type FORM-9-9/);
  assertRefused(await settingsFor(GROUP), "NOT_FOUND", /No connected printer/);
  assert.deepEqual(idsOf(await send("GET", "/v1/device/list/", { devices: [GROUP, "KindOtter"] })), [
    GROUP,
    "KindOtter",
  ]);
  assert.deepEqual(idsOf(await send("POST", "/v1/device/discover/", { timeout_seconds: 0 })), [
    "KindOtter",
    "NewKind",
    GROUP,
  ]);

  const { scene_id } = bodyOf(await send("POST", "/v1/scene/create/", RESIN));
  bodyOf(await send("POST", "/v1/scene/model/import/", { scene_id, file: PLATE }));
  for (const printer of ["KindOtter", "By the window", GROUP]) {
    const job = await send("POST", "/v1/scene/print/", { scene_id, printer, job_name: "plate" });
    assertRefused(
      job,
      "OPERATION_FAILED",
      /takes no jobs: name the server .*, or export .*\.stl or \.3mf with \/v1\/scene\/export/,
    );
  }
  const begun = await send("POST", "/v1/scene/print/?async=true", {
    scene_id,
    printer: "KindOtter",
    job_name: "plate",
  });
  const { result } = await awaitOperation(server, begun);
  assert.equal(result.error.code, "OPERATION_FAILED");
  assertRefused(
    await send("POST", "/v1/scene/print/", { scene_id, printer: "NewKind", job_name: "plate" }),
    "UNSUPPORTED_SCENE",
    /^"NewKind" \(printer of the type FORM-9-9\) prints scenes for FORM-9-9, not FORM-4-0: choose another printer\.$/,
  );
  const firmware = { printer: "KindOtter", file: "/a.formware" };
  assertRefused(await send("POST", "/v1/device/upload-firmware/", firmware), "OPERATION_FAILED", /takes no firmware/);

  assert.deepEqual(bodyOf(await login({ access_token })), { access_token, refresh_token: "" });
  assert.deepEqual((await service.state()).tokens, [access_token], "its token lives on in the new session");
  bodyOf(await login(CLIENT));
  assert.equal((await logout()).status, 200);
  assert.deepEqual(idsOf(await send("GET", "/v1/device/list/")), []);
  const { tokens } = await service.state();
  assert.deepEqual(tokens, [access_token], "the token that it has the secret for is revoked");
});

test("an error of the service, or a service that cannot be reached, is OPERATION_FAILED", async () => {
  assertRefused(await login({ ...CLIENT, password: "wr0ng" }), "OPERATION_FAILED", /refuses the credentials/);
  const nowhere = await startPrintwright(["--account-url", "http://127.0.0.1:9"]);
  try {
    assertRefused(
      await login(CLIENT, nowhere),
      "OPERATION_FAILED",
      /^The account service: 127\.0\.0\.1:9 refuses connections: check --account-url and this machine's connection to it/,
    );
  } finally {
    await nowhere.stop();
  }
});

test("only the answer to the login contains a secret: no other answer, no log and no output of the server", () => {
  const lines = readFileSync(log, "utf8");
  for (const event of ["login", "logout", "login refused"]) assert.match(lines, new RegExp(`"event":"${event}"`));
  const said = [lines, ...answers, server.output.stdout, server.output.stderr, alone.output.stderr].join("\n");
  for (const secret of [/s3cret/, /t0ken/, /sesame/, /wr0ng/, /5712345/]) assert.doesNotMatch(said, secret);
});
