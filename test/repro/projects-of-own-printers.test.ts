import assert from "node:assert/strict";
import { dirname } from "node:path";
import { test } from "node:test";
import { ACME_ONE, ACME_TOUGH } from "../fixture/machines-file.ts";
import { runCommand } from "../fixture/command.ts";
import { box } from "../fixture/shapes.ts";
import { binaryStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { longTest } from "../fixture/long.ts";

// The error of a project for a printer of the user's file named other printers, and --resin with a project changed nothing.

const file = temporaryFiles();
const part = file("part.stl", binaryStl(box([4, 4, 1])));
const machines = file("machines.json", JSON.stringify({ printers: [ACME_ONE] }));
const resin = file("tough.json", JSON.stringify({ ...ACME_TOUGH, printers: ["ACME-ONE"] }));
const command = (...args: string[]) => runCommand(args, dirname(part));

test("a project for a printer or resin of one's own says which file it needs", async () => {
  const saved = await command(
    "slice",
    part,
    "--printer",
    ACME_ONE.machine_type,
    "--machines",
    machines,
    "-o",
    "own.form",
  );
  assert.equal(saved.status, 0, saved.stderr);
  const without = await command("slice", "own.form", "-o", "own.ctb");
  assert.match(without.stderr, /machine_type "ACME-ONE".* One of your own .*: --machines FILE\./);
  const tough = ["--printer", ACME_ONE.machine_type, "--machines", machines, "--resin", resin];
  assert.equal((await command("slice", part, ...tough, "-o", "tough.form")).status, 0);
  const withoutResin = await command("slice", "tough.form", "--machines", machines, "-o", "own.ctb");
  assert.match(withoutResin.stderr, /material_code "ACME-TOUGH".* One of your own .*: --machines FILE\./);
});

longTest("--resin takes the place of the material of a project, whose printer and layers stay", async () => {
  const saved = await command(
    "slice",
    part,
    "--printer",
    ACME_ONE.machine_type,
    "--machines",
    machines,
    "-o",
    "plain.form",
  );
  assert.equal(saved.status, 0, saved.stderr);
  const given = ["slice", "plain.form", "--machines", machines, "-o", "tough.ctb"];
  assert.match((await command(...given)).stdout, /for Acme One, Generic resin, 0\.05 mm/);
  assert.match((await command(...given, "--resin", resin)).stdout, /for Acme One, Acme Tough, 0\.05 mm/);
});
