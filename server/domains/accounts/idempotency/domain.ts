import { domain, job } from "@/server/core/domain";
import { deleteIdempotencyKeysJob } from "./jobs";

export const idempotency = domain({
  jobs: {
    forget_idempotency_keys: job(deleteIdempotencyKeysJob, { cron: "36 * * * *", catchUp: "1d" }),
  },
  relations: [
    {
      table: "idempotency_keys",
      column: "user_id",
      topic: "sign_ins",
      onDeletion: "delete",
      export: { omittedBecause: "encrypted responses of one day, for calls that are repeated" },
    },
  ],
});
