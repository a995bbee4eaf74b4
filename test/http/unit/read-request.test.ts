import assert from "node:assert/strict";
import { test } from "node:test";
import * as v from "valibot";
import { ApiError } from "../../../src/core/api-error.ts";
import { matchSchema } from "../../../src/core/match-schema.ts";
import { schemaMismatch } from "../../../src/http/read-request.ts";

const SCHEMA = v.strictObject({
  scale: v.optional(v.pipe(v.number(), v.gtValue(0))),
  file: v.optional(v.string()),
  mode: v.optional(v.picklist(["ABSOLUTE", "RELATIVE"])),
  "a/b~c": v.optional(v.string()),
  nested: v.optional(v.strictObject({ ids: v.array(v.string()) })),
});

/** The pointer and the rest of the message for a value that breaks the schema. */
function explain(value: unknown, schema: v.GenericSchema = SCHEMA): { pointer: string; reason: string } {
  try {
    matchSchema(schema, value, schemaMismatch);
  } catch (error) {
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.code, error.status], ["JSON_SCHEMA_MATCH_ERROR", 400]);
    const [, pointer, reason] = /^"(.*?)": (.+)$/s.exec(error.message) ?? assert.fail(error.message);
    return { pointer, reason };
  }
  return assert.fail("it matches");
}

test("the message begins with the JSON pointer of the value that failed", () => {
  const cases: [value: unknown, pointer: string][] = [
    [{ scale: "1" }, "/scale"],
    [{ scale: 0 }, "/scale"],
    [{ mode: "SIDEWAYS" }, "/mode"],
    [{ nested: {} }, "/nested/ids"],
    [{ nested: { ids: ["a", 2] } }, "/nested/ids/1"],
    [{ nested: { ids: [], others: 1 } }, "/nested/others"],
    [{ unknown: 1 }, "/unknown"],
  ];
  for (const [value, pointer] of cases) assert.equal(explain(value).pointer, pointer, JSON.stringify(value));
});

test("slashes and tildes in keys are escaped by RFC 6901", () => {
  assert.equal(explain({ "a/b~c": 1 }).pointer, "/a~1b~0c");
  assert.equal(explain({ "~1": 1 }).pointer, "/~01");
  assert.equal(explain({ "": 1 }).pointer, "/");
});

test("the pointer of the whole body is empty", () => {
  assert.equal(explain("no object").pointer, "");
});

test("the reasons for an unknown, a missing and a wrong field differ", () => {
  assert.match(explain({ unknown: 1 }).reason, /unknown here/);
  assert.match(explain({ nested: {} }).reason, /is required/);
  assert.match(explain({ scale: "1" }).reason, /number/);
  assert.match(explain({ mode: "SIDEWAYS" }).reason, /"ABSOLUTE".*"RELATIVE"/);
});
