import { domain, job } from "@/server/core/domain";
import { forgetWebhookEventsJob } from "./jobs";

export const webhookEvents = domain({
  jobs: {
    forget_webhook_events: job(forgetWebhookEventsJob, { cron: "48 3 * * *", fill: "1d" }),
  },
  relations: [
    {
      table: "webhook_events",
      column: "owner_id",
      topic: "connections",
      onDeletion: "detach",
      export: { leftOut: "what was sent to an endpoint is in the records of whoever runs it" },
    },
  ],
});
