import assert from "node:assert/strict";
import { test } from "node:test";
import { digestAuthorization, parseChallenge } from "../../../src/printer/prusalink/digest.ts";
import { fc } from "../../fixture/property.ts";

const RFC =
  'Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"';
const SIGNED = { username: "Mufasa", method: "GET", uri: "/dir/index.html", count: 1, clientNonce: "0a4f113b" };

test("the example of RFC 2617, 3.5, gives its answer", () => {
  const header = digestAuthorization(parseChallenge(RFC)!, { ...SIGNED, password: "Circle Of Life" });
  assert.match(header, /^Digest username="Mufasa", realm="testrealm@host.com", nonce="dcd98b/);
  assert.match(header, / response="6629fae49393a05397450978507c4ef1"/);
  assert.match(header, / qop=auth, nc=00000001, cnonce="0a4f113b", opaque="5ccc069c403ebaf9f0171e9517f40e41"$/);
});

test("the example of RFC 2069 with its erratum, in which requests are not counted, gives its answer", () => {
  const challenge = parseChallenge('Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"')!;
  const header = digestAuthorization(challenge, { ...SIGNED, password: "CircleOfLife" });
  assert.match(header, / response="1949323746fe6a43ef61f9606e7febea"/);
  assert.ok(!/nc=|cnonce=|qop=|opaque=/.test(header));
});

test("the example of RFC 7616, 3.9.1, gives its answers with both algorithms", () => {
  const signed = { ...SIGNED, password: "Circle of Life", clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ" };
  for (const [algorithm, response] of [
    ["SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"],
    ["MD5", "8ca523f5e9506fed4657c9700eebdbec"],
  ]) {
    const challenge = `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`;
    const header = digestAuthorization(parseChallenge(challenge)!, signed);
    assert.match(header, new RegExp(` response="${response}", algorithm=${algorithm}, `));
  }
});

test("requests with the same nonce are counted in eight hexadecimal digits", () => {
  const header = digestAuthorization(parseChallenge(RFC)!, { ...SIGNED, password: "x", count: 30 });
  assert.match(header, / nc=0000001e,/);
});

test("challenges are read in every form of the grammar, and other texts are refused", () => {
  const plain = { realm: "a", nonce: "b", opaque: undefined, counts: false };
  assert.deepEqual(parseChallenge("digest REALM=a,nonce = b"), plain);
  assert.deepEqual(parseChallenge('Digest realm="a", nonce="b", ApiKey realm="c"'), plain);
  assert.deepEqual(parseChallenge('ApiKey realm="c", Digest realm="a", nonce="b"'), plain);
  assert.deepEqual(parseChallenge('Digest realm="say \\"a\\"", nonce="b", qop=auth'), {
    ...plain,
    realm: 'say "a"',
    counts: true,
  });
  for (const none of [
    undefined,
    "",
    'Basic realm="a"',
    'Digest realm="a"',
    'Digest realm="a", nonce="b", algorithm=SHA-512-256',
    'Basic realm="Digest realm=a, nonce=b"',
    'Basic realm=", Digest realm=a, nonce=b"',
  ]) {
    assert.equal(parseChallenge(none), undefined, String(none));
  }
});

test("any header is read or refused at once", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (text) => {
      const challenge = parseChallenge(`Digest ${text}`);
      if (challenge) assert.match(digestAuthorization(challenge, { ...SIGNED, password: "x" }), /^Digest /);
    }),
  );
  assert.equal(parseChallenge(`Digest ${"a".repeat(100_000)}`), undefined);
});
