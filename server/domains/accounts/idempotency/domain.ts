import { domain, job } from "@/server/core/domain";
import { forgetIdempotencyKeysJob } from "./jobs";

export const idempotency = domain({
  jobs: {
    forget_idempotency_keys: job(forgetIdempotencyKeysJob, { cron: "36 * * * *", fill: "1d" }),
  },
  relations: [
    {
      table: "idempotency_keys",
      column: "user_id",
      topic: "sign_ins",
      onDeletion: "delete",
      export: { leftOut: "encrypted responses of one day, for calls that are repeated" },
    },
  ],
});
