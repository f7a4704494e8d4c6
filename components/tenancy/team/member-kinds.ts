export const MEMBER_KINDS = ["agent", "subUser"] as const;
