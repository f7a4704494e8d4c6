import { domain, job } from "@/server/core/domain";
import { forgetWebhookEventsJob } from "./jobs";

export const webhookEvents = domain({
  jobs: {
    forget_webhook_events: job(forgetWebhookEventsJob, { cron: "48 3 * * *", fill: "1d" }),
  },
});
