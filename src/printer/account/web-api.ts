import { setTimeout as sleep } from "node:timers/promises";
import { operationFailed } from "../../core/api-error.ts";
import type { EventLog } from "../../core/event-log.ts";
import type { JobTarget } from "../printer.ts";
import type { AccountProvider, Login, UserRecord } from "./account.ts";
import { type AccountState, readGroups, readPrinters } from "./account-state.ts";
import { remoteDevices } from "./remote-devices.ts";
import { type ClientSecret, type ServiceClient, ServiceRefusal, type ServiceToken } from "./service-client.ts";

export interface WebApiOptions {
  readonly client: ServiceClient;
  readonly log: EventLog;
  readonly timing?: ReadTiming;
}

/** How often the state of an account is read, ms. */
interface ReadTiming {
  /** The shortest interval between two reads. */
  readonly leastMs: number;
  /** The interval per request of a read. */
  readonly perRequestMs: number;
  /** How long a login waits for the first read. */
  readonly firstReadMs: number;
  /** How long a login waits for it where it alone shows whether a token is valid; {@link TOKEN_READ_MS} by default. */
  readonly tokenReadMs?: number;
}

/** Shorter than the half minute that other logins wait. */
const TOKEN_READ_MS = 20_000;

/** The service allows 1,500 requests an hour; these values cause at most 1,200. */
const READ_TIMING: ReadTiming = { leastMs: 30_000, perRequestMs: 3000, firstReadMs: 5000 };
/** The share of its life after which a token is renewed. */
const RENEWED_AFTER = 0.9;
const REVOKE_MS = 5000;
/** The user of a login by token: the service does not report its name. */
const UNNAMED: UserRecord = { username: "access token" };

/** The maker's Web API. Its accounts log in with the id and the secret of an API client, or with an access token. */
export function webApi({ client, log, timing = READ_TIMING }: WebApiOptions): AccountProvider {
  return {
    async login(credentials) {
      if ("accessToken" in credentials) {
        const token = { text: credentials.accessToken, lifeS: Number.POSITIVE_INFINITY };
        const login = new ServiceLogin({ client, log, timing, user: UNNAMED, token });
        await readInTime(login, timing.tokenReadMs ?? TOKEN_READ_MS);
        return login;
      }
      const { username, password } = credentials;
      const secret = { id: username, secret: password };
      const token = await client.requestToken(secret, new AbortController().signal);
      const login = new ServiceLogin({ client, log, timing, user: { username }, token, secret });
      await Promise.race([login.read().catch(() => {}), sleep(timing.firstReadMs, undefined, { ref: false })]);
      login.keepReading();
      return login;
    },
  };
}

/**
 * Reads the account and keeps reading it. Throws, and closes the login, where that fails or takes longer than `limitMs`: only a read shows
 * whether a token is valid, and it may take long, since a list may have many pages.
 */
async function readInTime(login: ServiceLogin, limitMs: number): Promise<void> {
  const firstRead = login.read();
  const ended = new AbortController();
  const late = sleep(limitMs, undefined, { signal: ended.signal, ref: false }).then(() => {
    throw operationFailed(`The account service did not answer within ${limitMs / 1000} s: try again later.`);
  });
  try {
    await Promise.race([firstRead, late]);
    login.keepReading();
  } catch (thrown) {
    firstRead.catch(() => {});
    await login.close(false);
    throw thrown;
  } finally {
    late.catch(() => {});
    ended.abort();
  }
}

interface ServiceLoginOptions extends Required<WebApiOptions> {
  readonly user: UserRecord;
  readonly token: ServiceToken;
  /** Renews and revokes the token; undefined for a login by token. */
  readonly secret?: ClientSecret;
}

/** A login at the service, whose printers and groups are read repeatedly. */
class ServiceLogin implements Login {
  readonly #options: ServiceLoginOptions;
  readonly #ending = new AbortController();
  #token: ReturnType<typeof withRenewal>;
  #state: AccountState = { printers: [], groups: [], serverMs: 0, readAtMs: Number.NEGATIVE_INFINITY };
  #isRefused = false;
  #isFailing = false;

  constructor(options: ServiceLoginOptions) {
    this.#options = options;
    this.#token = withRenewal(options.token);
  }

  get user(): UserRecord {
    return this.#options.user;
  }

  get accessToken(): string {
    return this.#token.text;
  }

  devices(): readonly JobTarget[] {
    return remoteDevices(this.#state, performance.now());
  }

  isActive(): boolean {
    return !this.#isRefused;
  }

  async close(revoke: boolean): Promise<void> {
    this.#ending.abort();
    const { client, secret } = this.#options;
    if (!revoke || !secret) return;
    await client
      .revokeToken(this.#token.text, secret, AbortSignal.timeout(REVOKE_MS))
      .catch((thrown: Error) => this.#logFailure(`The token was not revoked: ${thrown.message}`));
  }

  /** Reads the account once. */
  async read(): Promise<void> {
    try {
      await this.#readOrRenew();
    } catch (thrown) {
      if (this.#options.secret && !this.#ending.signal.aborted) this.#noteFailure(thrown);
      throw thrown;
    }
  }

  /** Reads the account from now on, until the login is closed or refused. */
  keepReading(): void {
    // It ends with the AbortError of the sleep that `close` ends.
    this.#readRepeatedly().catch(() => {});
  }

  async #readRepeatedly(): Promise<void> {
    const { signal } = this.#ending;
    let waitMs = this.#options.timing.leastMs;
    while (!signal.aborted && !this.#isRefused) {
      await sleep(waitMs, undefined, { signal, ref: false });
      waitMs = await this.#readOrRenew().catch((thrown: unknown) => (signal.aborted ? 0 : this.#noteFailure(thrown)));
    }
  }

  /** Reads the account, with a renewed token where the current one is refused. Returns the time until the next read, ms. */
  async #readOrRenew(): Promise<number> {
    try {
      return await this.#readOnce();
    } catch (thrown) {
      if (!isUnauthorised(thrown) || !this.#options.secret) throw thrown;
      await this.#renew();
      return this.#readOnce();
    }
  }

  async #readOnce(): Promise<number> {
    const { client, timing } = this.#options;
    const { signal } = this.#ending;
    if (performance.now() >= this.#token.renewAtMs) await this.#renew();
    const printers = await client.list("printers/", this.#token.text, signal);
    const groups = await client.list("groups/", this.#token.text, signal);
    this.#state = {
      printers: readPrinters(printers.entries),
      groups: readGroups(groups.entries),
      serverMs: groups.serverMs,
      readAtMs: performance.now(),
    };
    this.#isFailing = false;
    return Math.max(timing.leastMs, timing.perRequestMs * (printers.requests + groups.requests));
  }

  async #renew(): Promise<void> {
    const { client, secret } = this.#options;
    if (secret) this.#token = withRenewal(await client.requestToken(secret, this.#ending.signal));
  }

  /** Logs the first of several failures. Returns the time until the next read, ms. */
  #noteFailure(thrown: unknown): number {
    // The token is invalid and cannot be renewed, or the renewed one is refused too.
    this.#isRefused = isUnauthorised(thrown);
    if (!this.#isFailing || this.#isRefused) this.#logFailure((thrown as Error).message);
    this.#isFailing = true;
    return (thrown instanceof ServiceRefusal ? thrown.retryAfterMs : undefined) ?? this.#options.timing.leastMs;
  }

  #logFailure(reason: string): void {
    this.#options.log.write("account failed", { username: this.user.username, reason });
  }
}

const isUnauthorised = (thrown: unknown): boolean => thrown instanceof ServiceRefusal && thrown.httpStatus === 401;

const withRenewal = ({ text, lifeS }: ServiceToken): { readonly text: string; readonly renewAtMs: number } => ({
  text,
  renewAtMs: performance.now() + lifeS * 1000 * RENEWED_AFTER,
});
