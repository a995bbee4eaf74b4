import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { noProgress } from "../../src/core/progress.ts";
import { boundingRectangle } from "../../src/geometry/box.ts";
import { must } from "../../src/core/must.ts";
import { readPlanShapes } from "../../src/feature/plan/read-plan-shapes.ts";
import { floorOf } from "../../src/layout/floor.ts";
import { rotatePolygons } from "../../src/layout/indexed-polygon.ts";
import { fillPlate } from "../../src/plan/fill-plate.ts";
import { leastPlates } from "../../src/plan/plate-bounds.ts";
import { type PlannedPlate, planPlates } from "../../src/plan/plan-plates.ts";
import { plannedArches, prism } from "../fixture/arches.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { type Row, ms, ratio, withFolder } from "./measure.ts";

const ARCHES = 500;
const SPACING_MM = 2;
const TRIES = 6;
const TURNS = 16;
const FLOOR = floorOf({ dimensionsMm: [353, 196, 350], filletRadiusMm: 5 });

type Shape = Awaited<ReturnType<typeof readShapes>>[number];

/** Dental arches from files to plates, on one thread: processor time beside that of importing the files, plates beside shelves of boxes. */
export const benchPlanning = (): Promise<Row[]> =>
  withFolder(async (folder) => {
    const arches = plannedArches(ARCHES);
    const files: string[] = [];
    for (const [i, { ring }] of arches.entries()) {
      files.push(join(folder, `${i}.stl`));
      writeFileSync(must(files[i], "A file"), binaryStl(await prism(ring, 12)));
    }
    // Loads the libraries.
    await readShapes(files.slice(0, 20));
    const readMs = await processorMs(async () => files.forEach((file) => readFileSync(file)));
    let shapes: Shape[] = [];
    const shapesMs = await processorMs(async () => (shapes = await readShapes(files)));
    let plates: readonly PlannedPlate[] = [];
    const fillMs = await processorMs(async () => {
      plates = await planPlates(
        {
          floor: FLOOR,
          spacingMm: SPACING_MM,
          shapes: shapes.map(({ outline, areaMm2, alignedTurnDeg }) => ({
            outline,
            areaMm2,
            turnsDeg: Array.from({ length: TURNS }, (_, i) => alignedTurnDeg + (360 / TURNS) * i),
          })),
          lines: arches.map(({ group }, shape) => ({ shape, copies: 1, group: `${group}`, maxPlates: 2, dueMs: 0 })),
          tries: TRIES,
          isOverdue: () => false,
        },
        async (requests) => requests.map((request) => fillPlate(request, noProgress)),
        () => {},
      );
    });
    const shelves = shelfPlates(shapes);
    const least = leastPlates(
      shapes.map(({ areaMm2 }) => ({ areaMm2, copies: 1 })),
      FLOOR,
      SPACING_MM,
    );
    return [
      {
        what: `outlining ${ARCHES} arches from STL files, processor time for each`,
        ours: ms(shapesMs / ARCHES),
        beside: `reading the bytes of the files ${ms(readMs / ARCHES)} (${ratio(shapesMs, readMs)})`,
      },
      {
        what: `plates for ${ARCHES} arches of patients on a Form 4L`,
        ours: `${plates.length}`,
        beside: `boxes on shelves ${shelves} (${ratio(plates.length, shelves)}), no plan has fewer than ${least}`,
        aim: "0.6×",
      },
      {
        what: "filling these plates, processor time for each arch",
        ours: ms(fillMs / ARCHES),
        beside: `outlining it ${ms(shapesMs / ARCHES)} (${ratio(fillMs, shapesMs)})`,
        aim: "with the outline below 11 ms: 10,000 in 60 s on two cores",
      },
    ];
  });

const readShapes = async (files: readonly string[]) =>
  (await readPlanShapes({ files }, noProgress)).map((shape) => {
    if ("unreadable" in shape) throw new Error(shape.unreadable);
    return shape;
  });

/** User and system time of the work, in ms. */
async function processorMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The plates of boxes in their order, in rows as deep as their deepest box. */
function shelfPlates(shapes: readonly Shape[]): number {
  const { minX, maxX, minY, maxY } = FLOOR.bounds;
  const [width, depth] = [maxX - minX + SPACING_MM, maxY - minY + SPACING_MM];
  let plates = 1;
  let [left, front, deepest] = [0, 0, 0];
  for (const { outline, alignedTurnDeg } of shapes) {
    const box = boundingRectangle(rotatePolygons(outline, alignedTurnDeg));
    const [wide, deep] = [box.maxX - box.minX + SPACING_MM, box.maxY - box.minY + SPACING_MM];
    if (left + wide > width) [left, front, deepest] = [0, front + deepest, 0];
    if (front + deep > depth) {
      plates++;
      [left, front, deepest] = [0, 0, 0];
    }
    left += wide;
    deepest = Math.max(deepest, deep);
  }
  return plates;
}
