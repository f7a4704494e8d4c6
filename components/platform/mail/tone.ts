export const STATE_TONE = { queued: "neutral", sent: "success", failed: "danger" } as const;
