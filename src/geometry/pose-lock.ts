/** Changes of the pose of a model that automatic layout and packing may make (interface, "lock values"). */
export const LOCKS = [
  "FREE",
  "LOCKED_XY_FLIP_ENABLED",
  "LOCKED_XY_ROTATION_FREE_TRANSLATION",
  "LOCKED_ROTATION_FREE_TRANSLATION",
  "FULLY_LOCKED",
] as const;

export type Lock = (typeof LOCKS)[number];
