// The package's types describe its "main", a script whose names Deno does not see. The module has the same names.
declare module "opentype.js/dist/opentype.mjs" {
  export { type Font, parse, type PathCommand } from "opentype.js";
}
