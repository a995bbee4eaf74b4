import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDiscoveryReply, sdcpPrinterType } from "../../../src/printer/sdcp/discovery-reply.ts";
import { isUnusable, parseDiscoveryAnswer, whyNoSdcpType } from "../../../src/printer/sdcp/unusable-reply.ts";
import { parseMessage } from "../../../src/printer/sdcp/message.ts";
import { slowCases } from "../../fixture/long.ts";
import { randomFrom } from "../../fixture/random.ts";

const BOARD = "0a69ee780fbd40d7";
const FACTS = {
  Name: "Saturn 4 Ultra",
  MachineName: "ELEGOO Saturn 4 Ultra 16K",
  BrandName: "ELEGOO",
  MainboardIP: "192.168.1.2",
  MainboardID: BOARD,
  ProtocolVersion: "V3.0.0",
  FirmwareVersion: "V1.5.6",
};
const V1 = {
  Id: "0a69ee780fbd40d7bfb95b312250bf46",
  Data: {
    Attributes: { ...FACTS, MachineName: "ELEGOO Saturn 3 Ultra", ProtocolVersion: "V1.0.0", Resolution: "11520x5120" },
    Status: {
      CurrentStatus: 1,
      PreviousStatus: 0,
      PrintInfo: {
        Status: 3,
        CurrentLayer: 12,
        TotalLayer: 300,
        CurrentTicks: 1,
        TotalTicks: 2,
        ErrorNumber: 0,
        Filename: "a.goo",
      },
      FileTransferInfo: { Status: 0, DownloadOffset: 0, CheckOffset: 0, FileTotalSize: 0, Filename: "" },
    },
  },
};
const bytesOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

test("flat and nested answers are read alike", () => {
  const flat = parseDiscoveryReply(bytesOf({ Id: "x", Data: FACTS }));
  assert.deepEqual(flat, {
    mainboardId: BOARD,
    name: "Saturn 4 Ultra",
    machineName: "ELEGOO Saturn 4 Ultra 16K",
    version: "V3",
    firmwareVersion: "V1.5.6",
    resolution: "",
    status: undefined,
  });
  assert.deepEqual(parseDiscoveryReply(bytesOf({ Id: "x", Data: { Attributes: FACTS } })), flat);
  const v1 = parseDiscoveryReply(bytesOf(V1))!;
  assert.equal(v1.version, "V1");
  assert.equal(v1.resolution, "11520x5120");
  assert.deepEqual(v1.status?.activities, [1]);
  assert.equal(v1.status?.print.layer, 12);
});

test("names are cleaned for display", () => {
  const named = parseDiscoveryReply(bytesOf({ Data: { ...FACTS, Name: `\u202eSaturn\n\u0000${"x".repeat(5000)}` } }));
  assert.match(named!.name, /^Saturn x+$/);
  assert.equal(named!.name.length, 100);
});

const NO_ANSWERS: readonly unknown[] = [
  null,
  [],
  7,
  "M99999",
  {},
  { Data: null },
  { Data: { ...FACTS, MainboardID: "a/b" } },
  { Data: { ...FACTS, MainboardID: "" } },
  { Data: { ...FACTS, ProtocolVersion: "V2.0.0" } },
  { Data: { ...FACTS, ProtocolVersion: 3 } },
  { Data: { ...FACTS, Name: "x".repeat(9000) } },
];

test("datagrams that are not a reply of a printer are ignored", () => {
  for (const one of NO_ANSWERS) assert.equal(parseDiscoveryReply(bytesOf(one)), undefined, JSON.stringify(one));
  for (const text of ["", "{", "M99999", "{}}", '{"Data":', "\ufeff{}"]) {
    assert.equal(parseDiscoveryReply(Buffer.from(text)), undefined);
  }
});

test("replies of printers that cannot be used give the reason, and other datagrams nothing", () => {
  const whyOf = (value: unknown): string | undefined => {
    const answer = parseDiscoveryAnswer(bytesOf(value));
    return answer && isUnusable(answer) ? answer.whyUnusable : undefined;
  };
  assert.equal(whyOf({ Data: FACTS }), undefined);
  assert.match(whyOf({ Data: { ...FACTS, ProtocolVersion: "V2.0.0" } })!, /version "V2\.0\.0" of SDCP/);
  const { Attributes, Status } = V1.Data;
  assert.match(whyOf({ Data: { Attributes, Status: { ...Status, CurrentStatus: "idle" } } })!, /in an unknown form/);
  assert.match(whyOf({ Data: { ...FACTS, MainboardID: "a/b" } })!, /in an unknown form/);
  for (const one of [null, {}, { Data: null }, { Data: { MachineName: "x" } }, { Data: { Name: "x".repeat(9000) } }])
    assert.equal(parseDiscoveryAnswer(bytesOf(one)), undefined, JSON.stringify(one));
  assert.match(whyNoSdcpType("Saturn 4 Ultra 16K", "100x100"), /panel of 100x100 pixels.*15120x6230/);
  assert.match(whyNoSdcpType("", ""), /no printer called ""/);
});

/** 100,000 in the long suite. */
const CASES = slowCases([10_000, 90_000]);

test("random and mutated datagrams and frames are read or refused", () => {
  const random = randomFrom(15);
  const below = (n: number): number => Math.floor(random() * n);
  const status = { Status: V1.Data.Status, MainboardID: BOARD, TimeStamp: 1, Topic: `sdcp/status/${BOARD}` };
  const response = { Id: "x", Data: { Cmd: 0, Data: { Ack: 0 }, RequestID: "y" }, Topic: `sdcp/response/${BOARD}` };
  const originals = [{ Id: "x", Data: FACTS }, V1, status, response].map(bytesOf);
  let read = 0;
  for (const cases of CASES) {
    for (let i = 0; i < cases; i++) {
      const original = originals[below(originals.length)];
      const bytes =
        below(10) === 0 ? Buffer.from(Array.from({ length: below(300) }, () => below(256))) : Buffer.from(original);
      for (let edits = below(4); edits > 0 && bytes.length > 0; edits--) {
        const at = below(bytes.length);
        // A random byte, or another token of JSON.
        if (below(2) === 0) bytes[at] = below(256);
        else bytes.write(['"', "}", "[", "0", "-", ":", ",", "n"][below(8)], at);
      }
      const cut = below(3) === 0 ? bytes.subarray(0, below(bytes.length + 1)) : bytes;
      const announcement = parseDiscoveryReply(cut);
      const answer = parseDiscoveryAnswer(cut);
      if (announcement) assert.deepEqual(answer, announcement);
      else if (answer) assert.ok(isUnusable(answer) && answer.name.length <= 100);
      const message = parseMessage(cut, BOARD);
      if (announcement ?? message) read++;
      if (announcement) {
        assert.match(announcement.mainboardId, /^[\w-]{1,64}$/);
        assert.ok(announcement.name.length <= 100 && !/\p{C}/u.test(announcement.name));
      }
      const told = message?.kind === "status" ? message.status : announcement?.status;
      if (told) assert.ok(told.activities.every(Number.isFinite) && Number.isFinite(told.print.layer));
    }
  }
  const share = read / CASES.reduce((sum, count) => sum + count, 0);
  assert.ok(share > 0.2 && share < 0.8, `${share} were read`);
});

test("a machine is recognised by its name, and by its panel", () => {
  const typeOf = (name: string, resolution = ""): string | undefined => sdcpPrinterType(name, resolution)?.machineType;
  assert.equal(typeOf("Saturn 4 Ultra 16K"), "ELEGOO-S4U-16K");
  assert.equal(typeOf("ELEGOO Saturn 4 Ultra 16K", "15120x6230"), "ELEGOO-S4U-16K");
  assert.equal(typeOf("elegoo  saturn 4 ULTRA", "11520x5120"), "ELEGOO-S4U-12K");
  assert.equal(typeOf("Saturn 4 Ultra 12K", "11520X5120"), "ELEGOO-S4U-12K");
  assert.equal(typeOf("Saturn 4", "11520x5120"), "ELEGOO-S4");
  assert.equal(typeOf("Mars 5 Ultra", "8520x4320"), "ELEGOO-M5U");
  assert.equal(typeOf("ELEGOO Mars 4 Ultra 9K"), "ELEGOO-M4U");
  assert.equal(typeOf("ELEGOO Saturn 3 Ultra"), "ELEGOO-S3U");
  for (const [name, resolution] of [
    ["Saturn 4 Ultra 16K", "11520x5120"],
    ["Saturn 4 Ultra", "15120x6230"],
    ["Centauri Carbon", ""],
    ["Neptune 4", ""],
    ["Saturn 4 Max", ""],
    ["Saturn 4", "15120x6230"],
    ["Saturn 3", ""],
    ["Saturn 4 Ultra16K", ""],
    ["", ""],
  ]) {
    assert.equal(typeOf(name, resolution), undefined, name);
  }
});
