import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonErrorLine } from "../../src/command/json-error-line.ts";
import { randomFrom } from "../fixture/random.ts";

const LINES = JSON.stringify(
  [
    { name: "a", body: { n: [1, -2.5e3, 0], t: 'x\\"\n', e: {}, l: [] } },
    { request: "é", q: [true, false, null] },
  ],
  null,
  1,
).split("\n");

test("the line of a misplaced character is found at any position", () => {
  const random = randomFrom(1);
  for (const [i, line] of LINES.entries()) {
    for (const wrong of ["}]}]", "// why", "'a'", '"a" "b" "c"', "01", "tru"]) {
      const ahead = Math.floor(random() * 3);
      const text = [...LINES.slice(0, i), ...Array<string>(ahead).fill(" "), wrong, line, ...LINES.slice(i + 1)].join(
        "\n",
      );
      assert.throws(() => JSON.parse(text));
      assert.equal(jsonErrorLine(text), i + ahead + 1, text);
    }
  }
});

test("the error is at the last word if a text ends too early, and after the comma if it has a comma too many", () => {
  for (const count of [1, 5, LINES.length - 1]) assert.equal(jsonErrorLine(LINES.slice(0, count).join("\n")), count);
  assert.equal(jsonErrorLine('[\n {"a": 1,},\n]'), 2);
  assert.equal(jsonErrorLine('[\n {"a": 1},\n]'), 3);
  assert.equal(jsonErrorLine(""), 1);
});
