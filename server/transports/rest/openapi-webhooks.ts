import {
  WEBHOOK_EVENTS,
  type WebhookEventType,
  webhookBody,
} from "@/server/domains/accounts/webhook-events/contract";
import type { Json } from "./json-schema";
import { type Components, schemaOf } from "./openapi-schema";
import type { Pieces } from "./pieces";

const header = (name: string, description: string): Json => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
});

/** The headers of Standard Webhooks. */
const SIGNED: Json[] = [
  header("webhook-id", "The same over all attempts: a receiver drops an id that it knows."),
  header("webhook-timestamp", "When the attempt was made, in seconds since 1970."),
  header("webhook-signature", "A list, by spaces: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`."),
];

/** What integrators receive, for the object `webhooks` of OpenAPI 3.1. */
export function* describeWebhooks(shared: Components): Pieces<Record<string, Json>> {
  const described: Record<string, Json> = {};
  for (const type of Object.keys(WEBHOOK_EVENTS) as WebhookEventType[]) {
    described[type] = { post: describeEvent(type, shared) };
    yield;
  }
  return described;
}

function describeEvent(type: WebhookEventType, shared: Components): Json {
  const { summary } = WEBHOOK_EVENTS[type];
  return {
    operationId: `on.${type}`,
    tags: ["Webhooks"],
    summary,
    description: `${summary}.`,
    security: [],
    parameters: SIGNED,
    requestBody: {
      required: true,
      content: {
        "application/json": { schema: schemaOf(webhookBody(type), "output", shared, `on.${type}`) },
      },
    },
    responses: { "2XX": { description: "Received. Any other answer, or none within 15 s, is tried again." } },
  };
}
