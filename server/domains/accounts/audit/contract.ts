/** Results of a failed check: `entry_…` is about the entry with the id, everything else about the seal with it. */
export const AUDIT_BREAKS = [
  "entry_altered",
  "entry_removed",
  "entry_added",
  "seal_altered",
  "seal_removed",
  "cut_off",
  "head_removed",
  "head_forged",
  "stub_forged",
] as const;
export type AuditBreak = (typeof AUDIT_BREAKS)[number];
