import { after, before } from "node:test";
import { changesSuite } from "../compat/changes.suite.ts";
import { clientsSuite } from "../compat/clients.suite.ts";
import { type CompatServer, openCompatServer } from "../compat/compat-server.ts";
import { tableSuite } from "../compat/table.suite.ts";

// The 0.9 interface on one server, so that its kernels are loaded only once. Many scenes stay in memory; another test is about swapped-out scenes.

let server: CompatServer;
before(async () => {
  server = await openCompatServer(["--scene-cache-size", "1000"]);
});
after(() => server.close());

// These suites are first: they ask whether a printer is ready, and make scenes through `/v1/`, which has a limit.
changesSuite(() => server);
clientsSuite(() => server);
tableSuite(() => server);
