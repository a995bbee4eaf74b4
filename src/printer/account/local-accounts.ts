import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { operationFailed } from "../../core/api-error.ts";
import type { AccountProvider, Login, UserRecord } from "./account.ts";
import { type PasswordHash, isPassword, parsePasswordHash } from "./password-hash.ts";

/** An account of the printers file. */
export interface LocalAccount {
  readonly user: UserRecord;
  readonly hash: PasswordHash;
}

export interface LocalAccounts extends AccountProvider {
  hasUser(username: string): boolean;
  /** Whether the token is that of a login here which has not ended. */
  hasToken(accessToken: string): boolean;
}

const TOKEN_BYTES = 32;

/** Nobody's: what an unknown user is compared with, so that it takes the time of a known one. */
const NOBODY = parsePasswordHash(`$scrypt$ln=15,r=8,p=3$${"A".repeat(22)}$${"A".repeat(43)}`)!;

/** The accounts of the printers file: nothing is sent to anybody. */
export function localAccounts(accounts: readonly LocalAccount[]): LocalAccounts {
  const byName = new Map(accounts.map((account) => [account.user.username, account]));
  const unknown = accounts[0]?.hash ?? NOBODY;
  let tokens: readonly { readonly digest: Uint8Array; readonly user: UserRecord }[] = [];
  // One guess after the other: each takes the memory of a scrypt.
  let guesses: Promise<unknown> = Promise.resolve();

  const findToken = (accessToken: string) => {
    const digest = digestOf(accessToken);
    return tokens.find((one) => timingSafeEqual(one.digest, digest));
  };

  async function checkPassword(username: string, password: string): Promise<UserRecord> {
    const account = byName.get(username);
    const guess = guesses.then(() => isPassword(password, account?.hash ?? unknown));
    guesses = guess.catch(() => {});
    if ((await guess) && account) return account.user;
    throw operationFailed("The user name or the password is wrong: check both.");
  }

  function open(user: UserRecord, accessToken: string): Login {
    let isOpen = true;
    return {
      user,
      accessToken,
      devices: () => [],
      isActive: () => isOpen,
      async close(revoke) {
        isOpen = false;
        const token = findToken(accessToken);
        if (revoke) tokens = tokens.filter((one) => one !== token);
      },
    };
  }

  return {
    hasUser: (username) => byName.has(username),
    hasToken: (accessToken) => findToken(accessToken) !== undefined,
    async login(credentials) {
      if ("accessToken" in credentials) {
        const found = findToken(credentials.accessToken);
        if (found) return open(found.user, credentials.accessToken);
        throw operationFailed("The access token is not valid: log in with a user name and a password.");
      }
      const user = await checkPassword(credentials.username, credentials.password);
      const accessToken = randomBytes(TOKEN_BYTES).toString("base64url");
      tokens = [...tokens, { digest: digestOf(accessToken), user }];
      return open(user, accessToken);
    },
  };
}

const digestOf = (token: string): Uint8Array => createHash("sha256").update(token).digest();
