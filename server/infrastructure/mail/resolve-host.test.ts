import { afterEach, describe, expect, it, vi } from "vitest";
import { stubDnsLookup } from "@/server/testing/stub-lookup";
import { isPublicAddress, PrivateHostError, resolveMailHost } from "./resolve-host";

const lookup = stubDnsLookup();
const mockAddresses = (...addresses: string[]) =>
  lookup.mockResolvedValue(addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })));

describe("isPublicAddress", () => {
  it.each(["8.8.8.8", "93.184.216.34", "172.15.255.255", "172.32.0.1", "2606:4700::1111", "::ffff:8.8.8.8"])(
    "accepts %s",
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
  it.each([
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "192.0.0.8",
    "192.31.196.1",
    "192.88.99.1",
    "203.0.113.9",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:a9fe:a9fe",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "fc00::1",
    "fd12:3456::1",
    "::127.0.0.1",
    "::8.8.8.8",
    "::808:808",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "3fff::1",
    "5f00::1",
    "fec0::1",
    "fe80::1",
    "fe80::1%eth0",
    "fd00::1:192.0.2.1%eth0",
    "ff02::1",
    "localhost",
    "",
  ])("rejects %s", (address) => expect(isPublicAddress(address)).toBe(false));
});

describe("resolveMailHost", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("returns the first address, and rejects a host with any private address", async () => {
    mockAddresses("8.8.8.8", "2606:4700::1111");
    expect(await resolveMailHost("mail.example.com")).toBe("8.8.8.8");
    mockAddresses("8.8.8.8", "10.0.0.1");
    await expect(resolveMailHost("mail.example.com")).rejects.toThrow(PrivateHostError);
    mockAddresses();
    await expect(resolveMailHost("mail.example.com")).rejects.toThrow("No address");
  });
});
