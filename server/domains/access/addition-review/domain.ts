import { handle } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import { reportIntrusion, reviewAdditions } from "./contract";
import { additionReviewErrors } from "./errors";
import { forgetReviewsJob } from "./jobs";
import { report, review } from "./service/review";

export const additionReview = domain({
  operations: {
    report: handle(reportIntrusion, report),
    review: handle(reviewAdditions, review),
  },
  jobs: { forget_reviews: job(forgetReviewsJob, { cron: "38 * * * *", fill: "1d" }) },
  relations: [
    {
      table: "addition_reviews",
      column: "user_id",
      topic: "ways_in",
      onDeletion: "delete",
      export: { leftOut: "the digest of a link that lives three days" },
    },
  ],
  notices: ["additions_ended"],
  errors: additionReviewErrors,
  tokens: { dsm: "link to a review of what was added lately" },
});
