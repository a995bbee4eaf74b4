import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Reply } from "../../fixture/client.ts";
import { damagedFile } from "../../fixture/damaged-files.ts";
import { FILE_KINDS } from "../../fixture/file-kinds.ts";
import { assertAnswered } from "../answer.ts";
import { type Family, type Lane, type SendInput } from "./family.ts";
import { openFormTask } from "../../../src/feature/projects/task.ts";

const PROJECTS = FILE_KINDS.find(({ task }) => task === openFormTask)!;

/** Mutated projects. An opened project is saved and opened again, with the same content. */
export const mutatedProjects: Family = {
  name: "projects",
  share: 2,
  lanes: 3,
  async open(lane: Lane): Promise<SendInput> {
    const { random, server } = lane;
    const seeds = await PROJECTS.seeds();
    const [file, again] = ["", "-again"].map((suffix) => join(server.folder, `${lane.name}${suffix}.form`));
    return async () => {
      const bytes = damagedFile(PROJECTS, seeds, random);
      writeFileSync(file, bytes);
      lane.note(bytes);
      const opened = await lane.call("POST", "/v1/scene/open/", { file });
      assertAnswered(opened);
      if (opened.status !== 200) return opened.status;
      const scene_ids = idsOf(opened);
      const saved = await lane.call("POST", "/v1/scene/save/", { scene_ids, file: again });
      assert.equal(saved.status, 200, JSON.stringify(saved.body));
      const reopened = await lane.call("POST", "/v1/scene/open/", { file: again });
      assert.equal(reopened.status, 200, JSON.stringify(reopened.body));
      assert.deepEqual(await contents(lane, idsOf(reopened)), await contents(lane, scene_ids));
      for (const scene_id of [...scene_ids, ...idsOf(reopened)])
        assertAnswered(await lane.call("DELETE", "/v1/scene/delete/", { scene_id }));
      return opened.status;
    };
  },
};

const idsOf = ({ body }: Reply): string[] => body.scenes.map(({ scene_id }: { scene_id: string }) => scene_id);

/** The scenes without their ids and without the ids of their models. */
const contents = (lane: Lane, ids: readonly string[]): Promise<string[]> =>
  Promise.all(
    ids.map(async (scene_id) => {
      const { body } = await lane.call("POST", "/v1/scene/get/", { scene_id });
      return JSON.stringify(body, (key, value) => (key === "id" ? undefined : value));
    }),
  );
