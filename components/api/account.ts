"use client";

let current: number | undefined;

export function setPanelAccount(account: number): void {
  current = account;
}

/** Sent with every call, because the browser may be signed in to another account by then. */
export function accountHeader(): Record<string, string> {
  return current === undefined ? {} : { "x-account": String(current) };
}
