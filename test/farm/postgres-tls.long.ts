import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { readPostgresUrl } from "../../src/farm/queue/postgres-address.ts";
import { openPostgresQueue } from "../../src/farm/queue/postgres-queue.ts";
import { HAS_POSTGRES, type PostgresServer, startPostgres } from "../fixture/postgres.ts";

// A PostgreSQL that serves encrypted connections alone, and whose certificate is for "localhost", and not for 127.0.0.1.

const HAS_OPENSSL = spawnSync("openssl", ["version"]).status === 0;
const skip = HAS_POSTGRES && HAS_OPENSSL ? false : "PostgreSQL and openssl are needed";

describe("TLS to PostgreSQL", { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), "printwright-tls-"));
  const path = (name: string): string => join(folder, name);
  const openssl = (...words: string[]): void => void execFileSync("openssl", words, { cwd: folder, stdio: "pipe" });
  const NEW_KEY = ["-newkey", "rsa:2048", "-nodes", "-days", "2"];
  let server: PostgresServer;

  before(async () => {
    for (const name of ["ca", "other"])
      openssl("req", "-x509", ...NEW_KEY, "-subj", `/CN=${name}`, "-keyout", `${name}.key`, "-out", `${name}.pem`);
    openssl("req", ...NEW_KEY.slice(0, 3), "-subj", "/CN=farm", "-keyout", "server.key", "-out", "server.csr");
    writeFileSync(path("names"), "subjectAltName=DNS:localhost\n");
    const signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names"];
    openssl("x509", "-req", "-in", "server.csr", ...signed, "-out", "server.pem");
    server = await startPostgres({ cert: path("server.pem"), key: path("server.key") });
  });
  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  const open = async (host: string, parameters: string): Promise<void> => {
    const { port } = new URL(server.url);
    const url = `postgres://printwright@${host}:${port}/postgres?${parameters}`;
    const queue = await openPostgresQueue(readPostgresUrl(url, {}));
    await queue.count();
    await queue.close();
  };
  const authority = (name: string): string => `sslrootcert=${encodeURIComponent(path(name))}`;

  test("verify-full takes the authority that was named, and the name of the certificate", async () => {
    await open("localhost", `sslmode=verify-full&${authority("ca.pem")}`);
    await assert.rejects(open("localhost", `sslmode=verify-full&${authority("other.pem")}`), /certificate/i);
    await assert.rejects(open("localhost", "sslmode=verify-full"), /certificate/i);
    await assert.rejects(open("127.0.0.1", `sslmode=verify-full&${authority("ca.pem")}`), /altnames|certificate/i);
  });

  test("verify-ca takes any name, and not another authority", async () => {
    await open("127.0.0.1", `sslmode=verify-ca&${authority("ca.pem")}`);
    await assert.rejects(open("127.0.0.1", `sslmode=verify-ca&${authority("other.pem")}`), /certificate/i);
  });

  test("require encrypts without a check, and disable does not encrypt", async () => {
    await open("127.0.0.1", "sslmode=require");
    await assert.rejects(open("127.0.0.1", "sslmode=disable"), /no encryption/);
    await assert.rejects(open("127.0.0.1", ""), /no encryption/, "the default on this machine");
  });

  test("a service says all that the address does not", async () => {
    const { port } = new URL(server.url);
    const file = path("services");
    const lines = ["[other]", "port=1", "", "[farm]", "host=localhost", `port=${port}`, "user=printwright"];
    lines.push("dbname=postgres", "sslmode=verify-full", `sslrootcert=${path("ca.pem")}`);
    writeFileSync(file, `${lines.join("\n")}\n`);
    chmodSync(file, 0o644);
    const queue = await openPostgresQueue(readPostgresUrl("postgres:///?service=farm", { PGSERVICEFILE: file }));
    assert.deepEqual(await queue.count(), []);
    await queue.close();
  });
});
