import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../src/core/api-error.ts";
import { noProgress } from "../../src/core/progress.ts";
import { MODEL_EXTENSIONS, extensionOf, readerFor } from "../../src/format/model-formats.ts";

const OPTIONS = { chordalToleranceMm: 0.01, angleToleranceDeg: 5 };

test("the extension of a path is lower case and without its dot", () => {
  const cases = {
    "/a/part.STL": "stl",
    "/a.b/part.tar.3mf": "3mf",
    "C:\\models\\part.StEp": "step",
    "/a/lever.prt.12": "prt",
    "/a/engine.ASM.3": "asm",
    "/a/scan.obj.3": "3",
    "/a.stl/part": "",
    "/a/.stl": "",
    "/a/part.": "",
    "/a/part.st l": "",
    "": "",
  };
  for (const [path, extension] of Object.entries(cases)) assert.equal(extensionOf(path), extension, path);
});

/** Extensions that are recognised, with what is said of them. */
const UNREAD = {
  sldasm: "Solidworks",
  asm: "Creo",
  catproduct: "Catia",
  iam: "Inventor",
};
const READ = "stl obj ply off 3mf amf glb gltf step stp iges igs brep brp 3dm sldprt ipt prt catpart jt".split(" ");

test("every format of the interface has a reader, and others have none", async () => {
  assert.deepEqual([...MODEL_EXTENSIONS].sort(), [...READ, ...Object.keys(UNREAD)].sort());
  for (const extension of MODEL_EXTENSIONS) {
    assert.equal(typeof (await readerFor(extension))?.read, "function", extension);
  }
  for (const extension of ["form", "fps", "gcode", "", "STL", "constructor"]) {
    assert.equal(readerFor(extension), undefined);
  }
});

test("formats of other programs are refused with the name of the program and the way out", async () => {
  for (const [extension, program] of Object.entries(UNREAD)) {
    const reader = (await readerFor(extension))!;
    await assert.rejects(reader.read(`/a/part.${extension}`, OPTIONS, noProgress), (thrown: unknown) => {
      assert.ok(thrown instanceof ApiError && thrown.code === "OPERATION_FAILED");
      assert.match(thrown.message, new RegExp(`${program}.*STEP.*import that`));
      return true;
    });
  }
});
