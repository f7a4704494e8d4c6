import type { Connection } from "./types";

/** Returns the address at which the viewer can write to the connection or call it, to try it. */
export function getTryLink({ channel, address, linked_sites: sites }: Connection): string | undefined {
  if (channel === "web_chat") return sites[0] && `https://${sites[0].domain}`;
  if (!address) return undefined;
  const name = encodeURIComponent(address.replace(/^@/, ""));
  const links: Partial<Record<Connection["channel"], string>> = {
    telegram: `https://t.me/${name}`,
    instagram: `https://ig.me/m/${name}`,
    messenger: `https://m.me/${name}`,
    email: `mailto:${encodeURIComponent(address)}`,
    voice: `tel:${address.replace(/[^\d+]/g, "")}`,
  };
  return links[channel];
}
