import * as v from "valibot";
import { notFound } from "../../core/api-error.ts";
import { servesServer } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { integer, oneOf } from "../../api/schema.ts";

// The login of the server (interface, "Authentication endpoints").

/** A text in a body with secrets: error messages do not repeat its value. */
const text = v.string("must be a text");
const withPassword = strictObject({
  username: field(text, "Name of the account, or id of an API client of the maker's account service."),
  password: field(text, "Password of the account, or secret of the API client."),
});
const withToken = strictObject({
  access_token: field(text, "Token of the login, which replaces its user name and password."),
});

export const login = servesServer(
  {
    method: "POST",
    path: "/v1/login/",
    summary:
      "Logs the server in: to an account of the printers file, or, with the id and secret of an API client or with an access token, to the maker's account service. A new login replaces the current one.",
    body: oneOf<typeof withPassword | typeof withToken>(
      { access_token: withToken, username: withPassword, password: withPassword },
      withPassword,
    ),
    holdsSecrets: true,
    reply: object({
      access_token: field(v.string(), "Token of the login, which replaces its user name and password."),
      refresh_token: field(v.string(), "Always empty: no account issues refresh tokens."),
    }),
    errors: ["OPERATION_FAILED"],
  },
  async ({ session }, { body }) => {
    const credentials =
      "access_token" in body
        ? { accessToken: body.access_token }
        : { username: body.username, password: body.password };
    // Always empty: no account issues tokens that renew a login; the API of the service has none.
    return { access_token: await session.login(credentials), refresh_token: "" };
  },
);

export const logout = servesServer(
  {
    method: "POST",
    path: "/v1/logout/",
    summary: "Ends the login and revokes its token. Succeeds also if no user is logged in.",
  },
  ({ session }) => session.logout(),
);

export const getUser = servesServer(
  {
    method: "GET",
    path: "/v1/user/",
    summary: "The record of the account that is logged in.",
    reply: object({
      username: field(v.string(), "Name of the account, or id of an API client of the maker's account service."),
      id: field(v.optional(integer), "Numeric id of the account."),
      email: field(v.optional(v.string()), "Email address of the account."),
      first_name: field(v.optional(v.string()), "First name of the person."),
      last_name: field(v.optional(v.string()), "Last name of the person."),
    }),
    errors: ["NOT_FOUND"],
  },
  ({ session }) => {
    const user = session.user();
    if (user) return user;
    throw notFound("No user is logged in: send the credentials of an account to login.");
  },
);
