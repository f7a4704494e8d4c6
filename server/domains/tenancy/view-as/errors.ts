import type { ErrorSpecs } from "@/server/core/errors";

export const viewAsErrors = {
  /** A view is a state of the panel's session, which bearer tokens do not have. */
  view_as_panel_only: { status: 403, shape: "failure" },
  view_as_not_allowed: { status: 422, shape: "failure" },
  view_as_running: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;
