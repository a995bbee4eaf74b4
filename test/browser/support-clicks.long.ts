import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Reply } from "../fixture/client.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { lowContrasts } from "./low-contrasts.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";
import { smallTargets } from "./small-targets.ts";

// Where clicks put support points, on a part without supports and on the copies of a fold.

const suite = pageSuite();
const { options } = suite;
const file = temporaryFiles();
const SLAB = file("slab.stl", binaryStl(box([40, 30, 8])));
const AXLE = fileURLToPath(new URL("../../assets/demo/axle.stl", import.meta.url));

type Body = Reply["body"];

let day: PageDriver;
before(async () => {
  if (options.skip !== false) return;
  const { id } = await suite.scene();
  bodyOf(await suite.server().post("/v1/scene/model/import/", { scene_id: id, file: SLAB }));
  day = await suite.open({ width: 1440, height: 900 });
});

async function supports(name: string): Promise<Body> {
  const [{ id }, model] = [await suite.scene(), await suite.model(name)];
  return bodyOf(await suite.server().post("/v1/scene/model/supports/get/", { scene_id: id, model_id: model.id }));
}

const data = (name: string): Promise<string | undefined> =>
  day.page.$eval("canvas", (canvas, one) => canvas.dataset[one], name);
const waitForPoints = (count: number | undefined): Promise<void> =>
  eventually(`${count} points are shown`, async () => (await data("points")) === (count && String(count)));

test("a point is where the pointer was, within a twentieth of a millimetre, and raises the part", options, async () => {
  const z = (await suite.model("slab")).position.z;
  await day.select("slab");
  await day.keys("t");
  await day.press("From below");
  await day.keys("f");
  await day.idle();
  const clicks = [
    [0.4, 0.45],
    [0.6, 0.55],
    [0.52, 0.4],
  ] as const;
  for (const [i, [right, down]] of clicks.entries()) {
    await day.clickView(right, down);
    await eventually("a point is added", async () => (await data("points")) === String(i + 1));
    // The first draft raises the part, which then is where it would be.
    if (i === 0) await eventually("its struts are drawn", async () => Number(await data("draftMs")) > 0);
    await day.idle();
  }
  await day.press("Apply 3");
  await waitForPoints(undefined);
  const { points } = await supports("slab");
  assert.equal(points.length, 3);
  // Two of the points say how pixels become millimetres; seen from below, the picture is parallel to the plate.
  const { width, height } = (await (await day.page.$("canvas"))!.boundingBox())!;
  const pixels = clicks.map(([right, down]) => [right * width, down * height] as const);
  const placeOf = ({ position: { x, y } }: Body): readonly [number, number] => [x, y];
  const [a, b, c] = [0, 1, 2].map((i) =>
    placeOf(points.toSorted((one: Body, other: Body) => one.position.x - other.position.x)[[0, 2, 1][i]]),
  );
  const mmPerPx = (b[0] - a[0]) / (pixels[1][0] - pixels[0][0]);
  const across = a[0] + mmPerPx * (pixels[2][0] - pixels[0][0]);
  const along = a[1] + mmPerPx * (pixels[2][1] - pixels[0][1]);
  assert.ok(Math.abs(b[1] - (a[1] + mmPerPx * (pixels[1][1] - pixels[0][1]))) < 0.05);
  assert.ok(Math.hypot(c[0] - across, c[1] - along) < 0.05, `${c.join()} instead of ${across}, ${along}`);
  assert.ok(points.every(({ origin, reached }: Body) => origin === "MANUAL" && reached));
  assert.ok((await suite.model("slab")).position.z > z + 1);
  await day.idle();
});

test("a face that looks up is refused at the pointer", options, async () => {
  await day.press("Edit points");
  await waitForPoints(3);
  await day.press("Look from");
  await day.press("Top");
  await day.keys("f");
  await day.idle();
  await day.clickView(0.5, 0.5);
  assert.equal(await day.text(".view-amount"), "Faces up: no support can hold this");
  assert.equal(await data("points"), "3");
});

test("a drag slides a point on the part, and elsewhere turns the view", options, async () => {
  await day.press("From below");
  await day.keys("f");
  await day.idle();
  const { x, y, width, height } = (await (await day.page.$("canvas"))!.boundingBox())!;
  const drag = async (from: readonly [number, number], to: readonly [number, number]): Promise<void> => {
    await day.page.mouse.move(x + from[0] * width, y + from[1] * height);
    await day.page.mouse.down();
    await day.page.mouse.move(x + to[0] * width, y + to[1] * height, { steps: 8 });
    await day.page.mouse.up();
  };
  const before = (await supports("slab")).points;
  await drag([0.4, 0.45], [0.45, 0.5]);
  await eventually("it has moved", async () => (await day.text(".work-foot")).includes("Apply 1"));
  await day.press("Apply 1");
  await waitForPoints(undefined);
  const after = (await supports("slab")).points;
  const places = (list: Body[]): string[] => list.map(({ position }) => JSON.stringify(position));
  assert.equal(after.length, 3);
  assert.equal(places(after).filter((place) => places(before).includes(place)).length, 2);
});

test("a double click on a support edits its part", options, async () => {
  await day.press("Look from");
  await day.press("Front");
  await day.keys("f");
  await day.idle();
  const { x, y, width, height } = (await (await day.page.$("canvas"))!.boundingBox())!;
  // Between the part and its raft, somewhere there is a pillar.
  for (let right = 0.3; right < 0.7 && (await data("points")) === undefined; right += 0.004) {
    await day.page.mouse.click(x + right * width, y + 0.6 * height, { count: 2 });
  }
  await waitForPoints(3);
  await day.keys("Escape");
  await waitForPoints(undefined);
});

test("Enter adds a point in the middle of the view that was reached by keys, and else applies", options, async () => {
  await day.press("Edit points");
  await day.press("From below");
  await day.keys("f");
  await day.idle();
  await day.page.focus("canvas");
  await day.keys("Enter");
  await waitForPoints(4);
  await day.clickView(0.45, 0.6);
  await waitForPoints(5);
  await day.keys("Enter");
  await waitForPoints(undefined);
  assert.equal((await supports("slab")).points.length, 5);
  await day.idle();
});

test("the edit of points is legible in both themes, and a finger adds, selects and drags points", options, async () => {
  await day.press("Edit points");
  await day.press("From below");
  await day.keys("f");
  await day.idle();
  await day.press("List of points");
  await day.page.click("#point-0");
  for (const theme of ["dark", "light"]) {
    await day.page.evaluate((one) => (document.documentElement.dataset.theme = one), theme);
    assert.deepEqual(await day.page.evaluate(lowContrasts), [], theme);
  }
  await day.keys("Escape");
  await waitForPoints(undefined);

  const hand = await suite.open();
  const { page } = hand;
  await page.setViewport({ width: 820, height: 1180, hasTouch: true, isMobile: true });
  await page.reload();
  await hand.idle();
  await hand.openStep("Support");
  await hand.press("Edit points");
  const shown = (): Promise<string | undefined> => page.$eval("canvas", (canvas) => canvas.dataset.points);
  await eventually("five points are shown", async () => (await shown()) === "5");
  await hand.press("From below");
  await hand.press("Fill view");
  await hand.idle();
  await hand.press("List of points");
  assert.deepEqual(await page.evaluate(smallTargets), []);
  const { x, y, width, height } = (await (await page.$("canvas"))!.boundingBox())!;
  const [right, down] = [x + 0.5 * width, y + 0.62 * height];
  await page.touchscreen.tap(right, down);
  await eventually("the tap adds a point", async () => (await shown()) === "6");
  const touch = await page.touchscreen.touchStart(right + 8, down);
  await touch.move(right + 30, down + 5);
  await touch.move(right + 45, down + 8);
  await eventually("a loupe shows the dragged point", () => page.evaluate(loupeShowsPoint));
  // The browser may deliver the second move in a later frame.
  await eventually("the loupe is above the finger", async () => {
    const loupe = (await (await page.$(".view-loupe"))!.boundingBox())!;
    const [middle, height] = [loupe.x + loupe.width / 2, loupe.y + loupe.height / 2];
    return Math.abs(middle - (right + 45)) < 1 && Math.abs(height - (down + 8 - 72)) < 1;
  });
  await touch.end();
  assert.equal(await page.$eval(".view-loupe", (element) => element.checkVisibility()), false);
  await eventually("the finger has moved it", async () => (await hand.text(".work-foot")).includes("Apply 2"));
  assert.equal(await shown(), "6");
  await page.touchscreen.tap(right + 45 - 8, down + 8);
  await eventually("a tap selects it", async () => (await hand.text(".point-selection")).startsWith("1 point"));
  await page.close();
});

/** Runs in the page: whether a ball is in the middle of the loupe, of another colour than the part around it. */
function loupeShowsPoint(): boolean {
  const canvas = document.querySelector<HTMLCanvasElement>(".view-loupe:not([hidden]) > canvas");
  const context = canvas?.getContext("2d");
  if (!canvas || !context) return false;
  const colourAt = (share: number): number[] => [
    ...context.getImageData(share * canvas.width, canvas.height / 2, 1, 1).data,
  ];
  const [ball, left, right] = [colourAt(0.5), colourAt(0.25), colourAt(0.75)];
  const differs = (a: number[], b: number[]): boolean => a.some((value, i) => Math.abs(value - b[i]) > 20);
  return ball[3] === 255 && differs(ball, left) && differs(ball, right) && !differs(left, right);
}

test("the copies of a fold get the same edits, as one undo step", options, async () => {
  const { id } = await suite.scene();
  const post = async (name: string, body: object): Promise<Body> =>
    bodyOf(await suite.server().post(`/v1/scene/model/${name}/`, { scene_id: id, ...body }));
  await post("import", { file: AXLE });
  const { id: axle } = await suite.model("axle");
  await post("auto-support", { model_ids: [axle] });
  await post("duplicate", { model_ids: [axle], count: 3 });
  await post("auto-layout", { lock_rotation: true });
  const names = ["axle", "axle (2)", "axle (3)", "axle (4)"];
  const counts = async (): Promise<number[]> =>
    Promise.all(
      [...(await suite.models()).keys()]
        .filter((name) => name.startsWith("axle"))
        .map(async (name) => (await supports(name)).points.length),
    );
  await eventually("the copies are listed", async () => (await day.models()).length === names.length + 1);
  const before = await counts();
  await day.select("axle");
  await day.openStep("Support");
  assert.match(await day.text(".edit-points"), /all 4 copies/);
  await day.press("Edit points");
  await waitForPoints(before[0]);
  await day.press("List of points");
  await day.page.click("#point-0");
  await day.page.focus("[role=listbox][aria-label='Support points']");
  await day.keys("e");
  await day.page.click("#point-1");
  await day.page.focus("[role=listbox][aria-label='Support points']");
  await day.keys("Delete");
  await waitForPoints(before[0] - 1);
  await day.press("Apply 2");
  await waitForPoints(undefined);
  assert.deepEqual(
    await counts(),
    before.map((count) => count - 1),
  );
  await day.idle();
  await day.press("Undo");
  await eventually("all copies are as before", async () => (await counts()).join() === before.join());
});
