import type { JobTarget } from "../printer.ts";

/** The record of an account, as `GET /v1/user/` sends it. */
export interface UserRecord {
  readonly username: string;
  readonly id?: number | undefined;
  readonly email?: string | undefined;
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
}

/** What a login is made with. None of it may appear in a log, a message or a record. */
export type Credentials = { readonly username: string; readonly password: string } | { readonly accessToken: string };

/** An account that is logged in. */
export interface Login {
  readonly user: UserRecord;
  /** A secret. */
  readonly accessToken: string;
  /** Its connected printers and groups, as far as they are known: sends nothing. */
  devices(): readonly JobTarget[];
  /** Whether the service still takes it. */
  isActive(): boolean;
  /** Ends its requests; with `revoke` the service forgets the token, if it can be reached. Never rejects. */
  close(revoke: boolean): Promise<void>;
}

/** Whatever knows accounts. */
export interface AccountProvider {
  /** Throws OPERATION_FAILED where the credentials are refused or cannot be checked. */
  login(credentials: Credentials): Promise<Login>;
}
