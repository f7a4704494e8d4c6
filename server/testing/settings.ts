import { vi } from "vitest";
import { forgetKept } from "@/server/core/kept";

/** Overrides settings as if the process had started with them, until the test file ends; "" unsets one. */
export function overrideSettings(settings: Record<string, string>): void {
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  forgetKept();
}
