const KEY = "sign-in-email";

/** The address that was kept in this browser, at the person's own wish. */
export function rememberedEmail(): string | null {
  try {
    return window.localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Keeps an address for the next visit; null forgets it. */
export function rememberEmail(email: string | null): void {
  try {
    if (email) window.localStorage.setItem(KEY, email);
    else window.localStorage.removeItem(KEY);
  } catch {
    // A closed storage only costs the comfort.
  }
}
