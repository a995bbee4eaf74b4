import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type Release, sha256 } from "./release.ts";

/** Name of the file with the checksums of a release. */
export const SUMS = "SHA256SUMS";
const SIGNATURE = `${SUMS}.minisig`;

/** Writes the SHA-256 hashes of all files of a release, as `sha256sum --check` takes them, in the order of their names. Returns its path. */
export function writeChecksums({ folder }: Release): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== SUMS && entry.name !== SIGNATURE)
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const lines = files.map((file) => `${sha256(readFileSync(file))}  ${relative(folder, file).replaceAll("\\", "/")}\n`);
  const path = join(folder, SUMS);
  writeFileSync(path, lines.join(""));
  return path;
}

/** Marks of keys and signatures of minisign (https://jedisct1.github.io/minisign/#signature-format); "ED" signs the BLAKE2b hash. */
const [KEY_MARK, HASHED_MARK] = ["Ed", "ED"];
/** Bytes before the key itself in the SPKI form of an Ed25519 key (RFC 8410). */
const SPKI_HEADER_BYTES = 12;

/** Signs a file for `minisign -V` with the Ed25519 key of a PEM file, beside that file. Returns the path of the signature. */
export function signChecksums(path: string, keyFile: string, { version, date }: Release): string {
  const key = readKey(keyFile);
  const id = keyId(rawPublicKey(key));
  const signature = sign(null, createHash("blake2b512").update(readFileSync(path)).digest(), key);
  const comment = `timestamp:${date.getTime() / 1000} file:${SUMS} hashed printwright ${version}`;
  const withComment = sign(null, Buffer.concat([signature, Buffer.from(comment)]), key);
  const lines = [
    `untrusted comment: signature of printwright ${version}`,
    Buffer.concat([Buffer.from(HASHED_MARK), id, signature]).toString("base64"),
    `trusted comment: ${comment}`,
    withComment.toString("base64"),
  ];
  writeFileSync(`${path}.minisig`, `${lines.join("\n")}\n`);
  return `${path}.minisig`;
}

/** Makes a key that only its owner can read, in a file that must not exist. Returns the public key for `minisign -P`. */
export function makeKey(keyFile: string): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  writeFileSync(keyFile, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600, flag: "wx" });
  return publicKeyOf(keyFile);
}

/** The public key of a PEM file, for `minisign -P`. */
export function publicKeyOf(keyFile: string): string {
  const raw = rawPublicKey(readKey(keyFile));
  return Buffer.concat([Buffer.from(KEY_MARK), keyId(raw), raw]).toString("base64");
}

function readKey(keyFile: string): KeyObject {
  const key = createPrivateKey(readFileSync(keyFile));
  if (key.asymmetricKeyType === "ed25519") return key;
  throw new Error(`${keyFile} is not an Ed25519 key: make one with "bun run package key FILE"`);
}

const rawPublicKey = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ type: "spki", format: "der" }).subarray(SPKI_HEADER_BYTES);

/** The eight bytes by which minisign tells keys apart. They are random there; here they follow from the key. */
const keyId = (rawKey: Buffer): Buffer => createHash("sha256").update(rawKey).digest().subarray(0, 8);
