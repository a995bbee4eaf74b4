import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../src/core/api-error.ts";
import { jobsCommand } from "../../src/command/jobs.ts";
import { openSqliteQueue } from "../../src/farm/queue/sqlite-queue.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const write = temporaryFiles();

/** What the command prints, and its exit status. */
async function run(words: readonly string[]): Promise<{ status: number; text: string }> {
  const lines: string[] = [];
  const output = {
    line: (text: string) => void lines.push(text),
    bytes: () => Promise.reject(new Error("jobs writes no bytes")),
    flushed: () => Promise.resolve(),
  };
  const open = (): never => {
    throw new Error("jobs sends no requests");
  };
  const status = await jobsCommand.run(words, open, output);
  return { status, text: lines.join("\n") };
}

test("the jobs of a queue are listed, shown, counted, cancelled and run again", async () => {
  const path = write("jobs.sqlite", "");
  const queue = await openSqliteQueue(path);
  const jobs = async (...words: string[]): Promise<string> => {
    const { status, text } = await run([...words, "--queue", path]);
    assert.equal(status, 0, text);
    return text;
  };
  const records = async (...words: string[]) =>
    (await jobs(...words, "--json")).split("\n").map((line) => JSON.parse(line) as Record<string, unknown>);

  assert.equal(await jobs("list"), "");
  const due = new Date("2031-01-02T03:04:00Z");
  const [bad, late, other] = await queue.submit([
    { key: "bad", lane: "quote", payload: {}, group: "order-1" },
    { key: "late", lane: "plate", payload: { steps: [] }, group: "order-1", due, priority: -3 },
    { key: "other", lane: "plate", payload: {} },
  ]);
  assert.ok(bad && late && other);
  const [claim] = await queue.claim("host-1", { quote: 1 });
  assert.ok(claim);
  const error = { code: "JSON_SCHEMA_MATCH_ERROR", message: "step 1 has no file" };
  await queue.fail(claim, { kind: "dead", error });

  const table = (await jobs("list")).split("\n");
  assert.equal(table.length, 3);
  assert.match(table[0] ?? "", new RegExp(`^${other.id}  plate  ready `));
  assert.match(table[1] ?? "", /order-1 {2}due 2031-01-02 03:04 UTC$/);
  assert.match(
    await jobs("dead"),
    new RegExp(`^${bad.id}  quote  dead .*JSON_SCHEMA_MATCH_ERROR: step 1 has no file$`),
  );
  assert.equal(await jobs("list", "--state", "ready", "--limit", "1"), table[0]);
  assert.deepEqual(
    (await records("list", "--lane", "plate")).map(({ id }) => id),
    [other.id, late.id],
  );
  const [shown] = await records("show", late.id);
  assert.deepEqual(
    [shown?.["due"], shown?.["priority"], shown?.["payload"], shown?.["attempt"], shown?.["max_attempts"]],
    [due.toISOString(), -3, { steps: [] }, 0, 3],
  );
  assert.match(await jobs("count"), /^plate {2}ready {2}2 .*\nquote {2}dead {3}1 /);

  assert.equal(await jobs("retry", "--group", "order-1"), `${bad.id} ready`);
  assert.equal(await jobs("cancel", "--group", "order-1"), `${late.id} cancelled\n${bad.id} cancelled`);
  await queue.claim("host-1", { plate: 1 });
  assert.equal(await jobs("cancel", other.id), `${other.id} is asked to end`);
  assert.match(await jobs("list", "--state", "running"), /is asked to end, on host-1$/);
  await queue.close();

  const wrong = (words: string[], message: RegExp): Promise<void> =>
    assert.rejects(
      run([...words, "--queue", path]),
      (thrown) => thrown instanceof ApiError && message.test(thrown.message),
    );
  await wrong(["list", "--state", "lost"], /--state must be ready, running/);
  await wrong(["list", "--limit", "0"], /--limit must be/);
  await wrong(["list", other.id], /takes no ids/);
  await wrong(["cancel"], /name the jobs by their ids/);
  await wrong(["stop"], /say what to do: list/);

  const refused = await run(["retry", "no-job", other.id, late.id, "--json", "--queue", path]);
  assert.equal(refused.status, 1);
  const answers = refused.text.split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(
    answers.map(({ id, error, state }) => [id, error?.code, state]),
    [
      ["no-job", "NOT_FOUND", undefined],
      [other.id, "OPERATION_FAILED", undefined],
      [late.id, undefined, "ready"],
    ],
  );
  assert.equal((await run(["show", "no-job", "--queue", path])).status, 1);
});
