import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { RESIN, type Row, median, ms, processorMs, ratio, timed, withServer } from "./measure.ts";
import { bumpySphereFile } from "./models.ts";

const NAMES = ["functional-part", "gear-large", "gear-small", "hinged-box"];
/** Parts that come several times share their supports and the results of checks. */
const COPIES = 4;
const COMBINATION = { ...RESIN, layer_thickness_mm: 0.1 };
const DEMO = fileURLToPath(new URL("../../assets/demo", import.meta.url));
const STEPS = ["auto-orient", "auto-support", "auto-layout"];

interface Cost {
  readonly took: number;
  /** Of all threads of the server. */
  readonly processor: number;
}

/** A preparation with its checks. Compared with its three steps as requests of their own, without checks. */
export async function benchPreparing(): Promise<Row[]> {
  const plates: { what: string; files: string[]; rounds: number }[] = [
    {
      what: "nine demo parts",
      files: [
        ...NAMES.map((name) => `${name}.stl`),
        "bracket.step",
        ...Array.from({ length: COPIES }, () => "axle.stl"),
      ].map((name) => join(DEMO, name)),
      rounds: 3,
    },
    { what: "a part of 1M facets", files: [bumpySphereFile(1_000_000)], rounds: 1 },
  ];
  const rows: Row[] = [];
  for (const { what, files, rounds } of plates) {
    const [alone, whole]: [Cost[], Cost[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      alone.push(
        await costOf(
          files,
          STEPS.map((step) => `/v1/scene/model/${step}/`),
        ),
      );
      whole.push(await costOf(files, ["/v1/scene/prepare/"]));
    }
    const middle = (costs: readonly Cost[], of: keyof Cost): number => median(costs.map((cost) => cost[of]));
    const [took, processor] = (["took", "processor"] as const).map((of) => ratio(middle(whole, of), middle(alone, of)));
    rows.push({
      what: `preparing ${what}, with checks`,
      ours: `${ms(middle(whole, "took"))}, ${took} its steps; ${processor} their processor time`,
      beside: `its three steps take ${ms(middle(alone, "took"))}`,
      aim: "≤ 1.35 × its steps",
    });
  }
  return rows;
}

/** The requests one after the other, on a fresh server: results are kept. */
const costOf = (files: readonly string[], paths: readonly string[]): Promise<Cost> =>
  withServer(async ({ post, pid }) => {
    const { scene_id } = await post("/v1/scene/create/", COMBINATION);
    for (const file of files) await post("/v1/scene/model/import/", { scene_id, file, repair_behavior: "REPAIR" });
    const before = processorMs(pid);
    const took = await timed(async () => {
      for (const path of paths) await post(path, { scene_id });
    });
    return { took, processor: processorMs(pid) - before };
  });
