/** Who can be invited. */
export const KINDS = ["agent", "subUser"] as const;
