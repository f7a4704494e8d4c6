import { vi } from "vitest";
import { forgetKept } from "@/server/core/kept";

/** Gives the process these settings, as if it had started with them; "" unsets one. They end with the test file. */
export function overrideSettings(settings: Record<string, string>): void {
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  forgetKept();
}
