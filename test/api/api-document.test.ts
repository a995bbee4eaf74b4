import assert from "node:assert/strict";
import { test } from "node:test";
import * as v from "valibot";
import { apiDocument } from "../../src/api/api-document.ts";
import { openApi } from "../../src/api/openapi.ts";
import { ERROR_STATUS } from "../../src/core/api-error.ts";
import { ENDPOINTS } from "../../src/feature/endpoints.ts";

const text = apiDocument(openApi(ENDPOINTS));

/** The section of an endpoint, without its heading. */
function sectionOf(method: string, path: string): string {
  const sections = text.split(`\n### ${method} ${path}\n`);
  assert.equal(sections.length, 2, `${method} ${path} has one section`);
  return sections[1]!.split(/\n##/)[0]!;
}

test("each endpoint has its purpose, a row for each field of its body, its reply, and an example that it accepts", () => {
  for (const { method, path, summary, body, query } of ENDPOINTS) {
    const section = sectionOf(method, path);
    assert.ok(section.includes(summary), path);
    assert.match(section, /Reply(:| `200`:)/, path);
    const { entries = {} } = (body ?? {}) as { entries?: object };
    for (const field of Object.keys(entries)) assert.ok(section.includes(`\n| \`${field}\` | `), `${path}: ${field}`);
    const [, address, data] = /^curl -s .*http:\/\/localhost:44388(\S+)(?: -d '(.*)')?$/m.exec(section)!;
    const url = new URL(address!, "http://localhost");
    assert.equal(url.pathname, path);
    if (body) assert.equal(v.safeParse(body, JSON.parse(data!)).success, true, `${path}: ${data}`);
    if (query) assert.equal(v.safeParse(query, Object.fromEntries(url.searchParams)).success, true, `${path}: query`);
  }
});

test("a row has the type, the unit, the range, and the default of its field", () => {
  assert.match(
    sectionOf("POST", "/v1/scene/model/auto-support/"),
    /^\| `touchpoint_size_mm` \| number in mm, ≥ 0\.1 and ≤ 5 \| optional \| \S/m,
  );
  const imported = sectionOf("POST", "/v1/scene/model/import/");
  assert.match(imported, /^\| `file` \| string \| required \| \S/m);
  assert.match(imported, /^\| `repair_behavior` \| `"ERROR"`, `"REPAIR"`, `"IGNORE"` \| `"ERROR"` \| \S/m);
  assert.match(imported, /^\| `new_models\[\]\.model_id` \| uuid \| always \| \S/m);
  assert.match(sectionOf("POST", "/v1/scene/model/orient/"), /^\| `orientation\.linear` \| .* \(form 2 of 3\) \|/m);
});

test("the document states which fields depend on each other", () => {
  assert.match(sectionOf("POST", "/v1/scene/model/update/"), /At least one of `name`, `lock`, `visible`, `units`/);
  assert.match(sectionOf("POST", "/v1/scene/model/auto-orient/"), /`tilt` requires `mode`: `"DENTAL"`/);
  assert.match(sectionOf("POST", "/v1/scene/model/dental-hollow/"), /`cutoff_height_mm` and `\w+` exclude each other/);
});

test("every error code has its status and its meaning, and an endpoint lists its own codes", () => {
  for (const [code, status] of Object.entries(ERROR_STATUS)) {
    assert.match(text, new RegExp(`^\\| \`${code}\` \\| ${status} \\| .*\\. \\|$`, "m"));
  }
  assert.match(sectionOf("DELETE", "/v1/operation/delete/"), /^Errors: .*`OPERATION_IN_PROGRESS` \(409\)/m);
});

test("every link leads to a heading", () => {
  const anchorOf = (heading: string): string =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-");
  const anchors = new Set(Array.from(text.matchAll(/^#+ (.*)$/gm), ([, heading]) => anchorOf(heading!)));
  for (const [link, anchor] of text.matchAll(/\[[^\]]*\]\(#([^)]*)\)/g)) assert.ok(anchors.has(anchor!), link);
});
