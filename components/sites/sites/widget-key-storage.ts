import { readTabItem, writeTabItem } from "@/components/ui/tab-storage";

const getStorageKey = (siteId: number) => `widget-key:${siteId}`;

/** Keeps the key of a new site for its first page: later, only the owner can read it. */
export function storeWidgetKey(siteId: number, key: string): void {
  writeTabItem(getStorageKey(siteId), key);
}

export function readWidgetKey(siteId: number): string | undefined {
  return readTabItem(getStorageKey(siteId));
}
