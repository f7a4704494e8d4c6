export const MAIL_STATE_TONE = { queued: "neutral", sent: "success", failed: "danger" } as const;
