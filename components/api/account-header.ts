"use client";

let panelAccountId: number | undefined;

export function setPanelAccountId(accountId: number): void {
  panelAccountId = accountId;
}

/** Header of every call. The server refuses it if another tab has signed in to another account. */
export function buildAccountHeader(): Record<string, string> {
  return panelAccountId === undefined ? {} : { "x-account": String(panelAccountId) };
}
