import type { Trial } from "./types";

/** True if the account can start the trial, or could once its address is verified. */
export const isTrialOffered = (trial: Trial | null | undefined): trial is Trial =>
  trial?.is_available === true || trial?.refusal === "unverified";
