import { Fragment, isoMicrosSql } from "@/server/infrastructure/database/sql";

/** A row `s` of sites as the contract's object; secrets are masked (decisions: secret fields). */
function siteJson(systemPrompt: string): string {
  return `json_build_object(
    'id', s.id, 'name', s.name, 'domain', s.domain, 'user_id', s.user_id,
    'api_key', 'dsk_****' || s.api_key_last_four, 'is_active', s.is_active, 'system_prompt', ${systemPrompt},
    'widget_color', s.widget_color, 'widget_position', s.widget_position, 'welcome_message', s.welcome_message,
    'bot_name', s.bot_name, 'ai_enabled', s.ai_enabled, 'similarity_threshold', s.similarity_threshold,
    'ai_provider_api_key', '****' || s.ai_provider_key_last_four, 'subscription_id', s.subscription_id,
    'settings', json_build_object('max_messages_per_session', s.max_messages_per_session),
    'created_at', ${isoMicrosSql("s.created_at")}, 'updated_at', ${isoMicrosSql("s.updated_at")})`;
}

export const SITE_JSON = new Fragment(siteJson("s.system_prompt"));
/** Agents answer people; the instructions of the assistant are not theirs to read. */
export const SITE_JSON_FOR_AGENT = new Fragment(siteJson("null"));

/** A list of `SITE_JSON`, oldest first, as the answer of a list operation. */
export const SITE_LIST = new Fragment(
  `json_build_object('data', coalesce(json_agg(${SITE_JSON.text} order by s.id), '[]'::json))::text`,
);
export const SITE_LIST_FOR_AGENT = new Fragment(
  `json_build_object('data', coalesce(json_agg(${SITE_JSON_FOR_AGENT.text} order by s.id), '[]'::json))::text`,
);
