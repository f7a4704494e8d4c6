"use client";

let panelAccount: number | undefined;

export function setPanelAccount(account: number): void {
  panelAccount = account;
}

/** Header of every call. The server refuses it if another tab has signed in to another account. */
export function buildAccountHeader(): Record<string, string> {
  return panelAccount === undefined ? {} : { "x-account": String(panelAccount) };
}
