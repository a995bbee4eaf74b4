import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { ENDPOINTS } from "../../src/feature/endpoints.ts";
import { ROWS } from "../../src/compat/compat.ts";
import { inCompatTerms, withCompatNotices } from "../../src/compat/compat-terms.ts";
import { operationFailed } from "../../src/core/api-error.ts";

const own = (message: string): string => inCompatTerms(operationFailed(message)).message;

const SOURCES = new URL("../../src/", import.meta.url);
/** Modules whose texts clients of 0.9 do not receive. */
const OTHERS = /^(page|command|compat|ui|http\/app)\b/;

/** The endpoints that sentences in the sources name. */
function named(): string[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
  const code = files.filter((name) => name.endsWith(".ts") && !OTHERS.test(name) && !name.endsWith("-descriptions.ts"));
  const lines = code.flatMap((name) => readFileSync(new URL(name, SOURCES), "utf8").split("\n"));
  const texts = lines.filter((line) => !/^\s*(\/?\*|\/\/|path:)/.test(line));
  return [...new Set(texts.flatMap((line) => line.match(/(?<=[a-z,:(] )\/v1\/[a-z/-]+\//g) ?? []))];
}

test("every endpoint that a message names is replaced by its path of 0.9, which is in the table", () => {
  const paths = new Set([...ENDPOINTS, ...ROWS].map(({ path }) => path.replaceAll("/:scene/", "/{scene_id}/")));
  const found = named();
  assert.ok(found.length > 8, found.join());
  for (const endpoint of found) {
    const text = own(`do it with ${endpoint} first`);
    if (!/ of the newer interface, which this server has too,/.test(text)) assert.doesNotMatch(text, /\/v1\//);
    const [path] = /\/[\w/{}-]+\//.exec(text)!;
    assert.ok(paths.has(path.replace("/{id}/", "/:id/")), `${endpoint}: ${text}`);
  }
});

test("endpoints are replaced with and without the version; files with similar names stay", () => {
  assert.equal(own("list all with device/list without names"), "list all with /devices/ without names");
  assert.equal(own("(print-setting/list has all)"), "(/list-materials/ has all)");
  const file = 'cannot read "/data/v1/scene/list/a.stl" or C:/scene/save/b.stl';
  assert.equal(own(file), file);
});

test("in an answer only the notices are replaced", () => {
  const name = "/v1/scene/list/";
  const answer = { name, warnings: [`see ${name}`], infos: [] };
  assert.deepEqual(withCompatNotices(answer), { name, warnings: ["see /scenes/"], infos: [] });
  assert.deepEqual(withCompatNotices([name]), [name]);
  assert.equal(withCompatNotices(undefined), undefined);
});
