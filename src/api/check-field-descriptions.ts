/** What each field of the checks of models means: part of `FIELD_DESCRIPTIONS`. */
export const CHECK_FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  body_count: "Number of bodies that no edge connects.",
  collision_offset_mm: "Distance in mm below which models count as interfering.",
  interferences: "Pairs of ids of models that interfere, supports included.",
  is_manifold: "Whether the mesh is the closed, outward boundary of a solid.",
  open_edge_count: "Number of edges with a facet on one side alone.",
  non_manifold_edge_count: "Number of edges between more than two facets.",
  degenerate_face_count: "Number of facets without area.",
  inverted_body_count: "Number of bodies whose facets face inward.",
  self_intersecting: "Whether facets pass through one another.",
  cup_count: "Number of sealed pockets of at least 1 mm³.",
  minima_count: "Number of regions that begin in mid-air.",
  percent_unsupported: "Area of overhangs that nothing supports, in percent of all overhangs.",
  percent_held:
    "How much of the pull of the film is held in the worst layer, in percent; for WOBBLE how much of the stiffness that is needed is there. 100 where nothing was found.",
  "weaknesses.percent_held":
    "How much of the pull of the film is held there, in percent; for WOBBLE how much of the stiffness that is needed is there.",
  weaknesses: "Places where the model is not held, the worst first.",
  kind: "Why: too few tips and too little on the platform (PULL), it leans out beside what holds it (LEAN), a thin section below breaks (NECK), it is so tall and thin that it bends aside (WOBBLE).",
  "weaknesses.position": "Place in the scene in mm, in the layer that is not held.",
  neck_height_mm: "Height of the thin section that breaks above the platform, in mm; of NECK alone.",
  threshold_mm: "Thickness in mm below which walls count as thin.",
  "scene/model/validate/thin-features:status":
    "ANALYZED; or why not: the smallest side of the model is below the threshold (TOO_SMALL), the grid that the threshold asks for is over the server's bound (TOO_LARGE), or the mesh bounds no solid (MESH_ERROR).",
  has_thin_walls: "Whether there are thin regions; false unless the status is ANALYZED.",
  thin_volume_mm3: "Volume of all thin regions in mm³.",
  thin_region_count: "Number of thin regions.",
  thin_regions: "The thin regions, the largest first.",
  volume_mm3: "Volume of the region in mm³.",
};
