import assert from "node:assert/strict";
import { test } from "node:test";
import { checkOrigin } from "../../../src/http/origin.ts";

// Interface supplement, section 2.

const LOOPBACK = ["localhost", "127.0.0.1", "127.8.9.10", "127.255.255.254", "[::1]", "LocalHost", "[0:0:0:0:0:0:0:1]"];
const FOREIGN = [
  "example.com",
  "localhost.example.com",
  "example.localhost.com",
  "127.0.0.1.example.com",
  "128.0.0.1",
  "0.0.0.0",
  "10.0.0.1",
  "192.168.0.1",
  "[::]",
  "[::2]",
  "[fe80::1]",
  "printwright",
  "1270.0.0.1",
  "xn--localhost-",
];
/** Names that a lenient parser could take for localhost. */
const CRAFTED = [
  "",
  " ",
  "localhost@example.com",
  "example.com#localhost",
  "example.com?localhost",
  "example.com/localhost",
  "example.com\\localhost",
  "localhost/",
  "localhost,example.com",
  "localhost example.com",
  "localhost:80:80",
  "localhost:port",
  "localhost:99999",
  "user@localhost",
  "http://localhost",
];

const refused = (host: string | undefined, origin?: string, allowed: readonly string[] = []): boolean => {
  const error = checkOrigin({ host, origin }, allowed);
  if (error) assert.deepEqual([error.code, error.status], ["FORBIDDEN_ORIGIN", 403]);
  return error !== undefined;
};

test("a loopback host may call, with or without a port", () => {
  for (const host of LOOPBACK) {
    for (const spelt of [host, `${host}:1`, `${host}:44388`]) assert.equal(refused(spelt), false, spelt);
  }
});

test("any other host may not call", () => {
  for (const host of [...FOREIGN, ...CRAFTED]) {
    for (const spelt of [host, `${host}:44388`]) assert.equal(refused(spelt), true, spelt);
  }
  assert.equal(refused(undefined), true);
});

test("a page of a loopback host may call, whatever its port and scheme", () => {
  for (const host of LOOPBACK) {
    for (const origin of [`http://${host}`, `https://${host}`, `http://${host}:3000`]) {
      assert.equal(refused("localhost", origin), false, origin);
    }
  }
});

test("a page from any other site may not call, even at localhost", () => {
  const origins = ["null", "", "file://", "ftp://localhost", "localhost", "chrome-extension://localhost"];
  for (const host of [...FOREIGN, ...CRAFTED]) origins.push(`http://${host}`, `https://${host}:3000`);
  for (const origin of origins) assert.equal(refused("localhost", origin), true, origin);
});

test("an allowed name may call in any case, as host and as origin; similar names may not", () => {
  const allowed = ["printer.lan", "10.0.0.7"];
  for (const host of ["printer.lan", "PRINTER.lan:8080", "10.0.0.7:1", "localhost"]) {
    assert.equal(refused(host, undefined, allowed), false, host);
    assert.equal(refused(host, `http://${host}`, allowed), false, host);
  }
  for (const host of ["my.printer.lan", "printer.lan.example.com", "printerxlan", "10.0.0.70", "lan"]) {
    assert.equal(refused(host, undefined, allowed), true, host);
    assert.equal(refused("printer.lan", `http://${host}`, allowed), true, host);
  }
});

test("the message has the rejected name and the option to allow it", () => {
  assert.match(checkOrigin({ host: "evil.example" }, [])!.message, /Host "evil\.example".*--allow-host/);
  const { message } = checkOrigin({ host: "localhost", origin: "http://evil.example" }, [])!;
  assert.match(message, /Origin "http:\/\/evil\.example".*--allow-host/);
});
