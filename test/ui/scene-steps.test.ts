import assert from "node:assert/strict";
import { test } from "node:test";
import { QUICK_CHECKS } from "../../src/feature/findings/check-scene.ts";
import type { RunningRequest } from "../../src/http/running-requests.ts";
import type { CheckKind, KeptFinding, KnownFindings } from "../../src/scene/findings.ts";
import type { Model, Scene } from "../../src/scene/project.ts";
import type { PageStep } from "../../src/ui/work-replies.ts";
import { type StepFacts, sceneSteps } from "../../src/ui/scene-steps.ts";
import { POWDER_SETTING, sceneModel, someScene, withSupports } from "../fixture/some-scene.ts";

// The states of the steps of a scene (design of the page, section 3).

const IN_A_CHAMBER = { position: [0, 0, 20], orientation: { x: 0, y: 0, z: 0 }, scale: 1 } as const;

const facts = (scene: Scene, changes: Partial<StepFacts> = {}): StepFacts => ({
  scene,
  outside: [],
  known: undefined,
  running: [],
  ...changes,
});

/** A step as "state text · count". */
const inWords = ({ state, text, count }: PageStep): string => `${state} ${text} · ${count}`;

const stepsOf = (scene: Scene, changes?: Partial<StepFacts>): Record<string, string> =>
  Object.fromEntries(sceneSteps(facts(scene, changes)).map((step) => [step.step, inWords(step)]));

const supported = (changes: Partial<Model> = {}): Model => withSupports(sceneModel(changes));

/** What a check of all quick kinds tells of a scene: `findings`, and these models as changed since. */
function checked(findings: readonly KeptFinding[] = [], oldModelIds: readonly string[] = []): KnownFindings {
  return {
    checkedMs: new Date(2026, 1, 3, 11, 4).getTime(),
    checks: QUICK_CHECKS.map((kind) => ({ kind, oldModelIds })),
    findings,
  };
}

const finding = (
  kind: CheckKind,
  severity: KeptFinding["severity"],
  models: readonly Model[],
  changes: Partial<KeptFinding> = {},
): KeptFinding => ({
  id: `${kind}-${models.length}`,
  kind,
  severity,
  modelIds: models.map(({ id }) => id),
  count: 1,
  size: 1,
  sizeUnit: "COUNT",
  each: { count: 1, size: 1 },
  text: "",
  fixes: [],
  isOld: false,
  ...changes,
});

const UPRIGHT = sceneModel({ pose: IN_A_CHAMBER });

test("a scene without parts has nothing done, and powder scenes have steps of their own", () => {
  assert.deepEqual(stepsOf(someScene()), {
    PARTS: "TODO Drop a part · 0",
    ORIENT: "TODO As in the files · 0",
    SUPPORT: "TODO None yet · 0",
    LAYOUT: "TODO Waits for supports · 0",
    CHECK: "TODO Not checked yet · 0",
    PRINT: "TODO Print… · 0",
  });
  assert.deepEqual(stepsOf(someScene([], POWDER_SETTING)), {
    PARTS: "TODO Drop a part · 0",
    PACK: "TODO Waits for parts · 0",
    CAGE: "DONE No cage · 0",
    CHECK: "TODO Not checked yet · 0",
    PRINT: "TODO Print… · 0",
  });
});

test("a prepared and checked scene is done in all steps", () => {
  const models = [supported(), supported()];
  const points = models.reduce((sum, { supports }) => sum + supports!.touchpoints.length, 0);
  const faults = { unreached: [], slender: [], unheld: [], isLoose: false };
  const sound = models.map((model) => ({ ...model, supports: { ...model.supports!, faults } }));
  const steps = stepsOf(someScene(sound), { known: checked() });
  assert.deepEqual(
    { ...steps, ORIENT: steps.ORIENT.split(" ")[0] },
    {
      PARTS: "DONE 2 parts, all closed · 2",
      ORIENT: "DONE",
      SUPPORT: `DONE ${points} points, all reached · ${points}`,
      LAYOUT: "DONE On the plate · 0",
      CHECK: "DONE 7 passed · 7",
      PRINT: "DONE Print… · 0",
    },
  );
  // Supports of a file do not tell what they reach.
  assert.equal(stepsOf(someScene(models)).SUPPORT, `DONE ${points} points · ${points}`);
});

test("parts that are not closed, overlap, or are outside or beside the plate are told at their steps", () => {
  const models = [UPRIGHT, sceneModel(), sceneModel()];
  const scene = someScene(models);
  const open = checked([finding("MANIFOLDNESS", "ERROR", models.slice(1))]);
  assert.equal(stepsOf(scene, { known: open }).PARTS, "ERROR 2 not closed · 2");
  assert.equal(stepsOf(scene, { known: open }).PRINT, "ERROR Print… · 2");
  const crossing = checked([finding("MANIFOLDNESS", "WARNING", models)]);
  assert.equal(stepsOf(scene, { known: crossing }).PARTS, "DONE 3 parts, all closed · 3");
  const overlapping = checked([
    finding("INTERFERENCES", "ERROR", models.slice(0, 2)),
    finding("INTERFERENCES", "ERROR", models.slice(1)),
  ]);
  assert.equal(stepsOf(scene, { known: overlapping }).LAYOUT, "ERROR 3 overlap · 3");
  assert.equal(stepsOf(scene, { known: overlapping }).PARTS, "ERROR 3 overlap · 3");
  assert.equal(stepsOf(scene, { outside: [UPRIGHT] }).LAYOUT, "ERROR 1 outside · 1");
  assert.equal(stepsOf(scene, { outside: [UPRIGHT] }).PRINT, "ERROR Print… · 1");
  const [widthMm] = scene.setting.printerType.volume.dimensionsMm;
  const far = sceneModel({ pose: { ...IN_A_CHAMBER, position: [widthMm / 2 + 100, 0, 0] } });
  assert.equal(stepsOf(someScene([far]), { outside: [far] }).LAYOUT, "WARNING 1 beside the plate · 1");
  assert.equal(stepsOf(someScene([far, UPRIGHT]), { outside: [far, UPRIGHT] }).LAYOUT, "ERROR 1 outside · 1");
});

test("supports are to do, lost, unreached, or not needed", () => {
  const [bare, held] = [UPRIGHT, supported()];
  assert.equal(stepsOf(someScene([bare])).SUPPORT, "TODO None yet · 0");
  assert.equal(stepsOf(someScene([bare, held])).SUPPORT, "TODO 1 of 2 · 1");
  assert.equal(stepsOf(someScene([bare, held])).LAYOUT, "TODO Waits for supports · 0");
  assert.equal(stepsOf(someScene([bare]), { known: checked() }).SUPPORT, "DONE None needed · 0");
  const falling = checked([finding("MINIMA", "ERROR", [bare])]);
  assert.equal(stepsOf(someScene([bare]), { known: falling }).SUPPORT, "TODO None yet · 0");
  assert.equal(stepsOf(someScene([bare]), { known: checked([], [bare.id]) }).SUPPORT, "TODO None yet · 0");
  const lost: Model = { ...bare, lostSupports: "TURNED" };
  assert.equal(stepsOf(someScene([lost, held])).SUPPORT, "ERROR 1 lost its supports · 1");
  assert.equal(stepsOf(someScene([lost, lost])).SUPPORT, "ERROR 2 lost their supports · 2");
  assert.equal(stepsOf(someScene([lost])).PRINT, "ERROR Print… · 1");
  const faults = {
    unreached: [
      [0, 0, 0],
      [1, 0, 0],
    ] as const,
    slender: [],
    unheld: [],
    isLoose: false,
  };
  const short = { ...held, supports: { ...held.supports!, faults } };
  assert.equal(stepsOf(someScene([short])).SUPPORT, "WARNING 2 not reached · 2");
  const weak = { unreached: [], slender: [], unheld: [[0, 0, 5]] as const, isLoose: false };
  const swaying = { ...held, supports: { ...held.supports!, faults: weak } };
  assert.equal(stepsOf(someScene([swaying])).SUPPORT, "WARNING 1 part held too weakly · 1");
});

test("a part that was tilted counts as turned, one that was turned about z does not", () => {
  const turned = (x: number, z: number): Model =>
    sceneModel({ pose: { ...IN_A_CHAMBER, orientation: { x, y: 0, z } } });
  assert.equal(stepsOf(someScene([turned(0, 30)])).ORIENT, "TODO As in the files · 0");
  assert.equal(stepsOf(someScene([turned(30, 0), turned(0, 30)])).ORIENT, "TODO 1 of 2 turned · 1");
  assert.equal(stepsOf(someScene([turned(30, 0)])).ORIENT, "DONE Turned · 1");
  assert.equal(stepsOf(someScene([withSupports(turned(0, 0))])).ORIENT, "DONE As in the files · 0");
});

test("the check is green, amber, red or grey, and accepted and old findings do not count", () => {
  const model = supported();
  const scene = someScene([model]);
  const cup = finding("CUPS", "WARNING", [model]);
  const air = finding("MINIMA", "ERROR", [model]);
  const shown = (findings: readonly KeptFinding[], old: readonly string[] = [], of = scene): [string, string] => {
    const { CHECK, PRINT } = stepsOf(of, { known: checked(findings, old) });
    return [CHECK, PRINT];
  };
  assert.deepEqual(shown([cup]), ["WARNING 1 to look at · 1", "WARNING Print… · 1 · 1"]);
  assert.deepEqual(shown([cup, air]), ["ERROR 1 must be solved · 1", "ERROR Print… · 1"]);
  assert.deepEqual(shown([], [model.id]), ["TODO Changed since 11:04 · 0", "TODO Print… · 0"]);
  assert.deepEqual(shown([{ ...air, isOld: true }], [model.id]), ["TODO Changed since 11:04 · 0", "TODO Print… · 0"]);
  const acceptedFindings = [{ id: cup.id, count: 1, size: 1 }];
  assert.deepEqual(shown([cup], [], { ...scene, acceptedFindings }), [
    "DONE 1 accepted, none open · 1",
    "DONE Print… · 0",
  ]);
  const { checks, ...others } = checked();
  const partly = { ...others, checks: checks.filter(({ kind }) => kind === "INTERFERENCES") };
  assert.equal(stepsOf(scene, { known: partly }).CHECK, "TODO Not checked yet · 0");
});

test("the step on which an operation works is running, in the words of its stage", () => {
  const scene = someScene([UPRIGHT]);
  const running = (path: string, changes: Partial<RunningRequest> = {}): RunningRequest =>
    ({
      path,
      title: "Title",
      sceneIds: [scene.id],
      isOperation: true,
      stage: () => undefined,
      stageTitles: () => [],
      ...changes,
    }) as Partial<RunningRequest> as RunningRequest;
  const runningStepsOf = (...requests: RunningRequest[]): string[] =>
    sceneSteps(facts(scene, { running: requests }))
      .filter(({ state }) => state === "RUNNING")
      .map(({ step, text }) => `${step} ${text}`);
  assert.deepEqual(runningStepsOf(running("/v1/scene/model/auto-layout/")), ["LAYOUT Title"]);
  assert.deepEqual(runningStepsOf(running("/v1/scene/check/")), ["CHECK Title"]);
  assert.deepEqual(runningStepsOf(running("/v1/scene/model/validate/cups/")), ["CHECK Title"]);
  assert.deepEqual(runningStepsOf(running("/v1/scene/model/supports/set/")), ["SUPPORT Title"]);
  assert.deepEqual(runningStepsOf(running("/v1/scene/model/list/")), []);
  assert.deepEqual(runningStepsOf(running("/v1/scene/check/", { sceneIds: [] })), []);
  assert.deepEqual(runningStepsOf(running("/v1/scene/check/", { isOperation: false })), []);
  for (const [title, step] of [
    ["Orienting", "ORIENT"],
    ["Supporting", "SUPPORT"],
    ["Laying out", "LAYOUT"],
    ["Checking", "CHECK"],
  ]) {
    const stage = { title, index: 1, count: 4 };
    assert.deepEqual(
      runningStepsOf(running("/v1/scene/prepare/", { stage: () => stage, stageTitles: () => [title!] })),
      [`${step} ${title}`],
    );
  }
});

test("while a preparation runs, the steps whose states it replaces wait, and states of before are not told", () => {
  const [a, b] = [UPRIGHT, sceneModel({ pose: IN_A_CHAMBER })];
  const known = checked([finding("INTERFERENCES", "ERROR", [a, b])]);
  const ALL = ["Orienting", "Supporting", "Laying out", "Checking"];
  const during = (titles: readonly string[], title?: string, setting?: typeof POWDER_SETTING) => {
    const scene = someScene([a, b], setting);
    const running: Partial<RunningRequest> = {
      path: "/v1/scene/prepare/",
      title: "Prepare",
      sceneIds: [scene.id],
      isOperation: true,
      stage: () => (title === undefined ? undefined : { title, index: 1, count: 4 }),
      stageTitles: () => titles,
    };
    return stepsOf(scene, { outside: [a], known, running: [running as RunningRequest] });
  };
  const waits = (...names: string[]) => Object.fromEntries(names.map((name) => [name, "WAITING Waits · 0"]));
  const parts = { PARTS: "DONE 2 parts, all closed · 2", PRINT: "WAITING Print… · 0" };
  assert.deepEqual(during(ALL, "Supporting"), {
    ...parts,
    ORIENT: "WAITING Finished · 0",
    SUPPORT: "RUNNING Supporting · 0",
    ...waits("LAYOUT", "CHECK"),
  });
  assert.deepEqual(during(["Packing", "Checking"], "Packing", POWDER_SETTING), {
    ...parts,
    PACK: "RUNNING Packing · 0",
    CAGE: "DONE No cage · 0",
    ...waits("CHECK"),
  });
  // Steps that are left out, all before the preparation has its turn, and overlaps that nothing moves apart keep their states.
  const { PRINT, ...present } = during([]);
  assert.equal(PRINT, parts.PRINT);
  assert.deepEqual(present, {
    PARTS: "ERROR 2 overlap · 2",
    ORIENT: "TODO As in the files · 0",
    SUPPORT: "DONE None needed · 0",
    LAYOUT: "ERROR 2 overlap · 2",
    CHECK: "ERROR 1 must be solved · 1",
  });
  assert.deepEqual(during(["Supporting", "Checking"], "Checking"), {
    ...present,
    ...parts,
    PARTS: present.PARTS,
    SUPPORT: "WAITING Finished · 0",
    CHECK: "RUNNING Checking · 0",
  });
  assert.deepEqual(during(["Laying out"], "Laying out"), {
    ...present,
    ...parts,
    LAYOUT: "RUNNING Laying out · 0",
  });
});

test("powder scenes tell what is outside, overlaps, and their cages", () => {
  const model = sceneModel({ pose: IN_A_CHAMBER });
  const scene = someScene([model], POWDER_SETTING);
  assert.equal(stepsOf(scene).PACK, "DONE In the chamber · 0");
  assert.equal(stepsOf(scene, { outside: [model] }).PACK, "ERROR 1 outside · 1");
  const cages = [{ id: "c", name: "cage", latticeId: model.id, partIds: [] }];
  assert.equal(stepsOf({ ...scene, cages }).CAGE, "DONE 1 cage · 1");
});
