import * as z from "zod";
import { getBodyFields, makeRequired } from "@/components/form/fields";
import { updateSite } from "@/server/domains/sites/sites/contract";
import { SESSION_MESSAGES_MAX } from "@/server/domains/sites/sites/policy";

/* Validation of the forms, loaded on first input. */

const fields = getBodyFields(updateSite);

export const widgetForm = {
  body: fields.pick({ bot_name: true, welcome_message: true, widget_color: true, widget_position: true }),
};

export const aiForm = {
  body: fields.pick({ ai_enabled: true, similarity_threshold: true, system_prompt: true }),
};

export const siteForm = {
  body: z.object({
    name: fields.shape.name.unwrap(),
    domain: fields.shape.domain.unwrap(),
    max_messages: z.coerce.number().pipe(z.int().min(1).max(SESSION_MESSAGES_MAX)),
  }),
};

export const providerKeyForm = {
  body: z.object({ ai_provider_api_key: makeRequired(fields.shape.ai_provider_api_key) }),
};
