import assert from "node:assert/strict";
import { test } from "node:test";
import { samplePart } from "../../src/ui/sample-part.ts";

/** Upper limit of the size of the file. */
const MAX_BYTES = 300_000;

test("the sample part is a small, closed solid that stands on the platform", () => {
  const text = samplePart();
  assert.ok(text.length <= MAX_BYTES, `${text.length} bytes`);
  const lines = text.trim().split("\n");
  const numbersOf = (kind: string): number[][] =>
    lines.filter((line) => line.startsWith(`${kind} `)).map((line) => line.split(" ").slice(1).map(Number));
  const [vertices, facets] = [numbersOf("v"), numbersOf("f")];
  const halfedges = new Set<string>();
  let sixfoldVolume = 0;
  for (const facet of facets) {
    const [a, b, c] = facet.map((index) => vertices[index - 1]!);
    sixfoldVolume +=
      a![0]! * (b![1]! * c![2]! - b![2]! * c![1]!) -
      a![1]! * (b![0]! * c![2]! - b![2]! * c![0]!) +
      a![2]! * (b![0]! * c![1]! - b![1]! * c![0]!);
    for (let i = 0; i < 3; i++) {
      const edge = `${facet[i]} ${facet[(i + 1) % 3]}`;
      assert.ok(!halfedges.has(edge), `edge ${edge} belongs to two facets`);
      halfedges.add(edge);
    }
  }
  for (const edge of halfedges)
    assert.ok(halfedges.has(edge.split(" ").toReversed().join(" ")), `edge ${edge} is open`);
  assert.ok(sixfoldVolume > 6 * 5000, `${sixfoldVolume / 6} mm³, with the facets facing out`);
  assert.equal(Math.min(...vertices.map(([, , z]) => z!)), 0);
});
