import assert from "node:assert/strict";
import { after, test } from "node:test";
import { SOON, connectTo, gooFile, gooJob } from "../../fixture/sdcp-bench.ts";
import { startSdcpFakes } from "../../fixture/sdcp-fake.ts";

// A printer's acknowledgements become messages with one cause and one remedy.

const fakes = await startSdcpFakes({});
const [fake] = fakes.printers;
const { printer, protocol } = await connectTo(fake, SOON);
after(async () => {
  await protocol.close();
  await fakes.stop();
});

/** Verbs that begin a way out. */
const WAY_OUT = /\b(?:choose|update|send|delete|restart|look|wait)\b/;

const CASES: readonly (readonly [what: string, config: object])[] = [
  ...[2, 3, 4, 5, 6, 7, 99].map((ack) => [`the start is answered with ${ack}`, { startAcks: [ack] }] as const),
  ...[-1, -2, -3, -4].map((code) => [`a part is refused with ${code}`, { refusesPart: code }] as const),
  ["the check sum is wrong", { corrupts: true }],
  ["the file is dropped", { drops: true }],
];

for (const [what, config] of CASES) {
  test(`if ${what}, the message has one cause and one way out`, async () => {
    await fake.set({ refusesPart: 0, corrupts: false, drops: false, startAcks: [], ...config });
    const message = await printer.submit(gooJob({}, gooFile(200_000))).then(
      () => assert.fail("it was taken"),
      (thrown: Error) => thrown.message,
    );
    const [, cause, left] = /did not take the job: (.*?)\. (".*)$/.exec(message) ?? [];
    assert.ok(cause !== undefined && left !== undefined, message);
    assert.equal(cause.split(": ").length, 2, message);
    const ways = cause.split(": ")[1];
    assert.match(ways, WAY_OUT, message);
    assert.doesNotMatch(ways, / or |;/, message);
    assert.doesNotMatch(left, /: (?:choose|update|send|restart)\b/, message);
  });
}
