"use client";

let current: number | undefined;

/** Notes whose panel this document shows. */
export function showAccount(account: number): void {
  current = account;
}

/** Says it with every call: by then the browser may be signed in as somebody else. */
export function accountHeader(): Record<string, string> {
  return current === undefined ? {} : { "x-account": String(current) };
}
