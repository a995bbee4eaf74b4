import type { JobTarget } from "../printer.ts";

/** The record of an account, as `GET /v1/user/` sends it. */
export interface UserRecord {
  readonly username: string;
  readonly id?: number | undefined;
  readonly email?: string | undefined;
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
}

/** The credentials of a login. They must not appear in a log, a message or a record. */
export type Credentials = { readonly username: string; readonly password: string } | { readonly accessToken: string };

/** An account that is logged in. */
export interface Login {
  readonly user: UserRecord;
  /** This is a secret. */
  readonly accessToken: string;
  /** Its connected printers and groups, as last reported. Sends nothing. */
  devices(): readonly JobTarget[];
  /** Whether the service still accepts it. */
  isActive(): boolean;
  /** Ends its requests. With `revoke`, asks the service to revoke the token. Never rejects. */
  close(revoke: boolean): Promise<void>;
}

/** A source of accounts. */
export interface AccountProvider {
  /** Throws OPERATION_FAILED where the credentials are refused or cannot be checked. */
  login(credentials: Credentials): Promise<Login>;
}
