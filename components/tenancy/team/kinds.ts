export const KINDS = ["agent", "subUser"] as const;
