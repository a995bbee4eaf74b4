import { join, resolve } from "node:path";
import { excerpt, inputError } from "../../core/api-error.ts";
import { defaultStateFolder } from "../../core/state-folder.ts";
import type { FileStore } from "./file-store.ts";
import { openFolderStore } from "./folder-store.ts";

/** `s3://BUCKET/PREFIX`; the names of buckets: https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const S3_URL = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w!.*'()/-]*))?$/;

/** Opens the store of `--store`: a folder, which is made where it is missing, or `s3://BUCKET/PREFIX`; by default a folder of this user. */
export async function openStore(given?: string): Promise<FileStore> {
  if (given?.includes("://") === true) {
    const [, bucket, prefix = ""] = S3_URL.exec(given) ?? [];
    if (bucket === undefined)
      throw inputError(`--store must be a folder or s3://BUCKET/PREFIX, not "${excerpt(withoutSecrets(given))}"`);
    const [{ openS3Store }, { readS3Access }] = await Promise.all([import("./s3-store.ts"), import("./s3-access.ts")]);
    return openS3Store(readS3Access(), bucket, prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`);
  }
  if (given === "") throw inputError("--store must be a folder or s3://BUCKET/PREFIX");
  if (given !== undefined) return openFolderStore(resolve(given));
  return openFolderStore(join(defaultStateFolder(), "files"), { mode: 0o700 });
}

/** A URL without its name and password. */
const withoutSecrets = (url: string): string => url.replace(/\/\/[^/]*@/, "//");
