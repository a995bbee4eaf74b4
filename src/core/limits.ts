/** Maximum number of models in a scene (interface supplement, "Limits of the server"). */
export const MAX_MODELS = 10_000;

/** The largest coordinate or size accepted, mm (interface supplement, section 1, "Numbers"). */
export const MAX_COORDINATE_MM = 1_000_000;
