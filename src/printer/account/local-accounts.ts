import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { operationFailed } from "../../core/api-error.ts";
import type { AccountProvider, Credentials, Login, UserRecord } from "./account.ts";
import { type PasswordHash, isPassword, parsePasswordHash } from "./password-hash.ts";

/** An account of the printers file. */
export interface LocalAccount {
  readonly user: UserRecord;
  readonly hash: PasswordHash;
}

export interface LocalAccounts extends AccountProvider {
  /**
   * Whether the credentials are meant for an account of the printers file, or may be by mistake: then they must not be sent to a service.
   */
  mayOwn(credentials: Credentials): Promise<boolean>;
}

const TOKEN_BYTES = 32;
/** The prefix of all tokens that servers make themselves, also in earlier runs. */
const TOKEN_PREFIX = "printwright-local-";

/** The hash with which the password of an unknown user is compared, so that the check takes as long as for a known user. */
const UNKNOWN_USER_HASH = parsePasswordHash(`$scrypt$ln=15,r=8,p=3$${"A".repeat(22)}$${"A".repeat(43)}`)!;

/** The accounts of the printers file. Nothing is sent to a service. */
export function localAccounts(accounts: readonly LocalAccount[]): LocalAccounts {
  const byName = new Map(accounts.map((account) => [account.user.username, account]));
  const unknown = accounts[0]?.hash ?? UNKNOWN_USER_HASH;
  const tokens = new Tokens();
  const guess = newGuessQueue();

  async function checkPassword(username: string, password: string): Promise<UserRecord> {
    const account = byName.get(username);
    if ((await guess(password, account?.hash ?? unknown)) && account) return account.user;
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
        if (revoke) tokens.revoke(accessToken);
      },
    };
  }

  return {
    async mayOwn(credentials) {
      if ("accessToken" in credentials) return credentials.accessToken.startsWith(TOKEN_PREFIX);
      const { username, password } = credentials;
      if (accounts.some(({ user }) => plain(user.username) === plain(username))) return true;
      // A mistyped name may come with the password of one of these accounts.
      for (const { hash } of accounts) if (await guess(password, hash)) return true;
      return false;
    },
    async login(credentials) {
      if ("accessToken" in credentials) {
        const user = tokens.userOf(credentials.accessToken);
        if (user) return open(user, credentials.accessToken);
        throw operationFailed("The access token is not valid: log in with a user name and a password.");
      }
      const user = await checkPassword(credentials.username, credentials.password);
      return open(user, tokens.issue(user));
    },
  };
}

/** Checks passwords one after the other, since each check takes the memory of a scrypt. */
function newGuessQueue(): (password: string, hash: PasswordHash) => Promise<boolean> {
  let guesses: Promise<unknown> = Promise.resolve();
  return (password, hash) => {
    const guessed = guesses.then(() => isPassword(password, hash));
    guesses = guessed.catch(() => {});
    return guessed;
  };
}

/** The valid tokens, of which only digests are kept. */
class Tokens {
  #tokens: readonly { readonly digest: Uint8Array; readonly user: UserRecord }[] = [];

  issue(user: UserRecord): string {
    const token = TOKEN_PREFIX + randomBytes(TOKEN_BYTES).toString("base64url");
    this.#tokens = [...this.#tokens, { digest: digestOf(token), user }];
    return token;
  }

  /** Undefined for an invalid token. */
  userOf(token: string): UserRecord | undefined {
    return this.#find(token)?.user;
  }

  revoke(token: string): void {
    const revoked = this.#find(token);
    this.#tokens = this.#tokens.filter((one) => one !== revoked);
  }

  #find(token: string) {
    const digest = digestOf(token);
    return this.#tokens.find((one) => timingSafeEqual(one.digest, digest));
  }
}

/** Makes names equal that differ only in case, width or surrounding spaces. */
const plain = (username: string): string => username.normalize("NFKC").trim().toLowerCase();

const digestOf = (token: string): Uint8Array => createHash("sha256").update(token).digest();
