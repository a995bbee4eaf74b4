import type { EventLog } from "../../core/event-log.ts";
import type { JobTarget, Protocol } from "../printer.ts";
import type { AccountProvider, Credentials, Login, UserRecord } from "./account.ts";
import { newLoginLimits } from "./login-limits.ts";
import { type LocalAccount, type LocalAccounts, localAccounts } from "./local-accounts.ts";
import { newServiceClient } from "./service-client.ts";
import { webApi } from "./web-api.ts";

/** The login of the server, kept in memory alone. A new one replaces it. */
export interface Session {
  /** Gives the access token. Throws OPERATION_FAILED, also as `LoginLimits.run` does, and leaves the login before as it was. */
  login(credentials: Credentials): Promise<string>;
  /** Succeeds also where nobody is logged in. */
  logout(): Promise<void>;
  /** Undefined where nobody is logged in. */
  user(): UserRecord | undefined;
  /** The printers and groups of the account. */
  devices(): readonly JobTarget[];
  close(): Promise<void>;
}

/** Of the maker's Web API. */
const SERVICE_URL = "https://api.formlabs.com";

export interface SessionOptions {
  /** Of the printers file. */
  readonly accounts: readonly LocalAccount[];
  /** What `--account-url` says. */
  readonly accountUrl: URL | undefined;
}

/** The session of a server. A shop that has accounts of its own and names no service has no other: nothing is sent out. */
export function openSession({ accounts, accountUrl }: SessionOptions, log: EventLog): Session {
  const isAlone = accounts.length > 0 && accountUrl === undefined;
  const client = newServiceClient(accountUrl ?? new URL(SERVICE_URL));
  return newSession(localAccounts(accounts), isAlone ? undefined : webApi({ client, log }), log);
}

/**
 * A server without a login. `remote`, if there is one, gets no credentials that may be of an account of the printers file.
 */
export function newSession(local: LocalAccounts, remote: AccountProvider | undefined, log: EventLog): Session {
  let current: Login | undefined;
  // Of several at once, the last one stays.
  let changes: Promise<unknown> = Promise.resolve();
  const active = (): Login | undefined => (current?.isActive() ? current : undefined);

  function inTurn<T>(change: () => Promise<T>): Promise<T> {
    const changed = changes.then(change);
    changes = changed.catch(() => {});
    return changed;
  }

  const limits = newLoginLimits(inTurn);

  async function login(credentials: Credentials): Promise<string> {
    let next: Login;
    try {
      const provider = remote && !(await local.mayOwn(credentials)) ? remote : local;
      next = await provider.login(credentials);
    } catch (thrown) {
      log.write("login refused", { ...nameOf(credentials), reason: (thrown as Error).message });
      throw thrown;
    }
    const last = current;
    current = next;
    log.write("login", { username: next.user.username });
    // The token of the login before may be the one of this.
    await last?.close(last.accessToken !== next.accessToken);
    return next.accessToken;
  }

  async function logout(): Promise<void> {
    const last = current;
    current = undefined;
    if (!last) return;
    log.write("logout", { username: last.user.username });
    await last.close(true);
  }

  return {
    login: (credentials) => limits.run(() => login(credentials)),
    logout: () => inTurn(logout),
    user: () => active()?.user,
    devices: () => active()?.devices() ?? [],
    close: async () => current?.close(false),
  };
}

/** The client may have mistaken the fields: only names that are no secrets of another kind are logged, shortened. */
const nameOf = (credentials: Credentials): { username?: string } =>
  "username" in credentials ? { username: credentials.username.slice(0, 100) } : {};

/** What the account has, as a protocol: it is always only what is known. */
export const accountProtocol = (session: Session): Protocol => ({
  connected: () => session.devices(),
  close: () => session.close(),
});
