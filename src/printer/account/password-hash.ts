import { Buffer } from "node:buffer";
import { type ScryptOptions, randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** The cost of a guess (RFC 7914): 2^log2N · r blocks of 128 bytes of memory, p times. */
export interface ScryptCost {
  readonly log2N: number;
  readonly r: number;
  readonly p: number;
}

/** A stored hash, from which the password cannot be read. */
export interface PasswordHash extends ScryptCost {
  readonly salt: Buffer;
  readonly key: Buffer;
}

/** 32 MiB and a tenth of a second. Source: OWASP, "Password Storage Cheat Sheet", scrypt. */
const COST: ScryptCost = { log2N: 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const KEY_BYTES = 32;

/** Limits for hashes from a file: 1 GiB, for example, would let a file exhaust the memory of this machine. */
const MAX_MEMORY_BYTES = 2 ** 28;
const MAX_P = 16;

/** The form of PHC strings: `$scrypt$ln=15,r=8,p=3$SALT$KEY`, with SALT and KEY in base64 without padding. */
const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

/** Parses a hash; undefined for a text that is none, or whose cost exceeds the limits. */
export function parsePasswordHash(text: string): PasswordHash | undefined {
  const [, log2N, r, p, salt = "", key = ""] = PHC.exec(text) ?? [];
  const cost = { log2N: Number(log2N), r: Number(r), p: Number(p) };
  const isPossible = cost.log2N >= 1 && cost.r >= 1 && cost.p >= 1 && cost.p <= MAX_P;
  if (!isPossible || memoryBytes(cost) > MAX_MEMORY_BYTES) return undefined;
  return { ...cost, salt: Buffer.from(salt, "base64"), key: Buffer.from(key, "base64") };
}

const memoryBytes = ({ log2N, r }: ScryptCost): number => 128 * r * 2 ** log2N;

/** Hashes a password for storage, with a new salt. */
export async function hashPassword(password: string, cost: ScryptCost = COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, { ...cost, salt, key: Buffer.alloc(KEY_BYTES) });
  const [saltText, keyText] = [salt, key].map((bytes) => bytes.toString("base64").replaceAll("=", ""));
  return `$scrypt$ln=${cost.log2N},r=${cost.r},p=${cost.p}$${saltText}$${keyText}`;
}

/** Compares in constant time, regardless of the password. */
export const isPassword = async (password: string, hash: PasswordHash): Promise<boolean> =>
  timingSafeEqual(await derive(password, hash), hash.key);

/** Normalises the password first, since keyboards and systems differ in how they compose accents (Unicode, NFC). */
function derive(password: string, { log2N, r, p, salt, key }: PasswordHash): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** log2N, r, p, maxmem: 2 * memoryBytes({ log2N, r, p }) + 2 ** 20 };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFC"), salt, key.length, options, (error, derived) =>
      error ? reject(error) : resolve(derived),
    );
  });
}
