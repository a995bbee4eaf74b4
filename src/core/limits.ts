/** Maximum number of models in a scene (interface supplement, "Limits of the server"). */
export const MAX_MODELS = 10_000;

/** The largest coordinate or size accepted, mm (interface supplement, section 1, "Numbers"). */
export const MAX_COORDINATE_MM = 1_000_000;

/** Scenes that an earlier server left in a state folder are removed after this time: 30 days. */
export const MAX_KEPT_MS = 30 * 24 * 60 * 60 * 1000;
