import { setTimeout as sleep } from "node:timers/promises";
import { operationFailed } from "../../core/api-error.ts";
import type { EventLog } from "../../core/event-log.ts";
import type { AccountProvider, Login, UserRecord } from "./account.ts";
import { type AccountState, readGroups, readPrinters } from "./account-state.ts";
import { remoteDevices } from "./remote-devices.ts";
import { type ClientSecret, type ServiceClient, ServiceRefusal, type ServiceToken } from "./service-client.ts";

export interface WebApiOptions {
  readonly client: ServiceClient;
  readonly log: EventLog;
  readonly pace?: Pace;
}

/** How often an account is looked at. */
interface Pace {
  /** Between two looks, at least. */
  readonly leastMs: number;
  /** For each request of a look. */
  readonly perRequestMs: number;
  /** How long the first look may keep its login waiting. */
  readonly firstLookMs: number;
  /** How long it may where it alone tells whether a token is good; {@link TOKEN_LOOK_MS} where it is left out. */
  readonly tokenLookMs?: number;
}

/** Others wait for a login at most half a minute. */
const TOKEN_LOOK_MS = 20_000;

/** The service allows 1,500 requests an hour: this makes at most 1,200. */
const PACE: Pace = { leastMs: 30_000, perRequestMs: 3000, firstLookMs: 5000 };
/** A token is renewed when a tenth of its life is left. */
const RENEWED_AFTER = 0.9;
const REVOKE_MS = 5000;
/** The service has no record of who one is. */
const UNNAMED: UserRecord = { username: "access token" };

/** The maker's Web API: its accounts log in with the id and the secret of an API client, or with an access token. */
export function webApi({ client, log, pace = PACE }: WebApiOptions): AccountProvider {
  return {
    async login(credentials) {
      if ("accessToken" in credentials) {
        const login = newLogin(UNNAMED, { text: credentials.accessToken, lifeS: Number.POSITIVE_INFINITY });
        await lookInTime(login);
        return login.keepLooking();
      }
      const { username, password } = credentials;
      const secret = { id: username, secret: password };
      const token = await client.requestToken(secret, new AbortController().signal);
      const login = newLogin({ username }, token, secret);
      await Promise.race([login.look().catch(() => {}), sleep(pace.firstLookMs, undefined, { ref: false })]);
      return login.keepLooking();
    },
  };

  /** Only a look tells whether a token is good; a list may have many pages, each of which takes its time. */
  async function lookInTime({ look, keepLooking }: ReturnType<typeof newLogin>): Promise<void> {
    const { tokenLookMs = TOKEN_LOOK_MS } = pace;
    const looked = look();
    const ended = new AbortController();
    const late = sleep(tokenLookMs, undefined, { signal: ended.signal, ref: false }).then(() => {
      throw operationFailed(`The account service did not answer within ${tokenLookMs / 1000} s: try again later.`);
    });
    try {
      await Promise.race([looked, late]);
    } catch (thrown) {
      looked.catch(() => {});
      await keepLooking().close(false);
      throw thrown;
    } finally {
      late.catch(() => {});
      ended.abort();
    }
  }

  function newLogin(user: UserRecord, first: ServiceToken, secret?: ClientSecret) {
    const ending = new AbortController();
    let token = withRenewal(first);
    let state: AccountState = { printers: [], groups: [], serverMs: 0, readAtMs: Number.NEGATIVE_INFINITY };
    let isRefused = false;
    let isFailing = false;

    async function renew(): Promise<void> {
      if (secret) token = withRenewal(await client.requestToken(secret, ending.signal));
    }

    /** Gives the time until the next look. */
    async function look(): Promise<number> {
      if (performance.now() >= token.renewAtMs) await renew();
      const printers = await client.list("printers/", token.text, ending.signal);
      const groups = await client.list("groups/", token.text, ending.signal);
      state = {
        printers: readPrinters(printers.entries),
        groups: readGroups(groups.entries),
        serverMs: groups.serverMs,
        readAtMs: performance.now(),
      };
      isFailing = false;
      return Math.max(pace.leastMs, pace.perRequestMs * (printers.requests + groups.requests));
    }

    /** {@link look}, with another token where this one is refused. */
    async function lookAgain(): Promise<number> {
      try {
        return await look();
      } catch (thrown) {
        if (!isUnauthorised(thrown) || !secret) throw thrown;
        await renew();
        return look();
      }
    }

    function noteFailure(thrown: unknown): number {
      // The token is not valid any more and cannot be renewed, or the new one is not either.
      isRefused = isUnauthorised(thrown);
      if (!isFailing || isRefused)
        log.write("account failed", { username: user.username, reason: (thrown as Error).message });
      isFailing = true;
      return (thrown instanceof ServiceRefusal ? thrown.retryAfterMs : undefined) ?? pace.leastMs;
    }

    async function keepUpToDate(): Promise<void> {
      let waitMs = pace.leastMs;
      const isOver = (): boolean => ending.signal.aborted || isRefused;
      while (!isOver()) {
        await sleep(waitMs, undefined, { signal: ending.signal, ref: false });
        waitMs = await lookAgain().catch((thrown: unknown) => (ending.signal.aborted ? 0 : noteFailure(thrown)));
      }
    }

    const login: Login = {
      user,
      get accessToken() {
        return token.text;
      },
      devices: () => remoteDevices(state, performance.now()),
      isActive: () => !isRefused,
      async close(revoke) {
        ending.abort();
        if (!revoke || !secret) return;
        await client.revokeToken(token.text, secret, AbortSignal.timeout(REVOKE_MS)).catch((thrown: Error) => {
          log.write("account failed", {
            username: user.username,
            reason: `The token was not revoked: ${thrown.message}`,
          });
        });
      },
    };
    return {
      look: async () => {
        try {
          await lookAgain();
        } catch (thrown) {
          if (secret && !ending.signal.aborted) noteFailure(thrown);
          throw thrown;
        }
      },
      keepLooking(): Login {
        // It ends with the AbortError of the sleep that `close` ends.
        keepUpToDate().catch(() => {});
        return login;
      },
    };
  }
}

const isUnauthorised = (thrown: unknown): boolean => thrown instanceof ServiceRefusal && thrown.httpStatus === 401;

const withRenewal = ({ text, lifeS }: ServiceToken): { readonly text: string; readonly renewAtMs: number } => ({
  text,
  renewAtMs: performance.now() + lifeS * 1000 * RENEWED_AFTER,
});
