/** The base of supports (interface supplement, section 6, "auto-support"). */
export const RAFT_TYPES = ["FULL_RAFT", "MINI_RAFT", "MINI_RAFTS_ON_BP", "NONE"] as const;

export type RaftType = (typeof RAFT_TYPES)[number];
