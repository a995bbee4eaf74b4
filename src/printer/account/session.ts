import type { EventLog } from "../../core/event-log.ts";
import type { JobTarget, Protocol } from "../printer.ts";
import type { AccountProvider, Credentials, Login, UserRecord } from "./account.ts";
import { newLoginLimits } from "./login-limits.ts";
import { type LocalAccount, type LocalAccounts, localAccounts } from "./local-accounts.ts";
import { newServiceClient } from "./service-client.ts";
import { webApi } from "./web-api.ts";

/** The login of the server, which is kept in memory only. A new login replaces it. */
export interface Session {
  /** Logs in and returns the access token. Throws OPERATION_FAILED, also as `LoginLimits.run` does; then the earlier login remains. */
  login(credentials: Credentials): Promise<string>;
  /** Also succeeds without a login. */
  logout(): Promise<void>;
  /** Undefined without a login. */
  user(): UserRecord | undefined;
  /** The printers and groups of the account. */
  devices(): readonly JobTarget[];
  close(): Promise<void>;
}

/** The URL of the maker's Web API. */
const SERVICE_URL = "https://api.formlabs.com";

export interface SessionOptions {
  /** The accounts of the printers file. */
  readonly accounts: readonly LocalAccount[];
  /** The URL of `--account-url`. */
  readonly accountUrl: URL | undefined;
}

/** The session of a server. Where the printers file has accounts and no service is named, nothing is sent to a service. */
export function openSession({ accounts, accountUrl }: SessionOptions, log: EventLog): Session {
  const isAlone = accounts.length > 0 && accountUrl === undefined;
  const client = newServiceClient(accountUrl ?? new URL(SERVICE_URL));
  return newSession(localAccounts(accounts), isAlone ? undefined : webApi({ client, log }), log);
}

/** A session without a login. `remote` gets no credentials that may belong to an account of the printers file. */
export function newSession(local: LocalAccounts, remote: AccountProvider | undefined, log: EventLog): Session {
  let current: Login | undefined;
  // Where several logins run at once, the last one remains.
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
    // The earlier login may have the same token.
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

/** The name for the log, shortened. The client may have confused the fields, so only the user name is logged, never a token. */
const nameOf = (credentials: Credentials): { username?: string } =>
  "username" in credentials ? { username: credentials.username.slice(0, 100) } : {};

/** The printers of the account as a protocol, which lists their last reported state. */
export const accountProtocol = (session: Session): Protocol => ({
  connected: () => session.devices(),
  close: () => session.close(),
});
