import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { startPrintwright, type Printwright } from "../fixture/printwright.ts";

// Interface supplement, section 2, "Who may call".

let printwright: Printwright;
before(async () => {
  printwright = await startPrintwright(["--allow-host", "Shop-PC"]);
});
after(() => printwright.stop());

const ask = (headers: Record<string, string>, path = "/v1/") => printwright.call("GET", path, undefined, { headers });

for (const host of [
  "localhost",
  "LOCALHOST",
  "localhost:1234",
  "127.0.0.1",
  "127.3.2.1:80",
  "[::1]",
  "[::1]:9",
  "shop-pc",
  "SHOP-PC:8080",
]) {
  test(`the Host ${host} may call`, async () => assert.equal((await ask({ Host: host })).status, 200));
}

for (const host of [
  "example.com",
  "localhost.example.com",
  "127.0.0.1.example.com",
  "127.example.com",
  "localhost@example.com",
  "example.com#localhost",
  "10.0.0.1",
  "0.0.0.0",
  "[::2]",
  "shop-pc.example.com",
]) {
  test(`the Host "${host}" may not call`, async () => {
    const { status, body } = await ask({ Host: host });
    assert.equal(status, 403);
    assert.equal(body.error.code, "FORBIDDEN_ORIGIN");
    assert.match(body.error.message, /--allow-host/);
  });
}

/** The answer to a request with these lines as its headers. */
const answerTo = (headers: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(printwright.port, "127.0.0.1", () =>
      socket.write(`GET /v1/ HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`),
    );
    let text = "";
    socket.on("data", (chunk) => (text += chunk));
    socket.on("error", reject);
    socket.on("close", () => resolve(text));
  });

for (const host of ["", "Host:\r\n"]) {
  test(`a request with ${host === "" ? "no" : "an empty"} Host may not call`, async () => {
    assert.match(await answerTo(host), /^HTTP\/1\.1 40[03]/);
  });
}

for (const [first, second] of [
  ["localhost", "localhost"],
  ["localhost", "example.com"],
  ["example.com", "localhost"],
]) {
  test(`a request with the two Host headers ${first} and ${second} may not call`, async () => {
    assert.match(await answerTo(`Host: ${first}\r\nhOST: ${second}\r\n`), /^HTTP\/1\.1 40[03]/);
  });
}

test("a request that a page of another site makes a browser send is refused, with or without an Origin", async () => {
  const site = { Host: "localhost", "Sec-Fetch-Site": "cross-site" };
  assert.equal((await ask(site)).body.error.code, "FORBIDDEN_ORIGIN");
  assert.equal((await ask({ ...site, Origin: "https://example.com" })).body.error.code, "FORBIDDEN_ORIGIN");
  // A page of an allowed name that calls this machine by another name.
  assert.equal((await ask({ ...site, Origin: "http://shop-pc" })).status, 200);
  for (const from of ["none", "same-site", "same-origin"]) {
    assert.equal((await ask({ ...site, "Sec-Fetch-Site": from })).status, 200, from);
  }
});

for (const origin of [
  "http://localhost",
  "http://localhost:3000",
  "https://127.0.0.1:1",
  "http://[::1]:3",
  "http://shop-pc",
]) {
  test(`a page of the Origin ${origin} may call`, async () =>
    assert.equal((await ask({ Host: "localhost", Origin: origin })).status, 200));
}

for (const origin of [
  "https://example.com",
  "null",
  "http://localhost.example.com",
  "file://",
  "http://127.0.0.1.nip.io",
  "http://localhost@example.com",
  "chrome-extension://localhost",
]) {
  test(`a page of the Origin ${origin} may not call`, async () => {
    assert.equal((await ask({ Host: "localhost", Origin: origin })).body.error.code, "FORBIDDEN_ORIGIN");
  });
}

test("the caller is checked before anything else", async () => {
  const headers = { Host: "example.com" };
  assert.equal((await ask(headers, "/v1/nothing/")).status, 403);
  assert.equal((await printwright.call("PUT", "/v1/", undefined, { headers })).status, 403);
  assert.equal((await printwright.post("/v1/scene/get/", undefined, { headers, raw: "no json" })).status, 403);
});
