import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { multipartForm } from "../../src/printer/multipart.ts";

test("a form is read back by another reader: fields in order, then the file", async () => {
  const content = Buffer.from(Array.from({ length: 1000 }, (_, i) => i % 256));
  const { headers, body } = multipartForm(
    [
      ["path", ""],
      ["print", "false"],
    ],
    { field: "file", fileName: "Größe 1.sl1", content },
  );
  const form = await new Response(Buffer.concat(body as Uint8Array[]), { headers }).formData();
  assert.deepEqual([...form.keys()], ["path", "print", "file"]);
  assert.equal(form.get("path"), "");
  assert.equal(form.get("print"), "false");
  const file = form.get("file") as File;
  assert.equal(file.name, "Größe 1.sl1");
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), content);
});
