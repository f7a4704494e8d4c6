import { createHandler } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { getTrial, startTrial } from "./contract";
import { getTrialOffer, startOwnTrial } from "./service";

export const trials = domain({
  operations: {
    get: createHandler(getTrial, getTrialOffer),
    start: createHandler(startTrial, startOwnTrial),
  },
  notices: ["trial_started"],
  audit: ["trial.started"],
});
