// The package's types are those of its "main", a script whose names Deno does not see; this is the same as a module.
declare module "opentype.js/dist/opentype.mjs" {
  export { type Font, parse, type PathCommand } from "opentype.js";
}
