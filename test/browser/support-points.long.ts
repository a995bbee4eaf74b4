import assert from "node:assert/strict";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Reply } from "../fixture/client.ts";
import { bodyOf } from "../fixture/test-server.ts";
import { type PageDriver, eventually } from "./page-driver.ts";
import { pageSuite } from "./page-suite.ts";

// Support points are added, moved, sized and deleted by hand (design, acceptance 9, 10 and 12).

const suite = pageSuite();
const { options } = suite;
const PART = fileURLToPath(new URL("../../assets/demo/gear-large.stl", import.meta.url));
const NAME = "gear-large";
/** A part with several low places. */
const OTHER_PART = fileURLToPath(new URL("../../assets/demo/functional-part.stl", import.meta.url));
const OTHER = "functional-part";

let day: PageDriver;
before(async () => {
  if (options.skip !== false) return;
  const { id } = await suite.scene();
  bodyOf(await suite.server().post("/v1/scene/model/import/", { scene_id: id, file: PART }));
  bodyOf(await suite.server().post("/v1/scene/model/auto-support/", { scene_id: id }));
  day = await suite.open({ width: 1440, height: 900 });
  await day.select(NAME);
  await day.openStep("Support");
});

type Body = Reply["body"];

/** The supports of a part as the server has them. */
async function supports(name = NAME): Promise<Body> {
  const [{ id }, model] = [await suite.scene(), await suite.model(name)];
  return bodyOf(await suite.server().post("/v1/scene/model/supports/get/", { scene_id: id, model_id: model.id }));
}

/** Hash of the solid of the supports. */
async function solid(): Promise<string | undefined> {
  const { id } = await suite.scene();
  const { models } = bodyOf(await suite.server().call("GET", `/ui/scene/${id}/`, {}));
  return models[0].supports?.mesh;
}

const data = (name: string): Promise<string | undefined> =>
  day.page.$eval("canvas", (canvas, one) => canvas.dataset[one], name);

const pointCount = async (): Promise<number> => Number(await data("points"));
const waitForPoints = (count: number): Promise<void> =>
  eventually(`${count} points are shown`, async () => (await pointCount()) === count);

/** Opens the mode, and looks at the part from below. */
async function editPoints(): Promise<number> {
  await day.press("Edit points");
  await eventually("the points are shown", async () => (await pointCount()) > 0);
  await day.press("From below");
  await day.keys("f");
  await day.idle();
  return pointCount();
}

/** Clicks at places of the picture until one of them adds a point; elsewhere there is a point already, a face that looks up, or nothing. */
async function addAt(places: readonly (readonly [right: number, down: number])[]): Promise<readonly [number, number]> {
  const count = await pointCount();
  for (const place of places) {
    await day.clickView(...place);
    if ((await pointCount()) > count) return place;
    // A point was selected: the next click only takes that back.
    if ((await day.text(".point-selection")) !== "") await day.press("Select");
    await day.keys("Escape");
    await eventually("the mode is left", async () => (await data("points")) === undefined);
    await editPoints();
  }
  return assert.fail("no place for a point");
}

const PLACES = [0.5, 0.52, 0.47, 0.55, 0.44].flatMap((right) =>
  [0.42, 0.45, 0.5, 0.38].map((down) => [right, down] as const),
);

async function apply(): Promise<void> {
  await day.press("Apply");
  await eventually("the mode has ended", async () => (await data("points")) === undefined);
  await day.idle();
}

const keyOf = ({ position, size_mm, origin }: Body): string => JSON.stringify([position, size_mm, origin]);

test("a click adds a point at once, Apply builds its support, and all other points stay", options, async () => {
  const before = await supports();
  const count = await editPoints();
  assert.equal(count, before.points.length);
  await addAt(PLACES);
  await waitForPoints(count + 1);
  assert.match(await day.text(".support-mode"), new RegExp(`${count + 1} · ${count} automatic · 1 by hand`));
  await eventually("its struts are drawn", async () => Number(await data("draftMs")) > 0);
  await day.press("Apply 1");
  await eventually("the mode has ended", async () => (await data("points")) === undefined);
  const after = await supports();
  const manual = after.points.filter(({ origin }: Body) => origin === "MANUAL");
  assert.equal(manual.length, 1);
  assert.ok(manual[0].reached);
  assert.deepEqual(
    after.points.filter(({ origin }: Body) => origin === "AUTOMATIC").map(keyOf),
    before.points.map(keyOf),
  );
  assert.deepEqual(await openEdges((await solid())!), [], "the solid is closed");
  await day.idle();
});

/** Edges of a mesh that do not have exactly one facet on each side. */
async function openEdges(hash: string): Promise<string[]> {
  const response = await fetch(`http://localhost:${suite.server().port}/ui/mesh/${hash}/`);
  const bytes = new DataView(await response.arrayBuffer());
  const [vertices, facets] = [bytes.getUint32(4, true), bytes.getUint32(8, true)];
  const sides = new Map<string, number>();
  for (let facet = 0; facet < facets; facet++) {
    const corners = [0, 1, 2].map((k) => bytes.getUint32(12 + 12 * vertices + 4 * (3 * facet + k), true));
    for (const k of [0, 1, 2]) {
      const [a, b] = [corners[k], corners[(k + 1) % 3]];
      sides.set(`${a} ${b}`, (sides.get(`${a} ${b}`) ?? 0) + 1);
    }
  }
  return [...sides]
    .filter(([side, times]) => times !== 1 || !sides.has(side.split(" ").toReversed().join(" ")))
    .map(String);
}

const undo = async (): Promise<void> => {
  await day.page.keyboard.down("Control");
  await day.keys("z");
  await day.page.keyboard.up("Control");
};

/** Opens the list of points, and gives it the focus. */
async function openList(): Promise<void> {
  if ((await day.page.$(".point-list[open]")) === null) await day.press("List of points");
  await day.page.focus("[aria-label='Support points'][role=listbox]");
}

const optionTexts = (): Promise<string[]> =>
  day.page.$$eval("[role=option][id^=point-]", (all) => all.map(({ textContent }) => textContent));

test(
  "selected points get a size and are deleted by keys, and one undo brings the same solid back",
  options,
  async () => {
    const [before, mesh] = [await supports(), await solid()];
    const count = await editPoints();
    await openList();
    await day.keys("Home");
    await day.page.keyboard.down("Shift");
    await day.keys("ArrowDown", "ArrowDown", "ArrowDown");
    await day.page.keyboard.up("Shift");
    await eventually("four are selected", async () => (await day.text(".point-selection")).startsWith("4 points"));
    assert.match((await optionTexts())[0], /^Point 1, [a-z ]+, medium, reached$/);
    await day.keys("q");
    await eventually("they are light", async () =>
      (await optionTexts()).slice(0, 4).every((text) => text.includes(", light, ")),
    );
    assert.ok((await optionTexts())[4].includes(", medium, "));
    await day.keys("Delete");
    await waitForPoints(count - 4);
    await undo();
    await waitForPoints(count);
    assert.match((await optionTexts())[0], /light/);
    await day.page.keyboard.down("Control");
    await day.keys("y");
    await day.page.keyboard.up("Control");
    await waitForPoints(count - 4);
    await undo();
    await undo();
    await eventually("they are medium again", async () => (await optionTexts())[0].includes("medium"));
    assert.equal(await solid(), mesh, "nothing is changed before Apply");
    await day.keys("Home", "q");
    await day.page.keyboard.down("Shift");
    await day.keys("ArrowDown");
    await day.page.keyboard.up("Shift");
    await openList();
    await day.keys("ArrowDown", "Delete");
    await waitForPoints(count - 1);
    await apply();
    const after = await supports();
    assert.equal(after.points.length, count - 1);
    const usual = before.settings.touchpoint_size_mm;
    assert.deepEqual(
      after.points.filter(({ size_mm }: Body) => size_mm !== usual).map(({ size_mm }: Body) => size_mm),
      [Math.round(60 * usual) / 100],
    );
    await undo();
    await eventually("the undo is done", async () => (await solid()) !== undefined && (await solid()) === mesh);
    await day.idle();
  },
);

test("edits in another order give the same solid, and a reload keeps them", options, async () => {
  const first = await supports();
  const count = await editPoints();
  const place = await addAt(PLACES);
  await waitForPoints(count + 1);
  await openList();
  await chooseOption("point-5");
  await day.keys("e");
  await chooseOption("point-9");
  await day.keys("Delete");
  await waitForPoints(count);
  await day.page.reload();
  await waitForPoints(count);
  assert.match(await day.text(".work-foot"), /Apply 3/);
  await apply();
  const [points, mesh] = [(await supports()).points, await solid()];
  assert.equal(points.length, count);
  await undo();
  await eventually("as before", async () => (await supports()).hash === first.hash);
  await day.idle();

  await editPoints();
  await openList();
  await chooseOption("point-9");
  await day.keys("Delete");
  await chooseOption("point-5");
  await day.keys("e");
  await day.press("From below");
  await day.keys("f");
  await day.idle();
  // The first click only takes the selection back.
  await day.clickView(...place);
  await waitForPoints(count - 1);
  await day.clickView(...place);
  await waitForPoints(count);
  await apply();
  assert.deepEqual((await supports()).points.map(keyOf), points.map(keyOf));
  assert.equal(await solid(), mesh);
});

async function chooseOption(id: string): Promise<void> {
  await openList();
  await day.page.click(`#${id}`);
  await eventually("it is selected", async () => (await day.page.$(`#${id}[aria-selected=true]`)) !== null);
}

test("an edit goes on when another client has changed the supports", options, async () => {
  const count = await editPoints();
  await openList();
  await chooseOption("point-7");
  await day.keys("e");
  const { hash } = await supports();
  const [{ id }, model] = [await suite.scene(), await suite.model(NAME)];
  bodyOf(
    await suite.server().post("/v1/scene/model/supports/set/", {
      scene_id: id,
      model_id: model.id,
      based_on: hash,
      edit: { delete: [2] },
    }),
  );
  await waitForPoints(count - 1);
  await eventually("the edit is kept", async () => (await day.text(".work-foot")).includes("Apply 1"));
  const usual = (await supports()).settings.touchpoint_size_mm;
  await apply();
  const { points } = await supports();
  assert.equal(points.length, count - 1);
  assert.ok(Math.abs(points[6].size_mm - 1.6 * usual) < 0.01, "the seventh is the one that was the eighth");
});

test("the keyboard slides a point on the surface", options, async () => {
  const before = (await supports()).points;
  const count = await editPoints();
  await day.page.focus("canvas");
  await day.keys("n");
  await eventually("a point is selected", async () => (await day.text(".point-selection")).startsWith("1 point"));
  await day.page.keyboard.down("Control");
  await day.keys("ArrowRight");
  await day.page.keyboard.up("Control");
  await eventually("it has slid", async () => (await day.text(".work-foot")).includes("Apply 1"));
  await apply();
  const after = (await supports()).points;
  assert.equal(after.length, count);
  const far = (a: Body, b: Body): number =>
    Math.hypot(a.position.x - b.position.x, a.position.y - b.position.y, a.position.z - b.position.z);
  const moved = after.filter((one: Body) => before.every((other: Body) => far(one, other) > 0.01));
  assert.equal(moved.length, 1);
  const nearest = Math.min(...before.map((one: Body) => far(one, moved[0])));
  assert.ok(nearest > 0.15 && nearest < 0.25, `by ${nearest} mm`);
});

test("automatic points are chosen anew, and those by hand stay", options, async () => {
  const byHand = async (): Promise<string[]> =>
    (await supports()).points.filter(({ origin }: Body) => origin === "MANUAL").map(keyOf);
  const [before, hand] = [await supports(), await byHand()];
  assert.ok(hand.length > 0);
  await editPoints();
  await day.press("Automatic");
  await day.press("Choose automatic points");
  await eventually("they are other ones", async () => (await supports()).hash !== before.hash);
  await day.idle();
  assert.deepEqual(await byHand(), hand);
  await eventually("the mode shows them", async () => (await pointCount()) === (await supports()).points.length);
  await undo();
  await eventually("one undo brings the others back", async () => (await supports()).hash === before.hash);
  await waitForPoints(before.points.length);
  await day.keys("Escape");
  await eventually("the mode has ended", async () => (await data("points")) === undefined);
  await day.idle();
});

test("all supports are removed at once, and the part comes down to the plate", options, async () => {
  const mesh = await solid();
  await editPoints();
  await day.press("Remove all supports");
  await waitForPoints(0);
  const model = await suite.model(NAME);
  assert.equal(model.has_supports, false);
  assert.ok(Math.abs(model.bounding_box.min_corner.z) < 1e-3);
  await day.idle();
  await day.press("Undo");
  await eventually("they are back", async () => (await solid()) === mesh);
  await eventually("their points as well", async () => (await pointCount()) > 0);
  await day.keys("Escape");
  await eventually("the mode has ended", async () => (await data("points")) === undefined);
});

test("low places that nothing holds get points, and the others stay", options, async () => {
  const { id } = await suite.scene();
  // Alone: another part in the same place would hold it.
  const { id: gear } = await suite.model(NAME);
  bodyOf(await suite.server().call("DELETE", "/v1/scene/model/delete/", { scene_id: id, model_ids: [gear] }));
  bodyOf(await suite.server().post("/v1/scene/model/import/", { scene_id: id, file: OTHER_PART }));
  const model = await suite.model(OTHER);
  bodyOf(await suite.server().post("/v1/scene/model/auto-support/", { scene_id: id, model_ids: [model.id] }));
  const { hash, points } = await supports(OTHER);
  // Twenty points on overhangs are left.
  const kept = new Set(points.filter(({ cause }: Body) => cause === "OVERHANG").slice(-20));
  const edit = { delete: points.filter((point: Body) => !kept.has(point)).map(({ index }: Body) => index) };
  const body = { scene_id: id, model_id: model.id, based_on: hash, edit };
  bodyOf(await suite.server().post("/v1/scene/model/supports/set/", body));
  const minima = async (): Promise<number> => {
    const reply = bodyOf(await suite.server().post("/v1/scene/model/validate/minima/", { scene_id: id }));
    return reply.per_model_results[model.id].minima_count;
  };
  const loose = await minima();
  assert.ok(loose > 0);
  const others = (await supports(OTHER)).points.map(keyOf);
  await day.select(OTHER);
  await day.idle();
  const count = await editPoints();
  await day.press("Hold islands");
  await waitForPoints(count + loose);
  await day.idle();
  await apply();
  const after = (await supports(OTHER)).points;
  assert.equal(after.length, count + loose);
  assert.deepEqual(
    after.map(keyOf).filter((one: string) => others.includes(one)),
    others,
  );
  assert.equal(await minima(), 0);
});
