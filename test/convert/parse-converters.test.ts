import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { parseConverters } from "../../src/convert/parse-converters.ts";
import { ApiError } from "../../src/core/api-error.ts";

const commandOf = (text: string): readonly string[] => parseConverters([text])[0].command;

test("a converter is an extension, a command in words, and the extension of its result", () => {
  assert.deepEqual(parseConverters(["sldasm=cadmpeg convert {in} -f step -o {out}.step", ".FOO = x {in} {out}.STL"]), [
    {
      extension: "sldasm",
      command: ["cadmpeg", "convert", "{in}", "-f", "step", "-o", "{out}.step"],
      resultExtension: "step",
    },
    { extension: "foo", command: ["x", "{in}", "{out}.STL"], resultExtension: "stl" },
  ]);
});

test("quotation marks keep words with blanks together; nothing else is special", () => {
  assert.deepEqual(commandOf(`a="x y" 'it"s' --to="a b"{in} "" $HOME;ls|\`x\` *\t{out}.3mf`), [
    "x y",
    'it"s',
    "--to=a b{in}",
    "",
    "$HOME;ls|`x`",
    "*",
    "{out}.3mf",
  ]);
  assert.deepEqual(commandOf(String.raw`a=x "C:\my files\n.js" {in} {out}.obj`).slice(1, 2), [
    String.raw`C:\my files\n.js`,
  ]);
});

test("a path to a program is resolved from the current folder, a bare name is looked up in PATH", () => {
  assert.equal(commandOf("a=./tools/x {in} {out}.stl")[0], resolve("tools/x"));
  assert.equal(commandOf("a=tools/x {in} {out}.stl")[0], resolve("tools/x"));
  assert.equal(commandOf("a=x {in} {out}.stl")[0], "x");
});

for (const [text, why] of [
  ["", /does not begin with an extension/],
  ["sldasm", /does not begin with an extension/],
  ["=x {in} {out}.stl", /does not begin with an extension/],
  ["a b=x {in} {out}.stl", /does not begin with an extension/],
  ["a=", /names no program/],
  ['a="" {in} {out}.stl', /names no program/],
  ["a={in} {out}.stl", /placeholder in place of a program/],
  ["a=x '{in} {out}.stl", /quotation mark has no end/],
  ["a=x {out}.stl", /\{in\}.*is missing/],
  ["a=x {in}", /\{out\}.*must be there once/],
  ["a=x {in} {out}.stl {out}.log", /\{out\}.*must be there once/],
  ["a=x {in} {out}", /end with \{out\} and an extension/],
  ["a=x {in} {out}.stl.gz", /end with \{out\} and an extension/],
  ["a=x {in} {out}.gcode", /\.gcode is not read; .*\.step/],
  ["a=x {in} {out}.sldasm", /\.sldasm is not read/],
] as const) {
  test(`"${text}" is refused`, () => {
    assert.throws(
      () => parseConverters([text]),
      (thrown: unknown) => thrown instanceof ApiError && why.test(thrown.message) && thrown.message.includes("EXT="),
    );
  });
}

test("two converters for an extension are refused", () => {
  assert.throws(
    () => parseConverters(["a=x {in} {out}.stl", "b=x {in} {out}.stl", "A=y {in} {out}.stl"]),
    /twice for \.a/,
  );
});
