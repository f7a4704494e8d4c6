import { vi } from "vitest";
import { resetLazyValues } from "@/server/core/lazy-value";

/** Overrides settings as if the process had started with them, until the test file ends; "" unsets one. */
export function overrideSettings(settings: Record<string, string>): void {
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  resetLazyValues();
}
