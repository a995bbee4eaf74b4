/** What automatic layout and packing may change of a model's pose (interface, "lock values"). */
export const LOCKS = [
  "FREE",
  "LOCKED_XY_FLIP_ENABLED",
  "LOCKED_XY_ROTATION_FREE_TRANSLATION",
  "LOCKED_ROTATION_FREE_TRANSLATION",
  "FULLY_LOCKED",
] as const;

export type Lock = (typeof LOCKS)[number];

/** The base of supports (interface supplement, section 6, "auto-support"). */
export const RAFT_TYPES = ["FULL_RAFT", "MINI_RAFT", "MINI_RAFTS_ON_BP", "NONE"] as const;

export type RaftType = (typeof RAFT_TYPES)[number];

/** Most models in a scene (interface supplement, "Limits of the server"). */
export const MAX_MODELS = 10_000;

/**
 * How a powder chamber is packed (interface supplement, `packing_mode`). HEIGHT: as low as possible. BALANCED: at most 10 % higher than
 * that, large level faces are tilted, the areas of the layers are kept even and thick bodies apart.
 */
export const PACKING_MODES = ["BALANCED", "HEIGHT"] as const;
export type PackingMode = (typeof PACKING_MODES)[number];
