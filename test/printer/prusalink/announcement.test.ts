import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { type Answer, encode } from "dns-packet";
import { parseAnnouncements } from "../../../src/printer/prusalink/announcement.ts";
import { longTest, slowCases } from "../../fixture/long.ts";
import { randomFrom } from "../../fixture/random.ts";

const SENDER = "192.168.1.9";
const INSTANCE = 'Original Prusa "prusa-sl1"._octoprint._tcp.local';

const records = (instance = INSTANCE): Answer[] => [
  { type: "PTR", name: instance.slice(instance.indexOf("._") + 1), data: instance },
  { type: "SRV", name: instance, data: { target: "prusa-sl1.local", port: 8000 } },
  { type: "TXT", name: instance, data: ["vendor=Prusa Research", "MODEL=SL1"] },
  { type: "A", name: "prusa-sl1.local", data: "192.168.1.20" },
];

const datagram = (answers: Answer[], type: "response" | "query" = "response"): Buffer =>
  Buffer.from(
    encode({ type, id: 0, flags: 0, questions: [], answers: answers.slice(0, 1), additionals: answers.slice(1) }),
  );

test("an announcement gives the address, port, host name and model of a machine", () => {
  assert.deepEqual(parseAnnouncements(datagram(records()), SENDER), [
    { host: "192.168.1.20", port: 8000, hostname: "prusa-sl1", model: "SL1" },
  ]);
});

test("missing values are replaced by the sender's address, the usual port and the name", () => {
  assert.deepEqual(parseAnnouncements(datagram(records().slice(0, 1)), SENDER), [
    { host: SENDER, port: 80, hostname: "", model: 'Original Prusa "prusa-sl1"' },
  ]);
});

test("other services, questions, and web pages of other makers are not machines", () => {
  for (const instance of ["Office._ipp._tcp.local", "Router._http._tcp.local"]) {
    assert.deepEqual(parseAnnouncements(datagram(records(instance).slice(0, 2)), SENDER), [], instance);
  }
  assert.deepEqual(parseAnnouncements(datagram(records(), "query"), SENDER), []);
  assert.equal(parseAnnouncements(datagram(records("Prusa SL1S._http._tcp.local")), SENDER).length, 1);
});

test("addresses that no machine in the network can have are ignored", () => {
  for (const address of ["127.0.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255"]) {
    const lying = [...records().slice(0, 3), { type: "A", name: "prusa-sl1.local", data: address } as Answer];
    assert.deepEqual(parseAnnouncements(datagram(lying), SENDER), [], address);
  }
  const here = [...records().slice(0, 3), { type: "A", name: "prusa-sl1.local", data: "127.0.0.1" } as Answer];
  assert.equal(parseAnnouncements(datagram(here), "127.0.0.1")[0].host, "127.0.0.1");
});

test("one datagram announces a limited number of machines, and has a limited size", () => {
  const many = Array.from({ length: 100 }, (_, i) => records(`${i}._octoprint._tcp.local`)[0]);
  assert.equal(parseAnnouncements(datagram(many), SENDER).length, 16);
  assert.deepEqual(parseAnnouncements(Buffer.concat([datagram(records()), Buffer.alloc(9000)]), SENDER), []);
});

/** The others take seconds. */
const RUNS = slowCases([10_000, 90_000]).reduce((sum, runs) => sum + runs, 0);

longTest("random and mutated datagrams are refused or read, within bounds, and throw nothing", () => {
  const random = randomFrom(7);
  const below = (limit: number): number => Math.floor(random() * limit);
  const good = datagram(records());
  for (let run = 0; run < RUNS; run++) {
    const bytes =
      run % 4 === 0
        ? Buffer.alloc(below(600))
        : Buffer.from(good.subarray(0, below(8) === 0 ? below(good.length) : good.length));
    const changes = run % 4 === 0 ? bytes.length : 1 + below(6);
    for (let i = 0; i < changes && bytes.length > 0; i++) bytes[below(bytes.length)] = below(256);
    for (const { host, port, hostname, model } of parseAnnouncements(bytes, SENDER)) {
      assert.match(host, /^\d+\.\d+\.\d+\.\d+$/);
      assert.ok(port > 0 && port < 65_536);
      assert.ok(hostname.length < 256 && model.length < 256);
    }
  }
});
