/** What becomes of a mail. */
export const MAIL_STATES = ["queued", "sent", "failed"] as const;
