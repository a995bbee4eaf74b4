import assert from "node:assert/strict";
import { test } from "node:test";
import { hashPassword, isPassword, parsePasswordHash } from "../../../src/printer/account/password-hash.ts";

const CHEAP = { log2N: 2, r: 1, p: 1 };

test("a password matches its hash and no other does, whatever its characters", async () => {
  for (const password of ["a", "open sesame", "p".repeat(10_000), "ключ🔑", "a\nb", " "]) {
    const hash = parsePasswordHash(await hashPassword(password, CHEAP))!;
    assert.equal(await isPassword(password, hash), true, password);
    for (const other of ["", `${password} `, password.slice(1), "A"])
      assert.equal(await isPassword(other, hash), false);
  }
});

test("the same password never has the same hash", async () => {
  assert.notEqual(await hashPassword("a", CHEAP), await hashPassword("a", CHEAP));
});

test("composed and decomposed accents match", async () => {
  const hash = parsePasswordHash(await hashPassword("caf\u00e9", CHEAP))!;
  assert.equal(await isPassword("cafe\u0301", hash), true);
});

// The second vector of RFC 7914, section 12; a KDF of 32 bytes gives its beginning.
test("a hash of another program is accepted", async () => {
  const salt = Buffer.from("NaCl").toString("base64").replaceAll("=", "");
  const key = Buffer.from("fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162", "hex");
  // Salts have at least 8 bytes: this one of 4 is refused, whatever its key.
  assert.equal(
    parsePasswordHash(`$scrypt$ln=10,r=8,p=16$${salt}$${key.toString("base64").replaceAll("=", "")}`),
    undefined,
  );
  const hash = { log2N: 10, r: 8, p: 16, salt: Buffer.from("NaCl"), key };
  assert.equal(await isPassword("password", hash), true);
});

test("texts that are not a hash, and hashes that need too much work, are refused", async () => {
  const good = await hashPassword("a", CHEAP);
  assert.ok(parsePasswordHash(good));
  const changes = [
    ["$scrypt", "$argon2id"],
    ["ln=2", "ln=0"],
    ["ln=2", "ln=29"],
    ["r=1", "r=0"],
    ["p=1", "p=17"],
    ["p=1", "p=0"],
  ] as const;
  for (const [from, to] of changes) assert.equal(parsePasswordHash(good.replace(from, to)), undefined, to);
  for (const text of ["", "a", `${good}$`, ` ${good}`, good.slice(0, -30)])
    assert.equal(parsePasswordHash(text), undefined);
});
