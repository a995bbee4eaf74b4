import { counted } from "../../core/quantities.ts";
import { type FeaturePage, perModel } from "../page-row.ts";

export const bodiesPage: FeaturePage = {
  actions: [
    { path: "/v1/scene/model/split-bodies/", group: "parts", tile: "Split", title: "Split into bodies" },
    {
      path: "/v1/scene/model/body-count/",
      group: "parts",
      tile: "Split",
      title: "Count bodies",
      check: {
        findings: perModel(({ body_count }: { readonly body_count: number }) => [
          body_count > 0 && { severity: "info", text: counted(body_count, "body", "bodies") },
        ]),
      },
    },
  ],
};
