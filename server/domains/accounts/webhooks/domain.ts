import { createHandler } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  getWebhookSeries,
  listWebhookDeliveries,
  listWebhooks,
  renewWebhookSecret,
  replayFailedDeliveries,
  replayWebhookDelivery,
  testWebhook,
  updateWebhook,
} from "./contract";
import { archiveReaders } from "./export";
import {
  deleteOldWebhookEventsJob,
  dispatchWebhooksJob,
  fanOutWebhooksJob,
  notifyWebhookOwnerJob,
  resumeWebhooksJob,
} from "./jobs";
import { webhookAdditions } from "./service/additions";
import { listDeliveries, replayAllFailed, replayDelivery, sendTestEvent } from "./service/deliveries";
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  renewSecret,
  updateEndpoint,
} from "./service/endpoints";
import { failedWebhooks } from "./service/failed-webhooks";
import { countDeliveriesOverTime } from "./service/series";
import { WEBHOOK_SEAL_PURPOSE } from "./service/sign";

export const webhooks = domain({
  operations: {
    list: createHandler(listWebhooks, listEndpoints),
    create: createHandler(createWebhook, createEndpoint),
    get: createHandler(getWebhook, getEndpoint),
    series: createHandler(getWebhookSeries, countDeliveriesOverTime),
    update: createHandler(updateWebhook, updateEndpoint),
    remove: createHandler(deleteWebhook, deleteEndpoint),
    renewSecret: createHandler(renewWebhookSecret, renewSecret),
    test: createHandler(testWebhook, sendTestEvent),
    deliveries: createHandler(listWebhookDeliveries, listDeliveries),
    replay: createHandler(replayWebhookDelivery, replayDelivery),
    replayFailed: createHandler(replayFailedDeliveries, replayAllFailed),
  },
  jobs: {
    fan_out_webhook: job(fanOutWebhooksJob),
    pump_webhooks: job(dispatchWebhooksJob),
    resume_webhooks: job(resumeWebhooksJob, { cron: "* * * * *" }),
    tell_webhook: job(notifyWebhookOwnerJob),
    forget_webhook_events: job(deleteOldWebhookEventsJob, { cron: "48 3 * * *", catchUp: "1d" }),
  },
  failedWork: { webhooks: failedWebhooks },
  sealedColumns: [
    { table: "webhook_endpoints", column: "secret_sealed", purpose: WEBHOOK_SEAL_PURPOSE },
    { table: "webhook_endpoints", column: "old_secret_sealed", purpose: WEBHOOK_SEAL_PURPOSE },
  ],
  additions: { webhook: webhookAdditions },
  relations: [
    {
      table: "webhook_endpoints",
      column: "user_id",
      topic: "channels",
      onDeletion: "delete",
      export: "webhooks",
    },
  ],
  exports: archiveReaders,
  notices: ["webhook_failing", "webhook_disabled"],
  audit: [
    "webhook.created",
    "webhook.changed",
    "webhook.deleted",
    "webhook.secret_renewed",
    "webhook.replayed",
  ],
});
