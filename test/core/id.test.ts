import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../fixture/property.ts";
import { newId, parseId } from "../../src/core/id.ts";

const V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("new ids are unique UUIDs of version 4 in lower case", () => {
  const ids = Array.from({ length: 1000 }, newId);
  for (const id of ids) assert.match(id, V4);
  assert.equal(new Set(ids).size, ids.length);
});

test("an id is parsed in any case, with or without braces", () => {
  fc.assert(
    fc.property(fc.uuid(), fc.boolean(), fc.infiniteStream(fc.boolean()), (id, braced, upper) => {
      const mixed = Array.from(id, (letter) => (upper.next().value ? letter.toUpperCase() : letter)).join("");
      assert.equal(parseId(braced ? `{${mixed}}` : mixed), id);
    }),
  );
});

test("similar strings are not UUIDs", () => {
  const id = "0b0c2f3e-7a55-4d5c-9d5e-0123456789ab";
  const wrong = [
    "",
    "{}",
    "{",
    "}",
    `{${id}`,
    `${id}}`,
    `{{${id}}}`,
    `(${id})`,
    ` ${id}`,
    `${id} `,
    `${id}\n`,
    `{${id}}\n`,
    id.slice(1),
    `${id}0`,
    id.replaceAll("-", ""),
    id.replace("-", "_"),
    id.replace("0", "g"),
    id.replace("0", "０"),
    `urn:uuid:${id}`,
    "not an id",
  ];
  for (const text of wrong) assert.equal(parseId(text), undefined, JSON.stringify(text));
});

test("random strings are not UUIDs", () => {
  fc.assert(fc.property(fc.string({ maxLength: 60 }), (text) => assert.equal(parseId(`${text}g`), undefined)));
});
