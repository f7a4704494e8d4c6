import dns from "node:dns/promises";
import { syncBuiltinESMExports } from "node:module";
import { afterAll, type Mock, vi } from "vitest";

type Addresses = Array<{ address: string; family: number }>;

/** Stubs `dns.lookup` until the file ends: the system's resolver cannot use a fake DNS server. */
export function stubDnsLookup(): Mock<(host: string, options: object) => Promise<Addresses>> {
  const stub = vi.spyOn(dns, "lookup");
  syncBuiltinESMExports();
  afterAll(() => {
    stub.mockRestore();
    syncBuiltinESMExports();
  });
  return stub as never;
}
