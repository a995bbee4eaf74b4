import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { pipeline } from "node:stream/promises";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, excerpt, inputError, notFound, operationFailed } from "../../core/api-error.ts";
import { withFileErrorsAsync } from "../../core/file-error.ts";
import { trustedCertificates } from "../../core/trusted-certificates.ts";
import { type FileStore, type ListedFile, hashAt, hashFile, placeOf, requireHash } from "./file-store.ts";
import type { S3Access } from "./s3-access.ts";

/** The largest file of one PUT (https://docs.aws.amazon.com/AmazonS3/latest/userguide/upload-objects.html). */
const MAX_BYTES = 5 * 2 ** 30;
/** A file that was stored so long ago is stored again when a job names it, so that the collector leaves it. */
const RENEW_AFTER_MS = 24 * 60 * 60 * 1000;
/** Pauses before another try when the service is not reached or busy, ms. */
const TRY_AGAIN_MS = [300, 1500, 5000];
/** A connection without a byte for so long is broken. */
const IDLE_MS = 30_000;
const EMPTY_SHA256 = createHash("sha256").digest("hex");

interface Call {
  readonly method: "GET" | "HEAD" | "PUT" | "DELETE";
  /** Key of the object; empty for the bucket. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  /** The file to send, its size and the digits of its hash. */
  readonly body?: { readonly path: string; readonly bytes: number; readonly sha256: string };
}

/** A store in a bucket of S3, or of a service with its interface; below `prefix`, which is empty or ends with a slash. */
export function openS3Store(access: S3Access, bucket: string, prefix: string): FileStore {
  const keyOf = (place: string): string => `${prefix}${place}`;
  const call = (request: Call): Promise<IncomingMessage> => callS3(access, bucket, request);
  return {
    async put(path) {
      const { hash, bytes } = await hashFile(path);
      const key = keyOf(placeOf(hash));
      const found = await call({ method: "HEAD", key });
      found.resume();
      const storedMs = Date.parse(found.headers["last-modified"] ?? "");
      const isThere = found.statusCode === 200 && Number(found.headers["content-length"]) === bytes;
      if (isThere && Date.now() - storedMs < RENEW_AFTER_MS) return { hash, bytes };
      if (bytes > MAX_BYTES)
        throw inputError(
          `"${excerpt(path)}" has ${bytes} bytes, and S3 takes at most ${MAX_BYTES}: use a folder store`,
        );
      // The service compares the content with the signed hash.
      await done(await call({ method: "PUT", key, body: { path, bytes, sha256: hash.slice("sha256:".length) } }), key);
      return { hash, bytes };
    },
    async fetch(hash, path) {
      const key = keyOf(placeOf(hash));
      const reply = await call({ method: "GET", key });
      if (reply.statusCode === 404) {
        reply.resume();
        throw notFound(`The store has no file ${bucket}/${key}: it was removed, or the store is another one.`);
      }
      if (reply.statusCode !== 200) await done(reply, key);
      const file = await withFileErrorsAsync("write", path, () => open(path, "wx"));
      try {
        const hashing = createHash("sha256");
        await pipeline(
          reply,
          async function* (pieces: AsyncIterable<Uint8Array>) {
            for await (const piece of pieces) {
              hashing.update(piece);
              yield piece;
            }
          },
          file.createWriteStream(),
        );
        requireHash(hash, `sha256:${hashing.digest("hex")}`, `${bucket}/${key}`);
      } catch (thrown) {
        await rm(path, { force: true });
        throw thrown instanceof ApiError ? thrown : unreached(access, thrown);
      } finally {
        await file.close();
      }
    },
    async *list() {
      let token: string | undefined;
      do {
        const query = {
          "list-type": "2",
          prefix: keyOf("sha256/"),
          ...(token !== undefined && { "continuation-token": token }),
        };
        const page = await done(await call({ method: "GET", key: "", query }), bucket);
        yield* filesOfPage(page);
        token = /<IsTruncated>true</.test(page) ? unescaped(elementOf(page, "NextContinuationToken")) : undefined;
      } while (token !== undefined && token !== "");
    },
    async remove(hash) {
      const key = keyOf(placeOf(hash));
      await done(await call({ method: "DELETE", key }), key);
    },
  };
}

/** The body of a successful reply. Throws OPERATION_FAILED with the code of the service for any other. */
async function done(reply: IncomingMessage, what: string): Promise<string> {
  const body = await text(reply);
  const { statusCode = 0 } = reply;
  if (statusCode >= 200 && statusCode < 300) return body;
  const code = elementOf(body, "Code");
  const why = [code, elementOf(body, "Message")].filter((part) => part !== "").join(": ");
  const isRefused = statusCode === 403 || statusCode === 401;
  const wayOut = isRefused ? "check the keys in AWS_* or PRINTWRIGHT_S3_FILE and their rights" : "check the store";
  throw operationFailed(`S3 answers ${statusCode} for "${excerpt(what)}"${why && ` (${excerpt(why)})`}: ${wayOut}.`);
}

const elementOf = (xml: string, name: string): string => new RegExp(`<${name}>([^<]*)<`).exec(xml)?.[1] ?? "";

const unescaped = (value: string): string =>
  value.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => ENTITIES[name] ?? "");
const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function* filesOfPage(page: string): Generator<ListedFile> {
  for (const [contents] of page.matchAll(/<Contents>.*?<\/Contents>/gs)) {
    const hash = hashAt(unescaped(elementOf(contents, "Key")));
    if (hash) yield { hash, storedMs: Date.parse(elementOf(contents, "LastModified")) };
  }
}

/** Sends a request until it is answered; tries again when the service is not reached or busy. */
async function callS3(access: S3Access, bucket: string, call: Call): Promise<IncomingMessage> {
  for (const pauseMs of [...TRY_AGAIN_MS, undefined]) {
    try {
      const reply = await sendOnce(access, bucket, call);
      const isBusy = reply.statusCode === 429 || (reply.statusCode ?? 0) >= 500;
      if (!isBusy || pauseMs === undefined) return reply;
      reply.resume();
    } catch (thrown) {
      if (thrown instanceof ApiError || pauseMs === undefined) throw unreached(access, thrown);
    }
    await sleep(pauseMs);
  }
  throw unreached(access, undefined);
}

const unreached = ({ endpoint }: S3Access, thrown: unknown): ApiError =>
  thrown instanceof ApiError
    ? thrown
    : operationFailed(
        `The store at ${endpoint.origin} is not reached: ${thrown instanceof Error ? thrown.message : "it gives no answer"}. Check the network and the endpoint.`,
      );

async function sendOnce(
  access: S3Access,
  bucket: string,
  { method, key, query, body }: Call,
): Promise<IncomingMessage> {
  const { AwsV4Signer } = await import("aws4fetch");
  const { endpoint, region, accessKeyId, secretAccessKey, sessionToken } = access;
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, "")}/${bucket}/${key}`;
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
  const signed = await new AwsV4Signer({
    method,
    url: url.href,
    headers: { "X-Amz-Content-Sha256": body?.sha256 ?? EMPTY_SHA256 },
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    service: "s3",
    region,
  }).sign();
  const headers = {
    ...Object.fromEntries(signed.headers),
    ...(body && { "Content-Length": String(body.bytes), "Content-Type": "application/octet-stream" }),
  };
  const options = { method, headers, timeout: IDLE_MS };
  const request =
    url.protocol === "http:"
      ? requestHttp(signed.url, options)
      : requestHttps(signed.url, { ...options, ca: trustedCertificates() });
  request.on("timeout", () => request.destroy(new Error(`no byte for ${IDLE_MS / 1000} s`)));
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    request.on("response", resolve);
    request.on("error", reject);
  });
  if (!body || body.bytes === 0) {
    request.end();
    return answered;
  }
  // The service may answer before it has the whole body; then the answer counts.
  await Promise.race([answered, pipeline(createReadStream(body.path), request)]);
  return answered;
}
