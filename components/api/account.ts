"use client";

let current: number | undefined;

/** Sets the account whose panel this document shows. */
export function showAccount(account: number): void {
  current = account;
}

/** Sent with every call, because the browser may be signed in to another account by then. */
export function accountHeader(): Record<string, string> {
  return current === undefined ? {} : { "x-account": String(current) };
}
