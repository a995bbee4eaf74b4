import assert from "node:assert/strict";
import { test } from "node:test";
import { toCloudEvent, typeFilter } from "../../src/farm/events/cloud-event.ts";

const stored = {
  sequence: 12,
  at: new Date("2031-02-03T04:05:06.789Z"),
  type: "job.done",
  subject: "job/a",
  data: { lane: "plate" },
};

test("an event is a CloudEvents 1.0 object, with the required attributes and sequence", () => {
  const { id, ...rest } = toCloudEvent(stored);
  assert.deepEqual(rest, {
    specversion: "1.0",
    source: "/printwright",
    type: "printwright.job.done",
    subject: "job/a",
    time: "2031-02-03T04:05:06.789Z",
    datacontenttype: "application/json",
    sequence: "12",
    data: { lane: "plate" },
  });
  assert.match(id, /^evt_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(Number.parseInt(id.slice(4).replaceAll("-", "").slice(0, 12), 16), stored.at.getTime());
});

test("an event has one id, and another event another one", () => {
  const ids = [stored, { ...stored, sequence: 13 }, { ...stored, subject: "job/b" }, { ...stored, data: {} }];
  assert.equal(new Set(ids.map((one) => toCloudEvent(one).id)).size, 4);
  assert.equal(toCloudEvent({ ...stored }).id, toCloudEvent(stored).id);
});

test("types are chosen by their names, or by what they are about", () => {
  const chosen = (words: readonly string[]): string[] =>
    ["job.done", "job.dead", "printer.online"].filter(typeFilter(words, "INPUT_ERROR"));
  assert.deepEqual(chosen([]), ["job.done", "job.dead", "printer.online"]);
  assert.deepEqual(chosen(["job.*"]), ["job.done", "job.dead"]);
  assert.deepEqual(chosen(["printwright.job.dead", "printer.online"]), ["job.dead", "printer.online"]);
  for (const word of ["job", "*", "job.d*", "Job.done", "job.done "])
    assert.throws(() => typeFilter([word], "INPUT_ERROR"), { code: "INPUT_ERROR" }, word);
});
