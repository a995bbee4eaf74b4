import assert from "node:assert/strict";
import { test } from "node:test";
import { fittedPlate, hiddenPrinter, printedPlate, trueFigures } from "../fixture/print-quality/plate-trial.ts";
import { randomFrom } from "../fixture/random.ts";

test("the figures of a random printer are found within their errors, and those of use are told", async () => {
  const random = randomFrom(11);
  const hidden = hiddenPrinter(random);
  const { figures, doubtful } = fittedPlate(await printedPlate(undefined), hidden, random);
  assert.deepEqual(doubtful, []);
  const truth = trueFigures(hidden);
  for (const { name, value, error } of figures) {
    if (truth[name] !== undefined) assert.ok(Math.abs(value - truth[name]) < 3 * error, `${name}: ${value} ± ${error}`);
  }
  assert.deepEqual(
    figures.filter(({ isDetermined }) => !isDetermined).map(({ name }) => name),
    ["scale_z"],
    "calipers do not tell the height of a plate of half an hour",
  );
});
