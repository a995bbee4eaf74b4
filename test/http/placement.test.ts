import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Vec3 } from "../../src/geometry/vector.ts";
import type { Surface } from "../../src/mesh/mesh.ts";
import type { Reply } from "../fixture/client.ts";
import { fc } from "../fixture/property.ts";
import { type Angles, type Point, rotated, rowsOf } from "../fixture/rotated.ts";
import { box, cylinder } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { moved } from "../fixture/surface-edits.ts";
import { POWDER, RESIN, type TestServer, assertNear, bodyOf, codeOf, openTestServer } from "../fixture/test-server.ts";
import { slowRuns } from "../fixture/long.ts";

// Interface supplement, section 4, "Placement", and section 1, "Numbers"; interface: scale, orient, translate, import.

/** Without any symmetry; the origin is [15, 10, 5]. */
const WEDGE_POINTS: readonly Point[] = [
  [0, 0, 0],
  [30, 0, 0],
  [0, 20, 0],
  [0, 0, 10],
];
const WEDGE: Surface = {
  vertices: Float64Array.from(WEDGE_POINTS.flat()),
  triangles: Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3),
};
const WEDGE_ORIGIN: Point = [15, 10, 5];

let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());

let files = 0;
const stl = (surface: Surface): string => server.file(`body-${files++}.stl`, binaryStl(surface));
const point = ([x, y, z]: Point) => ({ x, y, z });

interface Standing {
  readonly scene_id: string;
  readonly id: string;
  model(): Promise<Reply["body"]>;
  ask(action: string, body: object): Promise<Reply>;
}

/** Imports a surface into a new scene. */
async function standing(surface: Surface, combination: object, options?: object): Promise<Standing> {
  const scene_id = await server.newScene(combination);
  const id = await server.importOne(scene_id, stl(surface), options);
  return {
    scene_id,
    id,
    model: async () => (await server.models(scene_id, [id]))[0],
    ask: (action, body) => server.ask(action, { scene_id, model_ids: [id], ...body }),
  };
}

/** The wedge's box by the formula for world points. */
function wedgeBox(position: Point, angles: Angles, scale = 1, origin = WEDGE_ORIGIN) {
  const places = WEDGE_POINTS.map((corner) => {
    const from: Point = [corner[0] - origin[0], corner[1] - origin[1], corner[2] - origin[2]];
    return rotated(from, angles).map((value, axis) => position[axis] + scale * value);
  });
  const corner = (pick: (...values: number[]) => number) => {
    const along = (axis: number): number => pick(...places.map((place) => place[axis]));
    return { x: along(0), y: along(1), z: along(2) };
  };
  return { min_corner: corner(Math.min), max_corner: corner(Math.max) };
}

const assertOnPlatform = ({ bounding_box }: Reply["body"]): void => assertNear(bounding_box.min_corner.z, 0, 1e-9);

/** The build volume of a scene's printer, mm. */
async function volumeOf(combination: object) {
  const { dimensions_mm, fillet_radius_mm } = (await server.scene(await server.newScene(combination))).build_volume;
  return {
    dimensions: [dimensions_mm.x, dimensions_mm.y, dimensions_mm.z] as const,
    fillet: fillet_radius_mm as number,
  };
}

test("import keeps the file's coordinates: the position is the centre of the raw bounding box", async () => {
  const at: Point = [-20, 5, 40];
  const model = await (await standing(moved(WEDGE, at), POWDER)).model();
  assert.deepEqual(model.position, { x: -5, y: 15, z: 45 });
  assert.deepEqual(model.orientation, { x: 0, y: 0, z: 0 });
  assert.equal(model.scale, 1);
  assert.deepEqual(model.bounding_box, { min_corner: point(at), max_corner: { x: 10, y: 25, z: 50 } });
  assert.equal(model.in_bounds, true);
});

for (const z of [-50, -0.25, 0, 3, 500]) {
  test(`a resin import from z = ${z} keeps x and y and is placed on the platform`, async () => {
    const model = await (await standing(moved(WEDGE, [-20, 5, z]), RESIN)).model();
    assert.deepEqual(model.position, { x: -5, y: 15, z: 5 });
    assertOnPlatform(model);
    assertNear(model.bounding_box.max_corner.z, 10, 1e-9);
  });
}

test("import never moves a model away from another", async () => {
  const { scene_id, model } = await standing(WEDGE, RESIN);
  const second = await server.importOne(scene_id, stl(WEDGE));
  assert.deepEqual((await server.models(scene_id, [second]))[0].position, (await model()).position);
});

const RESIN_EDITS: readonly [action: string, body: object][] = [
  ["scale", { scale: 2.5 }],
  ["orient", { orientation: { x: 31, y: -57, z: 12 } }],
  ["translate", { position: { x: 3, y: -4, z: 50 } }],
  ["translate", { position: { x: 3, y: -4, z: -50 }, mode: "RELATIVE" }],
  ["update", { units: "INCHES" }],
];
for (const [action, body] of RESIN_EDITS) {
  test(`resin models are on the platform after ${action} ${JSON.stringify(body)}`, async () => {
    const { ask, model } = await standing(WEDGE, RESIN);
    await ask("orient", { orientation: { x: -40, y: 10, z: 200 } });
    const before = (await model()).bounding_box;
    bodyOf(await ask(action, body));
    const changed = await model();
    assert.notDeepEqual(changed.bounding_box, before);
    assertOnPlatform(changed);
  });
}

test("translate ignores z in resin scenes", async () => {
  const { ask, model } = await standing(WEDGE, RESIN);
  for (const mode of ["ABSOLUTE", "RELATIVE"]) {
    bodyOf(await ask("translate", { position: { x: 0, y: 0, z: 0 } }));
    const { z } = (await model()).position;
    bodyOf(await ask("translate", { position: { x: 7, y: -8, z: 77 }, mode }));
    assert.deepEqual((await model()).position, { x: 7, y: -8, z });
  }
});

test("translate sets the position or adds to it, in powder scenes also z", async () => {
  const { ask, model } = await standing(WEDGE, POWDER);
  bodyOf(await ask("translate", { position: { x: 7, y: -8, z: 77 } }));
  assert.deepEqual((await model()).position, { x: 7, y: -8, z: 77 });
  bodyOf(await ask("translate", { position: { x: 0.5, y: 1, z: -7 }, mode: "RELATIVE" }));
  const { position, bounding_box } = await model();
  assert.deepEqual(position, { x: 7.5, y: -7, z: 70 });
  assertNear(bounding_box, wedgeBox([7.5, -7, 70], { x: 0, y: 0, z: 0 }), 1e-9);
  bodyOf(await ask("translate", { position: { x: 1, y: 2, z: 3 }, mode: "ABSOLUTE" }));
  assert.deepEqual((await model()).position, { x: 1, y: 2, z: 3 });
});

test("powder models keep their height after scale, orient and units", async () => {
  const { ask, model } = await standing(moved(WEDGE, [0, 0, 100]), POWDER);
  const edits: [string, object][] = [
    ["scale", { scale: 2 }],
    ["orient", { orientation: { x: 20, y: 30, z: 40 } }],
    ["update", { units: "INCHES" }],
  ];
  for (const [action, body] of edits) {
    bodyOf(await ask(action, body));
    assert.deepEqual((await model()).position, { x: 15, y: 10, z: 105 }, action);
  }
});

test("scale, orient and translate do not move a model back inside: it is reported out of bounds", async () => {
  const cases: [string, object][] = [
    ["translate", { position: { x: 900, y: 0, z: 0 } }],
    ["scale", { scale: 40 }],
  ];
  for (const [action, body] of cases) {
    for (const combination of [RESIN, POWDER]) {
      const { ask, model } = await standing(WEDGE, combination);
      assert.equal((await model()).in_bounds, true);
      bodyOf(await ask(action, body));
      assert.equal((await model()).in_bounds, false, action);
    }
  }
});

/** The closest place to `wanted` at which a centred box of these sizes is inside the rounded rectangle. */
function nearestPlace(wanted: Vec3, sizes: Vec3, dimensions: Vec3, fillet: number): number[] {
  const reach = [0, 1].map((axis) => (dimensions[axis] - sizes[axis]) / 2);
  const inner = reach.map((half, axis) => Math.min(Math.max(wanted[axis], -half + fillet), half - fillet));
  const beyond = [0, 1].map((axis) => wanted[axis] - inner[axis]);
  const distance = Math.hypot(...beyond);
  const kept = distance <= fillet ? 1 : fillet / distance;
  return [0, 1].map((axis) => inner[axis] + beyond[axis] * kept);
}

for (const [family, combination] of [
  ["resin", RESIN],
  ["powder", POWDER],
] as const) {
  test(`a ${family} import from outside the volume moves inside by the smallest move, with regard to rounded corners`, async () => {
    const { dimensions, fillet } = await volumeOf(combination);
    assert.ok(fillet > 0);
    const scene_id = await server.newScene(combination);
    const half = fc.integer({ min: 1, max: 20 });
    const place = fc.integer({ min: -300, max: 300 });
    const check = async (halves: Vec3, at: Vec3): Promise<void> => {
      const sizes: Vec3 = [2 * halves[0], 2 * halves[1], 2 * halves[2]];
      const id = await server.importOne(scene_id, stl(moved(box(sizes), at)));
      const [{ position, in_bounds }] = await server.models(scene_id, [id]);
      const [x, y] = nearestPlace(at, sizes, dimensions, fillet);
      const z = family === "resin" ? halves[2] : Math.min(Math.max(at[2], halves[2]), dimensions[2] - halves[2]);
      assertNear(position, { x, y, z }, 1e-6, JSON.stringify({ halves, at }));
      assert.equal(in_bounds, true);
      bodyOf(await server.ask("delete", { scene_id, model_ids: [id] }));
    };
    const [x, y] = [dimensions[0] / 2 - 5, dimensions[1] / 2 - 10];
    for (const [i, j] of [
      [1, 1],
      [1, -1],
      [-1, 1],
      [-1, -1],
    ]) {
      for (const times of [0.999, 1, 50]) await check([5, 10, 15], [i * x * times, j * y * times, 40]);
    }
    await fc.assert(fc.asyncProperty(fc.tuple(half, half, half), fc.tuple(place, place, place), check), {
      numRuns: slowRuns(60),
      endOnFailure: true,
    });
  });
}

test("a model inside the volume does not move at all", async () => {
  const { dimensions, fillet } = await volumeOf(POWDER);
  assert.ok(fillet < 20);
  const wall = Math.floor(dimensions[0] / 2) - 5;
  for (const at of [
    [wall, 0, 5],
    [-wall, 0, dimensions[2] - 5],
    [0.1, -0.7, 33.3],
  ] as const) {
    const model = await (await standing(moved(box([10, 10, 10]), at), POWDER)).model();
    const single = (value: number): number => (Math.fround(value - 5) + Math.fround(value + 5)) / 2;
    assert.deepEqual(model.position, { x: single(at[0]), y: single(at[1]), z: single(at[2]) });
  }
});

test("a model too large for the volume is centred and out of bounds", async () => {
  for (const combination of [RESIN, POWDER]) {
    const {
      dimensions: [width, depth, height],
    } = await volumeOf(combination);
    for (const sizes of [
      [2 * width, 10, 10],
      [10, 2 * depth, 10],
      [2 * width, 2 * depth, 2 * height],
    ] as const) {
      const model = await (await standing(moved(box(sizes), [70, -90, 11]), combination)).model();
      const z = combination === RESIN ? sizes[2] / 2 : height / 2;
      assertNear(model.position, { x: 0, y: 0, z }, 1e-6, JSON.stringify(sizes));
      assert.equal(model.in_bounds, false);
    }
  }
});

test("a model too tall for the volume is out of bounds", async () => {
  for (const combination of [RESIN, POWDER]) {
    const {
      dimensions: [, , height],
    } = await volumeOf(combination);
    const model = await (await standing(box([10, 10, height + 1]), combination)).model();
    assert.equal(model.in_bounds, false);
  }
});

test("the rounded corners of the volume count: a box that fits only between its walls is out of bounds", async () => {
  const {
    dimensions: [width, depth],
    fillet,
  } = await volumeOf(RESIN);
  const lost = 2 * fillet * (1 - Math.SQRT1_2);
  for (const [spare, fits] of [
    [0.05, true],
    [-0.05, false],
  ] as const) {
    const wide = box([width - lost - spare, depth - lost - spare, 10]);
    const model = await (await standing(moved(wide, [3, -2, 0]), RESIN)).model();
    assert.equal(model.in_bounds, fits);
    if (!fits) assertNear([model.position.x, model.position.y], [0, 0], 1e-4);
  }
  const round = await (await standing(cylinder(depth / 2, 10), RESIN)).model();
  assert.equal(round.in_bounds, true);
});

test("in_bounds holds to 1 µm at the walls and corners", async () => {
  const {
    dimensions: [width, depth],
    fillet,
  } = await volumeOf(RESIN);
  const { ask, model } = await standing(box([10, 10, 10]), RESIN);
  const inset = fillet * (1 - Math.SQRT1_2);
  const corner = [width / 2 - 5 - inset, depth / 2 - 5 - inset];
  const cases: [x: number, y: number, expected: boolean][] = [
    [width / 2 - 5, 0, true],
    [width / 2 - 5 + 0.0005, 0, true],
    [width / 2 - 5 + 0.002, 0, false],
    [0, 5 - depth / 2 - 0.0005, true],
    [0, 5 - depth / 2 - 0.002, false],
    [corner[0], corner[1], true],
    [corner[0] + 0.002, corner[1] + 0.002, false],
    [-corner[0] - 0.002, corner[1] + 0.002, false],
    [-corner[0] + 0.001, 0.001 - corner[1], true],
  ];
  for (const [x, y, expected] of cases) {
    bodyOf(await ask("translate", { position: { x, y, z: 0 } }));
    assert.equal((await model()).in_bounds, expected, `${x} ${y}`);
  }
});

const angle = fc.oneof(
  fc.double({ min: -720, max: 720, noNaN: true }),
  fc.constantFrom(-270, -180, -90, 0, 90, 180, 270, 360, 450),
);
const angles = fc.record({ x: angle, y: angle, z: angle });
const RUNS = { numRuns: slowRuns(80), endOnFailure: true };

test("rotation is about z, then x, then y around the origin, and scale is about the origin", async () => {
  const { ask, model } = await standing(WEDGE, POWDER);
  const scales = fc.double({ min: 0.01, max: 20, noNaN: true });
  const places = fc.record({
    x: fc.integer({ min: -90, max: 90 }),
    y: fc.integer({ min: -90, max: 90 }),
    z: fc.integer({ min: 0, max: 200 }),
  });
  const check = async (orientation: Angles, scale: number, position: Angles): Promise<void> => {
    bodyOf(await ask("scale", { scale }));
    bodyOf(await ask("orient", { orientation }));
    bodyOf(await ask("translate", { position }));
    const found = await model();
    assert.deepEqual(found.position, { x: position.x + 0, y: position.y + 0, z: position.z + 0 });
    assert.equal(found.scale, scale);
    assertNear(
      found.bounding_box,
      wedgeBox([position.x, position.y, position.z], orientation, scale),
      1e-6 + 1e-7 * scale,
    );
  };
  await check({ x: 90, y: 0, z: 90 }, 1, { x: 0, y: 0, z: 50 });
  await fc.assert(fc.asyncProperty(angles, scales, places, check), RUNS);
});

test("in resin scenes a model with the same orientation is on the platform", async () => {
  const { ask, model } = await standing(WEDGE, RESIN);
  await fc.assert(
    fc.asyncProperty(angles, async (orientation) => {
      bodyOf(await ask("orient", { orientation }));
      const found = await model();
      assertNear([found.position.x, found.position.y], [15, 10], 1e-9);
      const expected = wedgeBox([15, 10, 0], orientation);
      const lift = -expected.min_corner.z;
      assertNear(found.bounding_box.max_corner, { ...expected.max_corner, z: expected.max_corner.z + lift }, 1e-6);
      assertOnPlatform(found);
    }),
    RUNS,
  );
});

test("the orientation reads back as the same rotation, with angles in their ranges", async () => {
  const { ask, model } = await standing(WEDGE, POWDER);
  const read = async (orientation: object): Promise<Angles> => {
    bodyOf(await ask("orient", { orientation }));
    return (await model()).orientation;
  };
  const check = async (given: Angles): Promise<void> => {
    const found = await read(given);
    assert.deepEqual(Object.keys(found).sort(), ["x", "y", "z"]);
    assert.ok(Math.abs(found.x) <= 90, `x ${found.x}`);
    for (const value of [found.y, found.z]) assert.ok(value > -180 && value <= 180, `${value}`);
    if (Math.abs(found.x) === 90) assert.equal(found.y, 0);
    assertNear(rowsOf(found), rowsOf(given), 1e-5, JSON.stringify(given));
    assert.deepEqual(await read(found), found);
  };
  for (const x of [90, -90, 270, -270, 450]) await check({ x, y: 37, z: -11 });
  for (const y of [-180, 180, 540]) await check({ x: 12, y, z: -y });
  await check({ x: 1e300, y: -1e17, z: 1e9 });
  await fc.assert(fc.asyncProperty(angles, check), RUNS);
});

test("angles that are normalised into their ranges have no rounding errors", async () => {
  const scene_id = await server.newScene();
  await server.importOne(scene_id, server.file("turned.stl", binaryStl(box([10, 20, 30]))));
  for (const [orientation, expected] of [
    [
      { x: 100, y: 200, z: -190 },
      { x: 80, y: 20, z: -10 },
    ],
    [
      { x: 90, y: 30, z: 40 },
      { x: 90, y: 0, z: 10 },
    ],
    [
      { x: 0, y: 0, z: 230 },
      { x: 0, y: 0, z: -130 },
    ],
  ]) {
    bodyOf(await server.ask("orient", { scene_id, orientation }));
    assert.deepEqual((await server.models(scene_id))[0].orientation, expected);
  }
});

test("an orientation in gimbal lock reads back with y 0 and the rotation in z", async () => {
  const { ask, model } = await standing(WEDGE, POWDER);
  for (const [x, z] of [
    [90, -20],
    [-90, 80],
  ]) {
    bodyOf(await ask("orient", { orientation: { x, y: 50, z: 30 } }));
    assertNear((await model()).orientation, { x, y: 0, z }, 1e-9);
  }
});

test("an orientation inside the ranges reads back exactly", async () => {
  const { ask, model } = await standing(WEDGE, POWDER);
  const inRange = fc.record({
    x: fc.double({ min: -89.999, max: 89.999, noNaN: true }),
    y: fc.double({ min: -179.999, max: 180, noNaN: true }),
    z: fc.double({ min: -179.999, max: 180, noNaN: true }),
  });
  await fc.assert(
    fc.asyncProperty(inRange, async ({ x, y, z }) => {
      bodyOf(await ask("orient", { orientation: { x, y, z } }));
      assert.deepEqual((await model()).orientation, { x: x + 0, y: y + 0, z: z + 0 });
    }),
    RUNS,
  );
});

test("the three forms of an orientation agree", async () => {
  const { ask, model } = await standing(WEDGE, POWDER);
  await fc.assert(
    fc.asyncProperty(angles, async (euler) => {
      const linear = rowsOf(euler);
      const directions = { z_direction: linear[2], x_direction: linear[0] };
      const expected = wedgeBox(WEDGE_ORIGIN, euler);
      for (const orientation of [euler, { linear }, directions]) {
        bodyOf(await ask("orient", { orientation }));
        const found = await model();
        assertNear(rowsOf(found.orientation), linear, 1e-5, JSON.stringify(orientation));
        assertNear(found.bounding_box, expected, 1e-3);
      }
    }),
    RUNS,
  );
});

test("z_direction is the model's direction that points up, x_direction the one that points right", async () => {
  const { ask, model } = await standing(WEDGE, RESIN);
  bodyOf(await ask("orient", { orientation: { z_direction: [1, 0, 0], x_direction: [0, 1, 0] } }));
  const { min_corner, max_corner } = (await model()).bounding_box;
  // The wedge is 30 along its x, 20 along its y and 10 along its z.
  assertNear([max_corner.x - min_corner.x, max_corner.y - min_corner.y, max_corner.z], [20, 10, 30], 1e-9);
});

test("an orientation replaces the one before it", async () => {
  const { ask, model } = await standing(WEDGE, POWDER);
  for (const z of [50, 20]) bodyOf(await ask("orient", { orientation: { x: 0, y: 0, z } }));
  assert.deepEqual((await model()).orientation, { x: 0, y: 0, z: 20 });
});

const linear = (...rows: readonly Point[]) => ({ linear: rows });
const [X, Y, Z]: Point[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const directions = (z_direction: Point, x_direction: Point) => ({ z_direction, x_direction });
const ORIENTATIONS: readonly [orientation: object, accepted: boolean][] = [
  [linear(X, Y, Z), true],
  [linear(Y, Z, X), true],
  [linear([1 + 4.5e-5, 0, 0], Y, Z), true],
  [linear([1, 9e-5, 0], Y, Z), true],
  [linear(X, Y, [0, -9e-5, 1]), true],
  [linear([1 + 1.2e-4, 0, 0], Y, Z), false],
  [linear(X, [0, 1 - 1.2e-4, 0], Z), false],
  [linear([1, 1.2e-4, 0], Y, Z), false],
  [linear(X, Y, [1.2e-4, 0, 1]), false],
  [linear(X, Y, [0, 0, -1]), false],
  [linear(Y, X, Z), false],
  [linear([2, 0, 0], [0, 2, 0], [0, 0, 2]), false],
  [linear([2, 0, 0], [0, 0.5, 0], Z), false],
  [linear([0, 0, 0], [0, 0, 0], [0, 0, 0]), false],
  [linear(X, X, X), false],
  [linear([1e308, 1e308, 0], [-1e308, 1e308, 0], Z), false],
  [directions(Z, X), true],
  [directions([0, 0, 1.0009], X), true],
  [directions(Z, [0.9991, 0, 0]), true],
  [directions(Z, [1, 0, 0.0009]), true],
  [directions([0, 0, 1.0012], X), false],
  [directions(Z, [0, 0.9988, 0]), false],
  [directions(Z, [1, 0, 0.0012]), false],
  [directions(Z, Z), false],
  [directions(Z, [0, 0, -1]), false],
  [directions([0, 0, 0], X), false],
  [directions([0, 0, 1e308], [1e308, 0, 0]), false],
];
for (const [orientation, accepted] of ORIENTATIONS) {
  test(`orient ${accepted ? "takes" : "refuses"} ${JSON.stringify(orientation)}`, async () => {
    const { scene_id, ask } = await standing(WEDGE, RESIN);
    bodyOf(await ask("orient", { orientation: { x: 10, y: 20, z: 30 } }));
    const before = await server.scene(scene_id);
    const reply = await ask("orient", { orientation });
    if (accepted) {
      bodyOf(reply);
    } else {
      assert.equal(codeOf(reply), "INPUT_ERROR");
      assert.deepEqual(await server.scene(scene_id), before);
    }
  });
}

const WRONG_SHAPES: readonly object[] = [
  {},
  { x: 1, y: 2 },
  { x: 1, y: 2, z: "3" },
  { x: 1, y: 2, z: 3, w: 4 },
  { x: 0, y: 0, z: 0, linear: [X, Y, Z] },
  { linear: [X, Y] },
  { linear: [X, Y, Z, X] },
  { linear: [X, Y, [0, 1]] },
  { linear: [X, Y, [0, 0, 1, 0]] },
  { linear: [X, Y, [0, 0, null]] },
  { z_direction: Z },
  { x_direction: X },
  { z_direction: Z, x_direction: [1, 0] },
  { z_direction: Z, x_direction: X, y: 0 },
];
test("orient accepts exactly one of its three forms", async () => {
  const { ask, model } = await standing(WEDGE, RESIN);
  const before = await model();
  for (const orientation of WRONG_SHAPES) {
    assert.equal(codeOf(await ask("orient", { orientation })), "JSON_SCHEMA_MATCH_ERROR", JSON.stringify(orientation));
  }
  assert.equal(codeOf(await ask("orient", {})), "JSON_SCHEMA_MATCH_ERROR");
  assert.deepEqual(await model(), before);
});

test("scale replaces the scale before it and leaves the origin in its place", async () => {
  const { ask, model } = await standing(WEDGE, POWDER);
  for (const scale of [3, 0.5, 1e-6, 2]) {
    bodyOf(await ask("scale", { scale }));
    const found = await model();
    assert.equal(found.scale, scale);
    assert.deepEqual(found.position, point(WEDGE_ORIGIN));
    assertNear(found.bounding_box, wedgeBox(WEDGE_ORIGIN, { x: 0, y: 0, z: 0 }, scale), 1e-9);
  }
});

test("scale must be a number greater than 0", async () => {
  const { ask, model } = await standing(WEDGE, RESIN);
  for (const scale of [0, -1, -0, "2", null, true, [2], undefined]) {
    assert.equal(codeOf(await ask("scale", { scale })), "JSON_SCHEMA_MATCH_ERROR", String(scale));
  }
  assert.equal((await model()).scale, 1);
});

test("numbers in JSON beyond the range of doubles are schema errors", async () => {
  const { scene_id } = await standing(WEDGE, RESIN);
  const bodies: [action: string, rest: string][] = [
    ["scale", '"scale": 1e999'],
    ["orient", '"orientation": {"x": -1e999, "y": 0, "z": 0}'],
    ["translate", '"position": {"x": 1e999, "y": 0, "z": 0}'],
  ];
  for (const [action, rest] of bodies) {
    const raw = `{"scene_id": "${scene_id}", ${rest}}`;
    const reply = await server.printwright.post(`/v1/scene/model/${action}/`, undefined, { raw });
    assert.equal(codeOf(reply), "JSON_SCHEMA_MATCH_ERROR", action);
  }
});

test("translate refuses other modes and positions that lack a coordinate", async () => {
  const { ask } = await standing(WEDGE, RESIN);
  const position = { x: 0, y: 0, z: 0 };
  const bodies = [
    { position, mode: "relative" },
    { position, mode: null },
    { position: { x: 0, y: 0 } },
    { mode: "ABSOLUTE" },
  ];
  for (const body of bodies) {
    assert.equal(codeOf(await ask("translate", body)), "JSON_SCHEMA_MATCH_ERROR", JSON.stringify(body));
  }
});

test("a coordinate beyond 1,000,000 mm in the request is a schema error, also z in resin scenes", async () => {
  for (const combination of [RESIN, POWDER]) {
    const { ask, model } = await standing(WEDGE, combination);
    const before = await model();
    for (const axis of ["x", "y", "z"]) {
      for (const value of [1_000_000.5, -1_000_000.5, 1e300]) {
        for (const mode of ["ABSOLUTE", "RELATIVE"]) {
          const reply = await ask("translate", { position: { x: 0, y: 0, z: 0, [axis]: value }, mode });
          assert.equal(codeOf(reply), "JSON_SCHEMA_MATCH_ERROR", `${axis} ${value}`);
          assert.match(reply.body.error.message, new RegExp(`/position/${axis}`));
        }
      }
    }
    assert.deepEqual(await model(), before);
  }
});

test("a change that would move a model beyond 1,000,000 mm is INPUT_ERROR and changes nothing", async () => {
  for (const combination of [RESIN, POWDER]) {
    const { scene_id, ask, model } = await standing(WEDGE, combination);
    const second = await server.importOne(scene_id, stl(WEDGE));
    bodyOf(await ask("translate", { position: { x: 999_000, y: -999_000, z: 0 } }));
    assert.equal((await model()).in_bounds, false);
    const before = await server.scene(scene_id);
    const refused: [string, object][] = [
      ["translate", { position: { x: 1001, y: 0, z: 0 }, mode: "RELATIVE" }],
      ["translate", { position: { x: 0, y: -1_000_000, z: 0 }, mode: "RELATIVE" }],
      ["translate", { position: { x: 1_000_000, y: 0, z: 0 }, mode: "ABSOLUTE" }],
      ["scale", { scale: 100 }],
      ["scale", { scale: 1e308 }],
    ];
    for (const [action, body] of refused) {
      for (const model_ids of [undefined, [second, before.models[0].id]]) {
        assert.equal(codeOf(await ask(action, { ...body, model_ids })), "INPUT_ERROR", JSON.stringify(body));
      }
      assert.deepEqual(await server.scene(scene_id), before);
    }
  }
});

test("in powder scenes the limit applies to z, too", async () => {
  const { ask, model } = await standing(WEDGE, POWDER);
  bodyOf(await ask("translate", { position: { x: 0, y: 0, z: -999_990 } }));
  const before = await model();
  assert.equal(codeOf(await ask("translate", { position: { x: 0, y: 0, z: -10 }, mode: "RELATIVE" })), "INPUT_ERROR");
  assert.deepEqual(await model(), before);
});

test("units that would make a model larger than 1,000,000 mm are INPUT_ERROR and change nothing", async () => {
  const { scene_id, ask } = await standing(box([100_000, 10, 10]), RESIN);
  const before = await server.scene(scene_id);
  assert.equal(codeOf(await ask("update", { units: "INCHES" })), "INPUT_ERROR");
  assert.deepEqual(await server.scene(scene_id), before);
});
