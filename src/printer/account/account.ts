import type { PasswordHash } from "./password-hash.ts";

/** The record of an account, as `GET /v1/user/` sends it. */
export interface UserRecord {
  readonly username: string;
  readonly id?: number | undefined;
  readonly email?: string | undefined;
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
}

/** An account of the printers file. */
export interface LocalAccount {
  readonly user: UserRecord;
  readonly hash: PasswordHash;
}
