import type { FeaturePage } from "./page-row.ts";
import { bodiesPage } from "./bodies/page.ts";
import { cagePage } from "./cage/page.ts";
import { calibratePage } from "./calibrate/page.ts";
import { checkPage } from "./check/page.ts";
import { cutPage } from "./cut/page.ts";
import { dentalPage } from "./dental/page.ts";
import { drillPage } from "./drill/page.ts";
import { hollowPage } from "./hollow/page.ts";
import { importPage } from "./import/page.ts";
import { labelPage } from "./label/page.ts";
import { layoutPage } from "./layout/page.ts";
import { measurePage } from "./measure/page.ts";
import { mirrorPage } from "./mirror/page.ts";
import { modelsPage } from "./models/page.ts";
import { orientPage } from "./orient/page.ts";
import { packPage } from "./pack/page.ts";
import { printPage } from "./print/page.ts";
import { renderPage } from "./render/page.ts";
import { repairPage } from "./repair/page.ts";
import { stretchPage } from "./stretch/page.ts";
import { supportPage } from "./support/page.ts";
import { drainPage } from "./drain/page.ts";
import { ventPage } from "./vent/page.ts";

/** The page rows of all features: actions of one group appear in this order. */
export const PAGES: readonly FeaturePage[] = [
  hollowPage,
  drillPage,
  ventPage,
  drainPage,
  labelPage,
  cutPage,
  mirrorPage,
  stretchPage,
  repairPage,
  bodiesPage,
  dentalPage,
  measurePage,
  orientPage,
  supportPage,
  layoutPage,
  packPage,
  cagePage,
  checkPage,
  importPage,
  modelsPage,
  renderPage,
  printPage,
  calibratePage,
];
