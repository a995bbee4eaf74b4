import assert from "node:assert/strict";
import { chmodSync } from "node:fs";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { ApiError } from "../../src/core/api-error.ts";
import { hashPassword } from "../../src/printer/account/password-hash.ts";
import { readPrintersFile } from "../../src/printer/printers-file.ts";
import { parsePrinterUrl } from "../../src/printer/known-printers.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const file = temporaryFiles();
const QUEUE_ID = "6f1f2c9e-3f57-4b7e-9c58-0a4f6a3a9b11";
const SERVER_QUEUE_ID = "7a1d0c7e-51f5-4c62-8a3b-2f3c5f0a9d10";
const GROUP_ID = "0b8e8a54-12cd-4f5d-8a5e-5c9ad4a5b6f0";
const HASH = await hashPassword("open sesame", { log2N: 1, r: 1, p: 1 });

function write(content: unknown, mode = 0o600): string {
  const path = file("printers.json", typeof content === "string" ? content : JSON.stringify(content));
  chmodSync(path, mode);
  return path;
}

const SHARED = resolve("/jobs");

const FULL = {
  printers: [
    { url: "prusalink://192.168.1.9", name: "Left", machine_type: "PRUSA-SL1S", username: "maker", api_key: "s3cret" },
    { url: "sdcp://mars.local:3031", name: "Mars" },
    { url: "odyssey://[fe80::1]" },
    {
      url: "preform://shop:1234",
      shared_folder: SHARED,
      shared_folder_there: "Z:\\jobs",
      printers: ["Fox", "Owl"],
    },
  ],
  queues: [
    {
      id: QUEUE_ID.toUpperCase(),
      group_id: GROUP_ID,
      name: "All",
      printers: ["Mars", "Left", "Virtual"],
      paused: true,
    },
    { id: GROUP_ID, name: "One", printers: ["Mars"], starts: "automatic" },
    { id: SERVER_QUEUE_ID, name: "Forms", printers: ["Owl", "Fox"] },
  ],
  accounts: [{ username: "ann", password_hash: HASH, id: 7, email: "a@b.c", first_name: "Ann", last_name: "Lee" }],
};

test("a file gives printers, queues and accounts", () => {
  const { printers, queues, accounts } = readPrintersFile(write(FULL), ["Virtual"]);
  assert.deepEqual(printers, [
    {
      protocol: "prusalink",
      host: "192.168.1.9",
      port: undefined,
      name: "Left",
      machineType: "PRUSA-SL1S",
      credentials: { username: "maker", key: "s3cret" },
    },
    { protocol: "sdcp", host: "mars.local", port: 3031, name: "Mars", machineType: undefined, credentials: undefined },
    {
      protocol: "odyssey",
      host: "fe80::1",
      port: undefined,
      name: undefined,
      machineType: undefined,
      credentials: undefined,
    },
    {
      protocol: "preform",
      host: "shop",
      port: 1234,
      name: undefined,
      machineType: undefined,
      sharedFolder: SHARED,
      sharedFolderThere: "Z:\\jobs",
      printers: ["Fox", "Owl"],
      credentials: undefined,
    },
  ]);
  assert.deepEqual(queues, [
    { id: QUEUE_ID, groupId: GROUP_ID, name: "All", printers: ["Mars", "Left", "Virtual"], paused: true },
    { id: GROUP_ID, groupId: GROUP_ID, name: "One", printers: ["Mars"], paused: false, starts: "automatic" },
    {
      id: SERVER_QUEUE_ID,
      groupId: SERVER_QUEUE_ID,
      name: "Forms",
      printers: ["Owl", "Fox"],
      paused: false,
      takesModels: true,
    },
  ]);
  assert.deepEqual(
    accounts.map(({ user }) => user),
    [{ username: "ann", id: 7, email: "a@b.c", first_name: "Ann", last_name: "Lee" }],
  );
  assert.deepEqual(readPrintersFile(write({}), []), { printers: [], queues: [], accounts: [] });
});

const refusalOf = (path: string): string => {
  try {
    readPrintersFile(path, ["Virtual"], [parsePrinterUrl("odyssey://given")]);
  } catch (thrown) {
    assert.ok(thrown instanceof ApiError, String(thrown));
    return thrown.message;
  }
  return assert.fail("it was taken");
};

const printer = (fields: object) => ({ printers: [{ url: "sdcp://a", ...fields }] });
const queue = (fields: object) => ({ queues: [{ id: QUEUE_ID, name: "Q", printers: ["Virtual"], ...fields }] });
const account = (fields: object) => ({ accounts: [{ username: "ann", password_hash: HASH, ...fields }] });

for (const [what, content, pattern] of [
  ["a list", [], /"": must be an object/],
  [
    "a folder without a machine",
    printer({ url: "folder:///media/usb" }),
    /"\/printers\/0\/machine_type": printers of folder:\/\/ do not report/,
  ],
  [
    "a folder for a Form 4",
    printer({ url: "folder:///media/usb", machine_type: "FORM-4-0" }),
    /machine_type": printers of folder:\/\/ take no jobs of FORM-4-0: give one that `printwright printers` lists/,
  ],
  ["an unknown field", { printer: [] }, /"\/printer": this field is unknown here/],
  ["a printer without its URL", { printers: [{ name: "a" }] }, /"\/printers\/0\/url"/],
  ["an unknown protocol", printer({ url: "http://a" }), /"\/printers\/0\/url": a printer must be given as sdcp/],
  [
    "credentials in a URL",
    printer({ url: "http://maker:s3cret@a" }),
    /"\/printers\/0\/url": the URL of a holds credentials/,
  ],
  [
    "a plain key without the key",
    printer({ url: "prusalink://a", plain_key: true }),
    /\/api_key": is required together with/,
  ],
  ["a queue that starts in another way", queue({ starts: "always" }), /"\/queues\/0\/starts": must be .*automatic/],
  [
    "an unknown machine type",
    printer({ machine_type: "FORM-9" }),
    /"\/printers\/0\/machine_type": no machine type is called "FORM-9"; known: FORM-/,
  ],
  [
    "one URL twice",
    { printers: [{ url: "prusalink://Left.local" }, { url: "prusalink://left.local:80" }] },
    /"\/printers\/1\/url": another entry, or --printer, has the same URL/,
  ],
  [
    "the URL of --printer",
    printer({ url: "odyssey://given" }),
    /"\/printers\/0\/url": another entry, or --printer, has the same URL/,
  ],
  [
    "a machine type that the protocol's printers are not",
    printer({ machine_type: "FORM-4-0" }),
    /"\/printers\/0\/machine_type": .*take no jobs of FORM-4-0: give ELEGOO-/,
  ],
  [
    "a machine of which a program makes the jobs",
    printer({ url: "odyssey://b", machine_type: "EPAX-DX1-PRO" }),
    /odyssey:\/\/ take no jobs of EPAX-DX1-PRO: give PRUSA-SL1 or PRUSA-SL1S/,
  ],
  [
    "a key where none is taken",
    printer({ api_key: "s3cret" }),
    /"\/printers\/0\/api_key": printers of sdcp:\/\/ take no key/,
  ],
  [
    "a machine without plates",
    printer({ url: "nanodlp://a?machine_type=ELEGOO-M5U" }),
    /nanodlp:\/\/ take no jobs of ELEGOO-M5U/,
  ],
  [
    "a profile where there is none",
    printer({ profile: "Fine" }),
    /"\/printers\/0\/profile": printers of sdcp:\/\/ have no/,
  ],
  [
    "NanoDLP without a machine",
    printer({ url: "nanodlp://a" }),
    /"\/printers\/0\/machine_type": printers of nanodlp:\/\/ do not report their machine/,
  ],
  [
    "a user without a key",
    printer({ username: "maker" }),
    /"\/printers\/0\/api_key": is required together with username/,
  ],
  ["a key that is no text", printer({ api_key: 5712345 }), /"\/printers\/0\/api_key": must be a text/],
  ["the name of a virtual printer", printer({ name: "Virtual" }), /"\/printers\/0\/name": "Virtual" is taken already/],
  ["an id that is none", queue({ id: "first" }), /"\/queues\/0\/id": must be a UUID/],
  ["a queue without printers", queue({ printers: [] }), /"\/queues\/0\/printers": is an empty list/],
  [
    "an unknown member",
    queue({ printers: ["Virtual", "Nobody"] }),
    /"\/queues\/0\/printers\/1": no printer has the name "Nobody"/,
  ],
  [
    "a member twice",
    queue({ printers: ["Virtual", "Virtual"] }),
    /"\/queues\/0\/printers\/1": "Virtual" is listed twice/,
  ],
  ["a queue named as a printer", queue({ name: "Virtual" }), /"\/queues\/0\/name": "Virtual" is taken already/],
  [
    "a password in place of its hash",
    account({ password_hash: "open sesame" }),
    /"\/accounts\/0\/password_hash": must be a hash that/,
  ],
  [
    "a hash that takes gigabytes",
    account({ password_hash: HASH.replace("ln=1", "ln=30") }),
    /password_hash": must be a hash that/,
  ],
  [
    "two accounts of one name",
    { accounts: [...account({}).accounts, ...account({}).accounts] },
    /"\/accounts\/1\/username": "ann" is taken already/,
  ],
  [
    "a name for a server",
    printer({ url: "preform://a", name: "Left" }),
    /"\/printers\/0\/name": a server of preform:\/\/ reports its printers/,
  ],
  [
    "a folder for a printer",
    printer({ shared_folder: SHARED }),
    /"\/printers\/0\/shared_folder": only servers of preform:\/\/ have it/,
  ],
  [
    "a folder that is a relative path",
    printer({ url: "preform://a", shared_folder: "jobs" }),
    /"\/printers\/0\/shared_folder": must be an absolute path/,
  ],
  [
    "a folder there without the one here",
    printer({ url: "preform://a", shared_folder_there: "Z:\\jobs" }),
    /"\/printers\/0\/shared_folder": is required together with shared_folder_there/,
  ],
  [
    "a printer of a server with a name that is taken",
    {
      printers: [
        { url: "preform://a", printers: ["Fox"] },
        { url: "preform://b", printers: ["Fox"] },
      ],
    },
    /"\/printers\/1\/printers": "Fox" is taken already/,
  ],
  [
    "a queue of both kinds of printers",
    { ...printer({ url: "preform://a", printers: ["Fox"] }), ...queue({ printers: ["Virtual", "Fox"] }) },
    /"\/queues\/0\/printers\/1": "Fox" and "Virtual" take different kinds of jobs/,
  ],
  ["no JSON", '{"printers": [{"api_key": s3cret}]}', /it is not JSON in UTF-8/],
  ["deep nesting", "[".repeat(100_000), /nest|deep/],
] as const) {
  test(`${what} is refused with its place, and the message repeats no secret`, () => {
    const message = refusalOf(write(content));
    assert.match(message, pattern);
    assert.doesNotMatch(message, /s3cret|sesame|5712345/);
  });
}

test("a file that others can read is refused with the way out", { skip: process.platform === "win32" }, () => {
  for (const mode of [0o640, 0o604, 0o666]) {
    assert.match(refusalOf(write(FULL, mode)), /others on this machine can read it.*chmod 600 ".*printers\.json"/);
  }
});

test("a missing file and a folder are refused", () => {
  assert.match(refusalOf(tmpdir()), /it is a folder: give the path of the file/);
  assert.match(refusalOf("/nonexistent/printers.json"), /Cannot read "\/nonexistent\/printers.json"/);
});
