import assert from "node:assert/strict";
import { test } from "node:test";
import {
  absenceWarning,
  networkInterfaces,
  parseDiscoveryAddresses,
  parseV1Host,
} from "../../src/printer/network-interfaces.ts";

test("--discover-on accepts addresses, or only the word none", () => {
  assert.equal(parseDiscoveryAddresses(undefined), undefined);
  assert.deepEqual(parseDiscoveryAddresses(["none"]), []);
  assert.deepEqual(parseDiscoveryAddresses(["127.0.0.1", "10.0.0.7"]), ["127.0.0.1", "10.0.0.7"]);
  for (const wrong of [["eth0"], ["none", "10.0.0.7"], ["::1"], [""]]) {
    assert.throws(() => parseDiscoveryAddresses(wrong), { code: "INPUT_ERROR", message: /--discover-on/ });
  }
});

test("--sdcp-v1-host accepts the address of one interface", () => {
  assert.equal(parseV1Host(undefined), undefined);
  assert.equal(parseV1Host("127.0.0.1"), "127.0.0.1");
  assert.throws(() => parseV1Host("192.0.2.1"), { code: "INPUT_ERROR", message: /this machine \(.*127\.0\.0\.1/ });
  for (const wrong of ["", "eth0", "::1", "0.0.0.0", "10.0.0.7:80"]) {
    assert.throws(() => parseV1Host(wrong), { code: "INPUT_ERROR", message: /--sdcp-v1-host/ });
  }
});

test("loopback is used only if it is named, with its broadcast address", () => {
  assert.deepEqual(networkInterfaces(["127.0.0.1"]), [{ address: "127.0.0.1", broadcast: "127.255.255.255" }]);
  assert.deepEqual(networkInterfaces([]), []);
  assert.ok(networkInterfaces().every(({ address }) => !address.startsWith("127.")));
});

test("an address of --discover-on that no interface has causes a warning with the existing addresses", () => {
  assert.equal(absenceWarning(undefined), undefined);
  assert.equal(absenceWarning(["127.0.0.1"]), undefined);
  assert.match(absenceWarning(["127.0.0.1", "192.0.2.1"])!, /address 192\.0\.2\.1 now, but .*127\.0\.0\.1/);
});
