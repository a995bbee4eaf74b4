import { createHmac, randomBytes } from "node:crypto";
import { inputError } from "../../core/api-error.ts";

const PREFIX = "whsec_";
/** Bytes of a secret by Standard Webhooks 1.0.0, "Signature scheme". */
const MIN_BYTES = 24;
const MAX_BYTES = 64;
const NEW_BYTES = 32;

/** A new secret, as text. */
export const newWebhookSecret = (): string => `${PREFIX}${randomBytes(NEW_BYTES).toString("base64")}`;

/** The bytes of a secret, `whsec_` and base64. `where` is for messages, which never repeat the secret. Throws INPUT_ERROR. */
export function parseWebhookSecret(text: string, where: string): Uint8Array {
  const base64 = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : "";
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length < MIN_BYTES || bytes.length > MAX_BYTES || bytes.toString("base64") !== base64)
    throw inputError(
      `${where} has a line that is no secret: it is ${PREFIX} and the base64 of ${MIN_BYTES} to ${MAX_BYTES} bytes. printwright events --new-secret FILE makes one.`,
    );
  return bytes;
}

/** The headers of a webhook by Standard Webhooks 1.0.0: signed with each of the secrets, of which there are several while one is replaced. */
export function signedHeaders(id: string, body: string, secrets: readonly Uint8Array[], now = new Date()) {
  const timestamp = Math.floor(now.getTime() / 1000);
  const signatures = secrets.map(
    (secret) => `v1,${createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64")}`,
  );
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}
