import { env } from "@/server/core/env";
import { WIDGET_LOADER_PATH } from "@/server/sandbox/widget-loader";

/** Returns the URL of the widget's script: the sandbox's in demo mode unless another is set. */
export function getWidgetScriptUrl(): string | undefined {
  const { WIDGET_SCRIPT_URL, APP_URL, production } = env();
  return WIDGET_SCRIPT_URL ?? (production ? undefined : `${APP_URL}${WIDGET_LOADER_PATH}`);
}
