import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash, createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { makeKey, publicKeyOf, signChecksums, writeChecksums } from "../../package/checksums.ts";
import { missing, trialRelease } from "../fixture/package-release.ts";

const parent = mkdtempSync(join(tmpdir(), "printwright-checksums-"));
after(() => rmSync(parent, { recursive: true }));
const release = trialRelease(parent);
const { folder } = release;

mkdirSync(join(folder, "b"));
writeFileSync(join(folder, "b", "file"), "abc");
writeFileSync(join(folder, "a.txt"), "");
const keyFile = `${folder}.pem`;
const publicKey = makeKey(keyFile);
const sums = writeChecksums(release);
const signature = signChecksums(sums, keyFile, release);

test("all files are listed by name with their hashes, and neither the list nor its signature", () => {
  const expected = `e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a.txt
ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b/file
`;
  assert.equal(readFileSync(sums, "utf8"), expected);
  assert.equal(readFileSync(writeChecksums(release), "utf8"), expected);
});

/** The check that minisign describes for hashed signatures: both signatures, and the same key in key and signature. */
function isSignedBy(key: string, text: string, content: Uint8Array): boolean {
  const [, mainLine = "", commentLine = "", globalLine = ""] = text.split("\n");
  const [main, global, raw] = [mainLine, globalLine, key].map((line) => Buffer.from(line, "base64"));
  if (main?.toString("latin1", 0, 2) !== "ED" || raw?.toString("latin1", 0, 2) !== "Ed") return false;
  if (!main.subarray(2, 10).equals(raw.subarray(2, 10))) return false;
  const jwk = { kty: "OKP", crv: "Ed25519", x: raw.subarray(10).toString("base64url") };
  const verifier = createPublicKey({ key: jwk, format: "jwk" });
  const [of, comment] = [main.subarray(10), commentLine.replace("trusted comment: ", "")];
  return (
    verify(null, createHash("blake2b512").update(content).digest(), verifier, of) &&
    verify(null, Buffer.concat([of, Buffer.from(comment)]), verifier, global ?? new Uint8Array())
  );
}

test("the signature is of the file, its comment and the key", () => {
  const [text, content] = [readFileSync(signature, "utf8"), readFileSync(sums)];
  assert.ok(isSignedBy(publicKey, text, content));
  assert.ok(!isSignedBy(publicKey, text, Buffer.concat([content, Buffer.from("x")])));
  assert.ok(!isSignedBy(publicKey, text.replace("file:", "File:"), content));
  const other = `${folder}-other.pem`;
  assert.ok(!isSignedBy(makeKey(other), text, content));
  assert.equal(publicKeyOf(keyFile), publicKey);
});

test("minisign takes the signature, and refuses a changed list", { skip: missing("minisign") }, () => {
  const check = (file: string) =>
    spawnSync("minisign", ["-Vm", file, "-x", signature, "-P", publicKey], { encoding: "utf8" });
  const { status, stdout } = check(sums);
  assert.equal(status, 0, stdout);
  assert.match(stdout, /timestamp:1770091506 file:SHA256SUMS hashed printwright 1\.2\.3/);
  const changed = `${folder}.changed`;
  writeFileSync(changed, `${readFileSync(sums, "utf8")}\n`);
  assert.notEqual(check(changed).status, 0);
});

test("keys are for their owner alone, are never overwritten, and are of Ed25519", () => {
  if (process.platform !== "win32") assert.equal(statSync(keyFile).mode & 0o777, 0o600);
  assert.throws(() => makeKey(keyFile), /EEXIST/);
  assert.equal(publicKeyOf(keyFile), publicKey);
  const wrong = `${folder}-wrong.pem`;
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  writeFileSync(wrong, privateKey.export({ type: "pkcs8", format: "pem" }));
  assert.throws(() => publicKeyOf(wrong), /is not an Ed25519 key/);
});
