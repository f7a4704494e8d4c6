const KEY = "sign-in-email";

/** Returns the address that was kept in this browser at the person's request. */
export function rememberedEmail(): string | null {
  try {
    return window.localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Keeps an address for the next visit; null deletes it. */
export function rememberEmail(email: string | null): void {
  try {
    if (email) window.localStorage.setItem(KEY, email);
    else window.localStorage.removeItem(KEY);
  } catch {
    // Without storage only this convenience is lost.
  }
}
