import type { ErrorSpecs } from "@/server/core/errors";

export const accountErrors = {
  current_password_wrong: { status: 422, shape: "failure" },
} as const satisfies ErrorSpecs;

type AccountErrors = typeof accountErrors;
declare module "@/server/core/errors" {
  interface ErrorTable extends AccountErrors {}
}
