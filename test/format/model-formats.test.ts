import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ENDPOINTS } from "../../src/feature/endpoints.ts";
import { openApi } from "../../src/api/openapi.ts";
import { ApiError } from "../../src/core/api-error.ts";
import { noProgress } from "../../src/core/progress.ts";
import { MODEL_EXTENSIONS, extensionOf, readerFor } from "../../src/format/model-formats.ts";
import { compoundFile } from "../fixture/compound-file.ts";
import { slowRuns } from "../fixture/long.ts";
import { BYTE_MUTATIONS, mutated } from "../fixture/mutated.ts";
import { randomFrom } from "../fixture/random.ts";
import { solidworksPackage } from "../fixture/solidworks-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";

const file = temporaryFiles();
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

/** Extensions that are recognised but not read, with the program and the extension of its parts. */
const UNREAD = {
  sldasm: ["Solidworks", "sldprt"],
  asm: ["Creo", "prt"],
  catproduct: ["Catia", "catpart"],
  iam: ["Inventor", "ipt"],
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

const UTF8 = new TextEncoder();
test("the OpenAPI document, the message for other files and docs/formats.md name the extensions that are read, and no others", () => {
  const formats = readFileSync(new URL("../../docs/formats.md", import.meta.url), "utf8");
  const [, models] = /^- \*\*Models\*\*: ([^]*?)\n- \*\*/m.exec(formats)!;
  const { check } = ENDPOINTS.find(({ path }) => path === "/v1/scene/model/import/")!;
  const { requestBody } = (openApi(ENDPOINTS) as any).paths["/v1/scene/model/import/"].post;
  const fileSentence: string = requestBody.content["application/json"].schema.properties.file.description;
  const texts = {
    "docs/formats.md": models.match(/(?<=`)\.\w+(?=`)/g)!,
    OpenAPI: fileSentence.split(". ")[0].match(/\.\w+/g)!,
    message: refusal(() => check!({ file: "/a/part.doc" } as never, []))
      .split("takes ")[1]
      .match(/\.\w+/g)!,
  };
  for (const [what, names] of Object.entries(texts)) {
    assert.deepEqual([...names].sort(), READ.map((name) => `.${name}`).sort(), what);
  }
});

function refusal(work: () => void): string {
  try {
    work();
  } catch (thrown) {
    return (thrown as Error).message;
  }
  return assert.fail("nothing was refused");
}

/** The ways in which files store the names of their parts: plain, in UTF-16 at an odd offset, in a package, in a compound file. */
const STORED: Readonly<Record<string, (text: string) => Uint8Array>> = {
  plain: (text) => UTF8.encode(`\0\u0001${text}\0`),
  wide: (text) => Buffer.concat([Buffer.of(0), Buffer.from(text, "utf16le"), Buffer.of(7, 0)]),
  package: (text) => solidworksPackage({ Header2: Buffer.from(text, "utf16le") }),
  compound: (text) => compoundFile({ "RSeStorage/B": Buffer.alloc(9000, 255), UFRxDoc: Buffer.from(text, "utf16le") }),
};

for (const [extension, [program, part]] of Object.entries(UNREAD)) {
  test(`a .${extension} file is refused with its parts, the missing ones, and the way out`, async () => {
    const reader = (await readerFor(extension))!;
    const refusalOf = async (bytes: Uint8Array): Promise<string> => {
      const path = file(`case/whole.${extension}`, bytes);
      try {
        await reader.read(path, OPTIONS, noProgress);
      } catch (thrown) {
        assert.ok(thrown instanceof ApiError && thrown.code === "OPERATION_FAILED", String(thrown));
        assert.match(thrown.message, new RegExp(`${program}.*STEP.*import that.*--converter`));
        return thrown.message;
      }
      return assert.fail("it was read");
    };
    // Creo allows only letters, digits and two other characters in names.
    const isPlain = part === "prt";
    const bolt = isPlain ? "bolt-1" : "bolt 1";
    const nut = isPlain ? "nut" : "nüt";
    file(`case/${bolt}.${part}${isPlain ? ".3" : ""}`, "");
    const names = `C:\\work\\B${bolt.slice(1)}.${part}\0..\\${nut}.${part.toUpperCase()}\0whole.${extension}\0${bolt}.${part}\0`;
    for (const [how, store] of Object.entries(STORED)) {
      const message = await refusalOf(store(how === "plain" ? names.replace("ü", "u") : names));
      const itsNut = how === "plain" ? "nut" : nut;
      const expected = `it refers to "B${bolt.slice(1)}.${part}" beside it, and to "${itsNut}.${part.toUpperCase()}", not found beside it; `;
      assert.ok(message.includes(expected), `${how}: ${message}`);
    }
    const many = Array.from({ length: 12 }, (_, i) => `part-${i}.${part}`).join("\0");
    assert.match(await refusalOf(UTF8.encode(many)), /"part-7\.\w+" and 4 more, not found/);
    const whole = STORED.compound(names);
    const random = randomFrom(extension.length);
    for (const bytes of [new Uint8Array(0), new Uint8Array(1e6), whole.subarray(0, 600)]) {
      assert.ok(!(await refusalOf(bytes)).includes("refers to"));
    }
    for (let i = 0; i < slowRuns(60); i++) await refusalOf(mutated(whole, BYTE_MUTATIONS, random));
  });
}

test("the refusal of a Git LFS pointer says so, whatever its extension", async () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 684084\n`;
  for (const extension of MODEL_EXTENSIONS) {
    const reader = await readerFor(extension)!;
    await assert.rejects(
      reader.read(file(`part.${extension}`, pointer), OPTIONS, noProgress),
      (thrown) => thrown instanceof ApiError && /it is a Git LFS pointer .*git lfs pull/.test(thrown.message),
      extension,
    );
  }
});

test("only names of files are found in binary data, without the bytes around them and without the file itself", async () => {
  const reader = (await readerFor("asm"))!;
  const bytes = Buffer.from("\xe3\xf7(BASE_plate-2.prt\0\xe0\xfdwhole.asm\0\xff~.prt\0)%.asm\0\xa9\xb5.prt", "latin1");
  await assert.rejects(reader.read(file("scraps/whole.asm.12", bytes), OPTIONS, noProgress), (thrown: Error) => {
    assert.match(thrown.message, /it refers to "BASE_plate-2\.prt", not found beside it; /);
    return true;
  });
  const product = (await readerFor("catproduct"))!;
  const named = Buffer.from("\xe9\xf7Bolt 1.CATPart\0\xff\xfe.CATPart", "latin1");
  await assert.rejects(product.read(file("scraps/whole.catproduct", named), OPTIONS, noProgress), (thrown: Error) => {
    assert.match(thrown.message, /it refers to "Bolt 1\.CATPart", not found beside it; /);
    return true;
  });
});
